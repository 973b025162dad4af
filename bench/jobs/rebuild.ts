/** Replays a log into new projections with the product's own code, until all texts are indexed. */
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import { openProjections, openReader } from '#projections/projector/database.ts';
import { Projector } from '#projections/projector/projector.ts';
import { Live } from '#projections/reading/live.ts';

/** The cost of a rebuild. */
export interface Rebuilt {
  readonly events: number;
  /** The whole time, and the part spent on folding and rendering. */
  readonly seconds: number;
  readonly folding: number;
  /** Processor time of all its threads, seconds. */
  readonly processor: number;
  /** Peak memory, MiB; the log is memory-mapped, so the part that was read counts. */
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
