import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { versionIn } from './etag.ts';
import type { Call, Route } from './types.ts';

/**
 * `If-Match` on a write: the item must still be in one of the named versions; `*` asks only that there is one.
 * Routes that name no version of anything take no notice.
 */
export function precondition<M, S extends M>({ version }: Route<M, S>, call: Call<S>): Refusal | null {
  const header = call.request.header('if-match');
  if (header === undefined || version === undefined) return null;
  const current = version(call);
  const met = header.trim() === '*' ? current !== null : header.split(',').some((tag) => versionIn(tag) === current);
  return met && current !== null ? null : refuse('rest_precondition_failed', 'The item has been changed meanwhile.');
}
