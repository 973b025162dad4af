import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { versionIn } from './etag.ts';
import type { Call, Route } from './types.ts';

/**
 * Checks `If-Match` on a write: the item must still have one of the named versions; for `*` it need only exist. Routes without
 * `version` ignore the header.
 */
export function precondition<M, S extends M>({ version }: Route<M, S>, call: Call<S>): Refusal | null {
  const header = call.request.header('if-match');
  if (header === undefined || version === undefined) return null;
  const current = version(call);
  const met = header.trim() === '*' ? current !== null : header.split(',').some((tag) => versionIn(tag) === current);
  return met && current !== null ? null : refuse('rest_precondition_failed', 'The item has been changed meanwhile.');
}
