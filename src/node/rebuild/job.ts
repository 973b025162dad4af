import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockInTurn } from '#eventstore/lock.ts';
import type { EventStore } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { lowerToIdlePriority } from '#process/idle-priority.ts';
import { reporterOf } from '#process/reporter.ts';
import { ChangeNotifier } from '#projections/kernel/changes.ts';
import { breakSeal, sealFile } from '#projections/kernel/seal.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { checkBelonging } from '#projections/projector/belonging.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import { comparedTables, compareTable, type TableDifference } from '#projections/projector/compare.ts';
import {
  loadCheckpoint,
  openProjections,
  openReader,
  projectionsVersion,
  removeProjections,
} from '#projections/projector/database.ts';
import { type Positions, positionsIn } from '#projections/projector/followers.ts';
import { Projector } from '#projections/projector/projector.ts';
import { copySearch } from '#projections/search/store.ts';
import { type Core, openCore } from '../core.ts';
import type { CoreOptions, ViewMaker } from '../core-options.ts';
import { closeEnough, job, type RebuildJob, type RebuildMessage } from './types.ts';

const maxRounds = 5;
/** How often, 50 ms apart, to retry what has to wait for another process: one at idle priority may take long to end. */
const maxTries = 1200;

let parent = 0;

/**
 * Makes projections, in a child process of its own, whose argument is the job, as JSON; it sends progress and result to the parent.
 */
export async function runAsChild(viewMaker: ViewMaker): Promise<void> {
  // Ctrl-C on a terminal reaches both processes: the parent decides when this one ends.
  process.on('SIGINT', () => undefined);
  const asked = job.parse(JSON.parse(process.argv[2] ?? '{}'));
  parent = asked.parent;
  if (asked.priority === 'idle') lowerToIdlePriority();
  try {
    // Projections in the data directory are protected by the lock of its node; those built beside them need their own.
    const isBeside = asked.steps[0] !== 'follow';
    const unlock = isBeside ? await lockInTurn(dirname(asked.path)) : () => undefined;
    if (isBeside && !breakSeal(asked.path)) removeProjections(asked.path);
    await run(asked, viewMaker);
    unlock();
  } catch (error) {
    send({ kind: 'failed', fault: error instanceof Error ? error.message : String(error) });
  }
  if (process.connected) process.disconnect?.();
}

async function run(asked: RebuildJob, viewMaker: ViewMaker): Promise<void> {
  const { steps, path, live, views } = asked;
  const isCompared = steps.includes('compare');
  let compared: Compared = { position: 0, differences: null };
  if (steps.includes('replay')) replay(asked, isCompared ? live : null);
  if (steps.includes('copy') && live !== null) copy(live, path, asked.projections);
  if (isCompared && live !== null) compared = await compare(asked.log, live, path);
  if (steps.includes('follow')) follow(asked, undefined);
  if (steps.includes('prepare')) prepare(asked, views === null ? undefined : { path: views, viewMaker });
  if (steps.includes('seal')) sealFile(path);
  send({ kind: 'done', version: projectionsVersion, ...compared });
}

function replay({ log: logPath, path: fresh, keepEvery }: RebuildJob, live: string | null): void {
  const log = openSqliteStore({ path: logPath, readOnly: true });
  if (!belongs(log, fresh)) removeProjections(fresh);
  const db = openProjections(fresh);
  // Following projections are compared at the positions of the live ones, which may be behind.
  const followTo = live === null ? {} : { followTo: followedIn(live) };
  catchUp({ log, db, projector: new Projector(db), keepEvery, ...followTo, onProgress: reporter('replaying') });
  db.close();
  log.close();
}

function followedIn(path: string): Positions {
  try {
    const db = openReader(path);
    try {
      return positionsIn(db);
    } finally {
      db.close();
    }
  } catch {
    return new Map();
  }
}

