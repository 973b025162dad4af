import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { isCurrent, openReader } from '#projections/database.ts';
import { Live } from '#projections/live.ts';

interface Loaded {
  readonly live: Live;
}

/**
 * Loads what collections are answered from in steps, so that health is answered meanwhile, and opens the projections with it; without it
 * where they cannot be loaded as they are, since opening them finds out why.
 */
export async function openPreloaded<T>(path: string, open: (loaded?: Loaded) => T): Promise<T> {
  let db: DatabaseSync | undefined;
  try {
    let live: Live | undefined;
    try {
      db = openReader(path);
      live = isCurrent(db) ? await load(db) : undefined;
    } catch {
      live = undefined;
    }
    return open(live && { live });
  } finally {
    db?.close();
  }
}

async function load(db: DatabaseSync): Promise<Live> {
  const live = new Live(db, { later: true });
  for (const _ of live.load(db)) await turn();
  return live;
}
