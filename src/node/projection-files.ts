import type { DatabaseSync } from 'node:sqlite';
import { disksOf } from '#eventstore/write-ahead.ts';
import { checkBelonging } from '#projections/projector/belonging.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import { checkCounters } from '#projections/projector/counters.ts';
import { openProjections, openReader } from '#projections/projector/database.ts';
import { Projector } from '#projections/projector/projector.ts';
import { Live } from '#projections/reading/live.ts';
import type { CoreOptions } from './core-options.ts';
import { indexTexts, lacksIndex } from './preload.ts';

/** The projections file with its two connections, caught up with the log, and the indexes over it. */
export interface ProjectionFiles {
  /** The connection that writes. */
  readonly db: DatabaseSync;
  /** A connection that sees committed rows only. */
  readonly shown: DatabaseSync;
  readonly disks: ReturnType<typeof disksOf>;
  readonly projector: Projector;
  readonly live: Live;
}

/** Opens the projections file and catches it up. Throws `LogDamaged` when the log lacks what it has seen. */
export function openProjectionFiles(
  { log, path, keepEvery, kept, reporter }: CoreOptions,
  scope: DisposableStack,
): ProjectionFiles {
  const disks = scope.adopt(disksOf(path), (opened) => opened.close());
  const db = scope.adopt(openProjections(path), (opened) => opened.close());
  const projector = new Projector(db);
  const { position } = projector.checkpoint;
  checkBelonging(log, projector.checkpoint);
  if (position > 0) checkCounters(log, db, projector.checkpoint);
  const shown = scope.adopt(openReader(path), (opened) => opened.close());
  // Before the rows are brought up: saved indexes fit them as they are, and get what is missing afterwards.
  const live = scope.adopt(kept?.live ?? new Live(shown, { later: true }), (opened) => opened.close());
  const missed = catchUp({ log, db, projector, keepEvery, onProgress: reporter.progress });
  if (kept !== undefined) live.moveTo(shown);
  live.apply(missed);
  if (kept === undefined && lacksIndex(shown)) {
    live.loadAll();
    for (const _ of indexTexts({ live, db, position: projector.checkpoint.position, reporter }));
  }
  return { db, shown, disks, projector, live };
}
