import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { type Archive, type AuditQuery, inBrief, search } from './search.ts';

/** Maximum number of commits that are found at once: as many as an event can name. */
const most = 25_000;

/** Positions at which the commits begin that have an event which matches a query, in order. */
export async function commitsMatching(
  query: AuditQuery,
  { archive, pause }: { readonly archive: Archive; readonly pause: () => Promise<void> },
): Promise<readonly number[] | Refusal> {
  const found = new Set<number>();
  let until = performance.now() + share;
  for (const event of search({ ...query, direction: 'forwards' }, inBrief(archive))) {
    if (event !== null) found.add(event.position - event.commit.i);
    if (found.size > most)
      return refuse('rest_too_many_commits', `More than ${most} commits fit. Name a shorter period, or more of them.`);
    if (event !== null && performance.now() < until) continue;
    await pause();
    until = performance.now() + share;
  }
  return [...found];
}

/** Milliseconds of searching before the caller gets a turn. */
const share = 10;
