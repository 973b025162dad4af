import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { Reporter } from '#process/reporter.ts';
import { isCurrent, loadCheckpoint, openProjections, openReader } from '#projections/projector/database.ts';
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

/** With more entries than this the search index is built before the first request, not between requests. */
const enough = 1000;
/** Milliseconds between saves during building, so that a kill does not lose all of it. */
const saveEvery = 10_000;

/**
 * Loads the collection and search indexes in steps, so that health checks are answered meanwhile, and passes them to `open`. If they
 * cannot be loaded, calls `open` without them, which then reports why.
 */
export async function openPreloaded<T>(path: string, open: (loaded?: Loaded) => T, reporter: Reporter): Promise<T> {
  let db: DatabaseSync | undefined;
  try {
    let live: Live | undefined;
    try {
      db = openReader(path);
      live = isCurrent(db) ? await load(db, { path, reporter }) : undefined;
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
  for (const _ of live.load(reader)) await turn();
  if (!lacksIndex(live)) return live;
  const db = openProjections(path);
  try {
    const { position } = loadCheckpoint(db);
    for (const _ of indexTexts({ live, db, position, reporter })) await turn();
  } finally {
    db.close();
  }
  return live;
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
