import type { ChainLink } from '#eventstore/hash.ts';

/** Groups events into commits. Events left at the end are yielded as an incomplete commit. */
export function* commitsOf<E extends ChainLink>(events: Iterable<E>): Generator<readonly E[]> {
  let commit: E[] = [];
  for (const event of events) {
    commit.push(event);
    if (event.hash === null) continue;
    yield commit;
    commit = [];
  }
  if (commit.length > 0) yield commit;
}