function belongs(log: EventStore, path: string): boolean {
  const db = openProjections(path);
  try {
    checkBelonging(log, loadCheckpoint(db));
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}

function copy(live: string, fresh: string, projections: RebuildJob['projections']): void {
  report('copying', { done: 0, total: 1, unit: 'files' });
  removeProjections(fresh);
  const source = new DatabaseSync(live, { readOnly: true, timeout: 5000 });
  source.prepare('VACUUM INTO ?').run(fresh);
  source.close();
  const db = openProjections(fresh);
  if (projections.includes('search')) db.exec('DELETE FROM search_index');
  db.close();
  if (!projections.includes('search')) copySearch(live, fresh);
}

async function compare(logPath: string, live: string, fresh: string): Promise<Compared> {
  const db = openProjections(fresh);
  const projector = new Projector(db);
  const both = new DatabaseSync(live, { readOnly: true, timeout: 5000 });
  both.prepare('ATTACH ? AS fresh').run(fresh);
  try {
    const position = await snapshot(both, { min: projector.checkpoint.position, followed: positionsIn(db) });
    const followTo = positionsIn(both);
    // Opened only now, so that it has everything that the live projections contain.
    const log = openSqliteStore({ path: logPath, readOnly: true });
    const max = position - projector.checkpoint.position;
    catchUp({ log, db, projector, max, followTo, onProgress: reporter('catching up') });
    log.close();
    const tables = comparedTables(both, 'fresh');
    const differences = tables.flatMap((table, done) => {
      report('comparing', { done, total: tables.length, unit: 'tables' });
      return compareOne(both, table) ?? [];
    });
    return { position, differences };
  } finally {
    both.close();
    db.close();
  }
}

function compareOne(both: DatabaseSync, table: string): TableDifference | null {
  try {
    return compareTable(both, table, 'fresh');
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { table, missing: 0, surplus: 0, changed: 0, examples: ['the file is damaged here'] };
  }
}

interface Compared {
  readonly position: number;
  readonly differences: readonly TableDifference[] | null;
}

interface Least {
  readonly min: number;
  readonly followed: Positions;
}

/** Opens a read transaction on the live rows, at or after the given positions. Returns its position. */
async function snapshot(live: DatabaseSync, { min, followed }: Least): Promise<number> {
  for (let tries = 0; tries < maxTries; tries++) {
    live.exec('BEGIN');
    const { position } = loadCheckpoint(live);
    const isThere = [...followed].every(([name, at]) => (positionsIn(live).get(name) ?? at) >= at);
    if (position >= min && isThere) return position;
    // A commit is in the log slightly before the rows show it.
    live.exec('ROLLBACK');
    await sleep(50);
  }
  throw new Error(`the live projections stay behind position ${min}`);
}

/** Catches up and does all idle work, until little has been written meanwhile. */
function prepare(asked: RebuildJob, views: CoreOptions['views']): void {
  for (let round = 0; round < maxRounds; round++) {
    const position = follow(asked, views, (core) => {
      for (let done = 0; core.work(); done++)
        if (done % 64 === 0) report('indexing', { done, total: 0, unit: 'pieces of work' });
    });
    if (headOf(asked.log) - position <= closeEnough) return;
  }
}

/** Catches up, as a node does when it opens. Returns the position reached. */
function follow(
  { log: logPath, path, names, keepEvery }: RebuildJob,
  views: CoreOptions['views'],
  work: (core: Core) => void = () => undefined,
): number {
  const log = openSqliteStore({ path: logPath, readOnly: true });
  const core = openCore({
    log,
    path,
    views,
    names,
    keepEvery,
    cacheVersions: new CacheVersions(),
    notifier: new ChangeNotifier(),
    // Nothing is written here.
    clock: () => 0,
    reporter: reporterOf({ progress: reporter('catching up') }),
    commitBytes: 0,
  });
  const { position } = core.reader;
  work(core);
  core.close({ save: true });
  log.close();
  return position;
}

function headOf(logPath: string): number {
  const log = openSqliteStore({ path: logPath, readOnly: true });
  try {
    return log.head().position;
  } finally {
    log.close();
  }
}

function reporter(name: string): (position: number, head: number) => void {
  return (done, total) => report(name, { done, total, unit: 'events' });
}

function report(name: string, amount: { done: number; total: number; unit: string }): void {
  // Ends when the parent was killed. During a replay this is the only check.
  if (process.ppid !== parent) process.exit(1);
  send({ kind: 'progress', task: { name, ...amount } });
}

function send(message: RebuildMessage): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error !== null) process.exit(1);
  });
}
