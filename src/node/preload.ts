import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { Reporter } from '#process/reporter.ts';
import { isCurrent, loadCheckpoint, openProjections, openReader } from '#projections/projector/database.ts';
import { Live } from '#projections/reading/live.ts';
import { indexTexts, lacksIndex } from './index-texts.ts';

interface Loaded {
  readonly live: Live;
}

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
