import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { EventStore } from '#eventstore/port.ts';
import { logUntil } from '#eventstore/until.ts';
import { Past } from '#projections/past/past.ts';
import { isCurrent, openReader } from '#projections/projector/database.ts';
import { Live } from '#projections/reading/live.ts';
import { Reader } from '#projections/reading/reader.ts';

export interface OpenState {
  readonly reader: Reader;
  readonly log: EventStore;
  readonly past: Past;
  /** Does a few milliseconds of work that later searches would need. Returns false when none is left. */
  work(): boolean;
  close(): void;
}

export interface StateFiles {
  readonly log: EventStore;
  /** Path of the kept state. */
  readonly path: string;
  readonly position: number;
  /** Path of the present projections, whose search index is reused for entries that have not changed since. */
  readonly present: string;
}

export function openState({ log, path, position, present }: StateFiles): OpenState {
  const db = openReader(path);
  const later = openPresent(present);
  try {
    const live = new Live(db, { borrowed: later === null ? undefined : { db: later, position } });
    const then = logUntil(log, position);
    const reader = new Reader({ db, log: then, find: (query) => live.find(query) });
    reader.position = position;
    return {
      reader,
      log: then,
      past: new Past({ log: then, now: reader, live, far: null }),
      work: () => live.work(),
      close() {
        live.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  } finally {
    later?.close();
  }
}

function openPresent(path: string): DatabaseSync | null {
  if (!existsSync(path)) return null;
  try {
    const db = openReader(path);
    if (isCurrent(db)) return db;
    db.close();
  } catch {
    // The present projections only save work.
  }
  return null;
}
