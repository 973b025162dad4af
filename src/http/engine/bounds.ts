import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { asWriter, refusalToWrite, type Viewer } from '#domain/user/roles.ts';
import { TOO_LARGE } from '../message/limits.ts';
import { openCall } from './call.ts';
import type { Asker, EngineHost, Runtime } from './host.ts';
import { type Input, inputOf, type RawRequest } from './input.ts';
import type { FoundEndpoint } from './table.ts';

export const NO_ROUTE = refuse('rest_no_route', 'No route was found matching the URL and request method.');
const CLOSED = refuse('rest_forbidden_token', 'This is not open to tokens.');
const TOO_MANY_PARAMETERS = refuse('rest_request_too_large', 'The parameters of the request are too large.');

/** Refuses a read whose query string or body is longer than `limit`; null otherwise. */
export function parameterFault({ method }: Input, { query, body }: RawRequest, limit: number): Refusal | null {
  if (!isReading(method)) return null;
  return query.length > limit || body.length > limit ? TOO_MANY_PARAMETERS : null;
}

/**
 * The refusal of a request whose body is too large to be read. An anonymous client that lacks the permission anyway is refused for
 * that.
 */
export function unreadRefusal<M, S extends M>({ host, table }: Runtime<M, S>, request: RawRequest & Asker): Refusal {
  const { viewer } = request;
  const input = inputOf(request, {});
  const model = host.model();
  const found = table.find(input.method, input.path, model);
  if (viewer.id !== 0 || found === null || 'query' in found.endpoint.endpoint) return TOO_LARGE;
  const call = openCall(input, found.path, { viewer, model });
  return found.endpoint.endpoint.permission(call) ?? TOO_LARGE;
}

/**
 * The viewer as whom an endpoint runs, or a refusal. Auditors send reads only. A token opens only some routes, and fewer for writes than
 * for reads.
 */
export function boundedAt<M, S extends M>(
  viewer: Viewer,
  { route, endpoint }: FoundEndpoint<M, S>,
  method: string,
): Viewer | Refusal {
  const refusal = isReading(method) ? null : refusalToWrite(viewer);
  if (refusal !== null) return refusal;
  if (viewer.token === undefined) return viewer;
  const { tokens } = route.route;
  if ('query' in endpoint.endpoint) return tokens === undefined ? CLOSED : viewer;
  const isOpen = tokens === 'all' && !endpoint.endpoint.methods.includes('DELETE');
  return isOpen ? asWriter(viewer) : CLOSED;
}

/** The refusal of whatever would be written now, whoever asks, or by this viewer. A few reads write. */
export function closedTo({ closed }: Pick<EngineHost<never, never>, 'closed'>, viewer: Viewer): Refusal | null {
  return closed ?? refusalToWrite(viewer);
}

export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
