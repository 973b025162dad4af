import type { DatabaseSync } from 'node:sqlite';
import type { Reporter } from '#process/reporter.ts';
import type { Live } from '#projections/reading/live.ts';

/** With more entries than this the search index is built before the first request, not between requests. */
const enough = 1000;
/** Milliseconds between saves during building, so that a kill does not lose all of it. */
const saveEvery = 10_000;

export interface Indexing {
  readonly live: Live;
  readonly db: DatabaseSync;
  readonly position: number;
  readonly reporter: Reporter;
}

export function lacksIndex(live: Live): boolean {
  return live.unindexed > enough;
}

/** Indexes all texts and saves the index, pausing every few milliseconds. */
export function* indexTexts(indexing: Indexing): Generator<void> {
  const { live } = indexing;
  let savedAt = performance.now();
  while (live.indexStep()) {
    yield;
    if (performance.now() - savedAt < saveEvery) continue;
    yield* saved(indexing);
    savedAt = performance.now();
  }
  yield* saved(indexing);
}

function* saved({ live, db, position, reporter }: Indexing): Generator<void> {
  try {
    yield* live.saving(db, position);
  } catch (error) {
    reporter.warning(`the search index cannot be written down: ${(error as Error).message}`);
  }
}
