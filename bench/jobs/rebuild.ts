/** Replays a log into fresh projections with the product's own code, until searches need no unindexed text any more. */
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { catchUp } from '#projections/catchup.ts';
import { openProjections, openReader } from '#projections/database.ts';
import { Live } from '#projections/live.ts';
import { Projector } from '#projections/projector.ts';

/** What a rebuild took. */
export interface Rebuilt {
  readonly events: number;
  /** All of it, and the share of folding and rendering. */
  readonly seconds: number;
  readonly folding: number;
  /** Processor time of all its threads, seconds. */
  readonly processor: number;
  /** Largest memory in use, MiB; the log is mapped, so what was read of it counts. */
  readonly memory: number;
}

process.on('message', ({ log, projections }: { log: string; projections: string }) =>
  process.send?.(run(log, projections)),
);
process.on('disconnect', () => process.exit());

function run(logPath: string, path: string): Rebuilt {
  const started = performance.now();
  const log = openSqliteStore({ path: logPath, readOnly: true });
  const db = openProjections(path);
  const projector = new Projector(db);
  catchUp({ log, db, projector });
  const folding = (performance.now() - started) / 1000;
  const reader = openReader(path);
  const live = new Live(reader);
  while (live.work());
  live.save(db, projector.checkpoint.position);
  reader.close();
  db.close();
  const seconds = (performance.now() - started) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return {
    events: log.head().position,
    seconds,
    folding,
    processor: (userCPUTime + systemCPUTime) / 1e6,
    memory: maxRSS / 1024,
  };
}
