import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { openCall, wantedBy } from './call.ts';
import { type Input, inputOf, type RawRequest } from './input.ts';
import { TOO_LARGE } from './limits.ts';
import type { Asker, Runtime } from './runtime.ts';

const TOO_MANY_PARAMETERS = refuse('rest_request_too_large', 'The parameters of the request are too large.');

/** Refuses a read whose query string or body is longer than `limit`; null otherwise. */
export function parameterFault({ method }: Input, { query, body }: RawRequest, limit: number): Refusal | null {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return null;
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
  const call = openCall(input, found.path, { viewer, model, wanted: wantedBy(input) });
  return found.endpoint.endpoint.permission(call) ?? TOO_LARGE;
}
