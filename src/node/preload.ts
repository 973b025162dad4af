import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { Reporter } from '#process/reporter.ts';
import { isCurrent, loadCheckpoint, openProjections, openReader } from '#projections/projector/database.ts';
import { isIndexed } from '#projections/reading/indexed.ts';
import { Live } from '#projections/reading/live.ts';

interface Loaded {
  readonly live: Live;
}

export interface Indexing {
  readonly live: Live;
  readonly db: DatabaseSync;
  readonly position: number;
  readonly reporter: Reporter;
}

/** With more entries to index than this the search index is built before the first request, not between requests. */
const enough = 5000;
/** With more than this, the index is made compact before as well. Otherwise that is left to idle time: a start after a kill should be short. */
const many = 10_000;
/** Milliseconds between saves during building, so that a kill does not lose all of it. */
const saveEvery = 10_000;

/**
 * Opens projections. If the search index has to be built, that is done before, in steps, so that health checks are answered meanwhile.
 * If it cannot be built, calls `open` without it, which then reports why.
 */
export async function openPreloaded<T>(path: string, open: (loaded?: Loaded) => T, reporter: Reporter): Promise<T> {
  let db: DatabaseSync | undefined;
  try {
    let live: Live | undefined;
    try {
      db = openReader(path);
      live = isCurrent(db) && lacksIndex(db) ? await load(db, { path, reporter }) : undefined;
    } catch {
      live = undefined;
    }
    return open(live && { live });
  } finally {
    db?.close();
  }
}

interface Loading {
  readonly path: string;
  readonly reporter: Reporter;
}

async function load(reader: DatabaseSync, { path, reporter }: Loading): Promise<Live> {
  const live = new Live(reader, { later: true });
  while (live.loadSome()) await turn();
  const db = openProjections(path);
  try {
    const { position } = loadCheckpoint(db);
    for (const _ of indexTexts({ live, db, position, reporter })) await turn();
  } finally {
    db.close();
  }
  return live;
}

export function lacksIndex(db: DatabaseSync): boolean {
  return !isIndexed(db, enough);
}

/** Indexes all texts and saves the index, pausing every few milliseconds. */
export function* indexTexts(indexing: Indexing): Generator<void> {
  const { live } = indexing;
  const compact = live.unindexed > many;
  let savedAt = performance.now();
  while (live.indexStep({ compact })) {
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
