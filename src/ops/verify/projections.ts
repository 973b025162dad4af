import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserAdded } from '#domain/user/events.ts';
import { isUnavailable } from '#eventstore/faults.ts';
import { type LogReader, openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { isOtherProcess } from '#process/child.ts';
import { hasSlug } from '#projections/entries/names.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { comparedTables, compareTable, type TableDifference } from '#projections/projector/compare.ts';
import { isCurrent, storedCheckpoint } from '#projections/projector/database.ts';
import { type Positions, positionsIn } from '#projections/projector/followers.ts';
import { ViewsOnDisk } from '#projections/views/intact.ts';
import type { ShownProgress, StartProgress } from '../progress.ts';
import type { VerbPlace } from '../verb.ts';
import { type Check, counted, type Findings, findingsOf, skipped } from './check.ts';
import { ReplayFailed, replayRange } from './replay.ts';

/** Name of the folder for a replay, which is large and lies beside the live projections. Contains the process id. */
const scratch = /^verify-(\d+)$/;

/** Scopes in which slugs must be unique: `from` and `by` become a query for the number of rows and the duplicates. */
const rules: readonly { readonly what: string; readonly from: string; readonly by: string }[] = [
  // Drafts may have duplicate slugs until they are published.
  { what: 'post', from: finished('post'), by: 'slug' },
  { what: 'page', from: finished('page'), by: 'slug, parent' },
  { what: 'media item', from: 'media', by: 'slug' },
  { what: 'term', from: 'terms', by: 'slug, taxonomy' },
  { what: 'user', from: `users WHERE slug <> '${UserAdded.erased.slug}'`, by: 'slug' },
];

/** Number of views between two progress reports. */
const stride = 500;
/** Maximum number of attempts when a server replaces the views meanwhile. */
const tries = 3;

/** Replays the log into temporary projections and compares the server's with them, row by row. A server may keep writing meanwhile. */
export async function checkProjections(log: LogReader, place: VerbPlace): Promise<readonly Check[]> {
  const { dataDir } = place.config;
  const folder = join(dataDir, `verify-${process.pid}`);
  for (const name of readdirSync(dataDir)) if (isLeft(name)) rmSync(join(dataDir, name), { recursive: true });
  mkdirSync(folder);
  try {
    return await check({ log, live: join(dataDir, 'projections.db'), fresh: join(folder, 'projections.db'), place });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Compared {
  readonly log: LogReader;
  readonly live: string;
  readonly fresh: string;
  readonly place: VerbPlace;
}

async function check({ log, live, fresh, place }: Compared): Promise<readonly Check[]> {
  const { config, progress, signal } = place;
  const findings = findingsOf('projections');
  const seen = placeOf(live, findings);
  if (seen === 'damaged') return [findings.end(damaged), skipped('slugs', 'see projections')];
  const position = seen?.position ?? log.top;
  // A server may have written since; the log has every event before the projections do.
  const top = topOf(join(config.dataDir, 'log.db'));
  if (position > top) {
    findings.add(`The projections have seen position ${position}, the log ends at ${top}`);
    return [findings.end('the log is shorter'), skipped('slugs', 'see projections')];
  }
  const task = progress({ name: 'replaying the log', total: position, unit: 'events' });
  let from = 0;
  const replayTo = async (to: number, followTo?: Positions) => {
    const job = { log: join(config.dataDir, 'log.db'), projections: fresh, to, ...(followTo ? { followTo } : {}) };
    await replayRange({ ...job, from, progress: task, signal });
    from = Math.max(from, to);
  };
  try {
    await replayTo(position, seen?.followTo);
    const compared =
      seen === null
        ? skipped('projections', 'none of this version; the next start makes them')
        : await compare({ live, fresh, replayTo, task, findings });
    await replayTo(log.top);
    return [compared, slugsIn(fresh, log)];
  } catch (error) {
    if (!(error instanceof ReplayFailed)) throw error;
    if (isUnavailable(error.cause))
      throw new Error(`The log could not be replayed beside the projections, in ${config.dataDir}: ${error.message}`);
    findings.add(`The log cannot be replayed: ${error.message}`);
    return [findings.end('nothing to compare with'), skipped('slugs', 'see projections')];
  } finally {
    task.end();
  }
}

interface Comparison {
  readonly live: string;
  readonly fresh: string;
  readonly replayTo: (position: number, followTo?: Positions) => Promise<void>;
  readonly task: ShownProgress;
  readonly findings: Findings;
}

async function compare({ live, fresh, replayTo, task, findings }: Comparison): Promise<Check> {
  const db = new DatabaseSync(live, { readOnly: true, timeout: 5000 });
  try {
    db.prepare('ATTACH ? AS fresh').run(fresh);
    // From here on the server's writes are invisible: the replay catches up with this snapshot.
    db.exec('BEGIN');
    const { position } = storedCheckpoint(db);
    await replayTo(position, positionsIn(db));
    const tables = comparedTables(db, 'fresh');
    for (const table of tables) {
      const difference = compareTable(db, table, 'fresh');
      if (difference !== null) findings.add(textOf(difference));
      await task.at(position);
    }
    return findings.end(`${counted(tables.length, 'tables')} as of position ${position}, row by row`);
  } catch (error) {
    if (!isDamage(error)) throw error;
    unreadable(findings, error);
    return findings.end(damaged);
  } finally {
    db.close();
  }
}

function textOf({ table, missing, surplus, changed, examples }: TableDifference): string {
  const counts = [`${missing} missing`, `${surplus} too many`, `${changed} other than the log has them`];
  return `${table}: ${counts.join(', ')} (${examples.join(', ')})`;
}

function slugsIn(path: string, log: LogReader): Check {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return checkSlugs(db, log);
  } finally {
    db.close();
  }
}

const damaged = 'the file is damaged; the next start makes it anew';

interface Reached {
  readonly position: number;
  readonly followTo: Positions;
}

function placeOf(path: string, findings: Findings): Reached | 'damaged' | null {
  if (!existsSync(path)) return null;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    return isCurrent(db) ? { position: storedCheckpoint(db).position, followTo: positionsIn(db) } : null;
  } catch (error) {
    unreadable(findings, error);
    return 'damaged';
  } finally {
    db.close();
  }
}

function unreadable(findings: Findings, error: unknown): void {
  findings.add(`The file cannot be read: ${error instanceof Error ? error.message : error}`);
}

function topOf(path: string): number {
  const log = openLogReader(path);
  try {
    return log.top;
  } finally {
    log.close();
  }
}

function isLeft(name: string): boolean {
  const id = scratch.exec(name)?.[1];
  return id !== undefined && !isOtherProcess(Number(id));
}

function finished(kind: string): string {
  return `entries WHERE kind = '${kind}' AND status NOT IN ('draft', 'pending') AND ${hasSlug}`;
}

function checkSlugs(db: DatabaseSync, log: Pick<LogReader, 'ofStream'>): Check {
  const findings = findingsOf('slugs');
  let count = 0;
  for (const { what, from, by } of rules) {
    count += Number(db.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.['count']);
    const doubled = db.prepare(
      `SELECT slug, group_concat(id) AS ids FROM (SELECT * FROM ${from}) GROUP BY ${by} HAVING count(*) > 1`,
    );
    for (const row of doubled.iterate()) {
      const ids = String(row['ids']).split(',');
      // A page that lost its parent keeps its slug below the new one.
      if (what === 'page' && ids.some((id) => hasLostParent(id, db, log))) continue;
      findings.add(`The ${what}s ${ids.join(' and ')} have the slug ${row['slug']}`);
    }
  }
  return findings.end(counted(count, 'slugs'));
}

function hasLostParent(id: string, db: DatabaseSync, log: Pick<LogReader, 'ofStream'>): boolean {
  const isLost = db.prepare('SELECT 1 FROM lost_parents WHERE id = ?');
  return log.ofStream(`entry-${id}`).some(({ type, data }) => {
    const { parent = 0 } = JSON.parse(data) as { readonly parent?: number };
    return type === 'EntryOrphaned' || isLost.get(parent) !== undefined;
  });
}

/** Checks that ready answers are unchanged since they were rendered, since they are sent without being rendered again. */
export async function checkViews(dataDir: string, progress: StartProgress): Promise<Check> {
  const views = new ViewsOnDisk(join(dataDir, 'views'));
  for (let i = 0; i < tries; i++) {
    const state = views.state();
    if (state === null) return skipped('answers', 'none are kept ready; a server makes them');
    const check = await examine(views, progress);
    // Files may have been replaced meanwhile: a finding counts only if the state is unchanged.
    if (check.result === 'ok' || views.state() === state) return check;
  }
  return skipped('answers', 'they change all the time');
}

async function examine(views: ViewsOnDisk, progress: StartProgress): Promise<Check> {
  const findings = findingsOf('answers');
  const task = progress({ name: 'checking the ready answers', total: 0, unit: 'answers' });
  let count = 0;
  try {
    for (const { id, isIntact } of views.examine()) {
      count += 1;
      if (!isIntact)
        findings.add(`The answer that is kept ready for ${id} is not what was made; "rebuild views" mends it`);
      if (count % stride === 0) await task.at(count);
    }
  } finally {
    task.end();
  }
  return findings.end(`${counted(count, 'answers')} kept ready`);
}
