import type { ChainLink } from '#eventstore/hash.ts';

/** Events in their commits; what is left at the end is a commit that is not whole. */
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
