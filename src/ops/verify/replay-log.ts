import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import { openProjections } from '#projections/projector/database.ts';
import type { Positions } from '#projections/projector/followers.ts';
import { Projector } from '#projections/projector/projector.ts';

export interface ReplayJob {
  readonly log: string;
  readonly projections: string;
  /** Target position: the end of a commit. */
  readonly to: number;
  readonly followTo?: Positions;
}

interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** Small, so that memory use does not depend on the length of the log. */
const holdBytes = 16 * 1024 * 1024;

export function replayLog(
  { log: path, projections, to, followTo = new Map() }: ReplayJob,
  onProgress: (position: number) => void,
): void {
  const reader = openLogReader(path);
  const db = openProjections(projections);
  // The file is not needed after a crash, and lookups in a write-ahead log as large as a transaction are slow.
  db.exec('PRAGMA journal_mode = PERSIST; PRAGMA synchronous = OFF');
  const log = {
    head: () => ({ position: to, hash: '', at: null }),
    *read({ from = 1, to: last = to }: Range = {}) {
      for (const event of reader.chain(from)) {
        if (event.position > last) return;
        yield event;
      }
    },
  };
  try {
    catchUp({ log, db, projector: new Projector(db), holdBytes, followTo, onProgress });
  } finally {
    db.close();
    reader.close();
  }
}
