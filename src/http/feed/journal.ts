import { LRUCache } from 'lru-cache';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { createAccessStates } from './access-states.ts';
import { createCommentAccessStates } from './comments.ts';
import { type CommitFacts, factsOf } from './facts.ts';
import { createMediaAccessStates } from './media.ts';
import type { Source } from './source.ts';

export interface JournalPage {
  readonly commits: readonly CommitFacts[];
  readonly position: number;
}

export interface Journal {
  /**
   * The next commits after a position, in order, up to a few milliseconds of work. A commit that contains the position is returned
   * whole.
   */
  readonly after: (position: number) => JournalPage;
}

/** A page ends with the commit that brings it to this many events. */
const EVENTS_A_PAGE = 200;
/** Facts that are cached, about 200 bytes each: clients that follow the log closely read the same pages. */
const MAX_KEPT = 20_000;

export function createJournal({ read, model }: Source): Journal {
  const deletions = () => model().present().deletions;
  const entries = createAccessStates({ read, deletions });
  const media = createMediaAccessStates({ read, deletions }, entries);
  const records = { entries, media, comments: createCommentAccessStates(read, { entries, media }) };
  const pages = new LRUCache<number, JournalPage>({ maxSize: MAX_KEPT, sizeCalculation: sizeOf });
  return {
    after(position) {
      const known = pages.get(position);
      if (known !== undefined) return known;
      const commits: CommitFacts[] = [];
      for (const events of wholeCommits(read, position, endOfPage(read, position, model().position))) {
        commits.push(factsOf(events, records));
      }
      const page = { commits, position: commits.at(-1)?.position ?? position };
      if (commits.length > 0) pages.set(position, page);
      return page;
    },
  };
}

function endOfPage(read: EventStore['read'], from: number, head: number): number {
  if (from >= head) return from;
  const [first] = read({ from: from + 1, to: head, limit: 1 });
  // Readers would loop forever.
  if (first === undefined) throw new Error(`the log ends before position ${head}, which the read model shows`);
  const { i, n } = first.commit;
  return Math.max(first.position - i + n - 1, Math.min(from + EVENTS_A_PAGE, head));
}

function* wholeCommits(read: EventStore['read'], from: number, to: number): Generator<readonly StoredEvent[]> {
  let commit: StoredEvent[] = [];
  if (to <= from) return;
  for (const event of read({ from: from + 1, to })) {
    const { i, n } = event.commit;
    if (commit.length === 0 && i > 0) commit.push(...read({ from: event.position - i, to: event.position - 1 }));
    commit.push(event);
    if (i < n - 1) continue;
    yield commit;
    commit = [];
  }
}

function sizeOf({ commits }: JournalPage): number {
  return commits.reduce((sum, { facts }) => sum + 1 + facts.length, 1);
}
