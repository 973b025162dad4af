import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { asWriter, type Viewer } from '#domain/user/roles.ts';
import type { FoundEndpoint } from './table.ts';

const CLOSED = refuse('rest_forbidden_token', 'This is not open to tokens.');

/** The viewer as whom an endpoint runs, or a refusal. A token opens only some routes, and fewer for writes than for reads. */
export function boundedAt<M, S extends M>(viewer: Viewer, { route, endpoint }: FoundEndpoint<M, S>): Viewer | Refusal {
  const { token } = viewer;
  if (token === undefined) return viewer;
  const { tokens } = route.route;
  if ('query' in endpoint.endpoint) return tokens === undefined ? CLOSED : viewer;
  const isOpen = tokens === 'all' && !endpoint.endpoint.methods.includes('DELETE');
  return isOpen ? asWriter(viewer) : CLOSED;
}
