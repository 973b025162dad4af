import { type FeedReading, pause } from './reading.ts';
import { type VisibleCommit, visibleIn } from './visible.ts';

export interface Poll {
  readonly limit: number;
  /** Milliseconds to wait for something visible. */
  readonly wait: number;
}

export interface Polled {
  /** Position up to which the log was read: the next poll begins there. */
  readonly position: number;
  readonly commits: readonly VisibleCommit[];
}

/** Bounds the work of one request; the next one continues where it ended. */
const MAX_PAGES = 200;

/** The visible commits after a position; waits if there are none. */
export async function pollCommits(reading: FeedReading, { limit, wait }: Poll): Promise<Polled> {
  const { source, journal, viewer, gone } = reading;
  const until = performance.now() + wait;
  const commits: VisibleCommit[] = [];
  let position = reading.from;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    await reading.turn();
    if (gone.aborted) break;
    const page = journal.after(position);
    for (const commit of page.commits) {
      const visible = visibleIn(commit, { viewer, model: source.model() });
      if (visible !== null) commits.push(visible);
      position = commit.position;
      if (commits.length === limit) return { position, commits };
    }
    if (source.model().position > position) continue;
    const left = until - performance.now();
    if (commits.length > 0 || left <= 0) break;
    await pause({ source, position, ms: left, gone });
  }
  return { position, commits };
}
