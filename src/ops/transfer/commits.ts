import type { ChainedEvent } from '#eventstore/chain.ts';

/** Events in their commits; what is left at the end is a commit that is not whole. */
export function* commitsOf(events: Iterable<ChainedEvent>): Generator<readonly ChainedEvent[]> {
  let commit: ChainedEvent[] = [];
  for (const event of events) {
    commit.push(event);
    if (event.hash === null) continue;
    yield commit;
    commit = [];
  }
  if (commit.length > 0) yield commit;
}
