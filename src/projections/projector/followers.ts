import type { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { Changes } from '../kernel/changes.ts';
import { type EventRun, type Following, type Projection, runsOf, type Tables } from '../kernel/projection.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { commitOn, createHistories, historyIndexes, historyOf } from '../kernel/versions.ts';
import { following } from './all.ts';

interface Member {
  readonly projection: Following;
  readonly carry: (run: EventRun) => void;
  position: number;
  saved: number;
}

/** Positions up to which following projections contain the log, by name. */
export type Positions = ReadonlyMap<string, number>;

/** Following projections are never further behind for long: events, and their bytes. */
const maxEvents = 64;
const maxBytes = 1_000_000;
const touching = following.filter(({ touches }) => touches.length > 0);

const table = `
CREATE TABLE IF NOT EXISTS following (
  name TEXT PRIMARY KEY, version INTEGER NOT NULL, tables TEXT NOT NULL, position INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT`;

/** The following projections on the writing connection. The caller manages transactions. */
export class Followers {
  readonly #db: DatabaseSync;
  readonly #members: readonly Member[];
  #waiting: RecordedEvent[] = [];
  #waitingBytes = 0;
  #limits: Positions = new Map();

  constructor(db: DatabaseSync, tables: Tables) {
    this.#db = db;
    const member = (projection: Following): Member => ({
      projection,
      carry: projection.carry(tables),
      position: 0,
      saved: 0,
    });
    this.#members = following.map(member);
    this.reload();
  }

  get position(): number {
    return Math.min(Number.MAX_SAFE_INTEGER, ...this.#members.map(({ position }) => position));
  }

  limit(positions: Positions): void {
    this.#limits = positions;
  }

  isBehind(position: number): boolean {
    return this.#members.some((member) => member.position < this.#end(member, position));
  }

  /** Whether they are so far behind a position that they should catch up at once. */
  isFarBehind(position: number): boolean {
    return position - this.position >= maxEvents || this.#waitingBytes >= maxBytes;
  }

  /** Keeps events that the other projections now show; `bytes`: their size. */
  note(events: readonly RecordedEvent[], bytes: number): void {
    const last = this.#waiting.at(-1)?.meta.position ?? this.position;
    if (events[0]?.meta.position !== last + 1 || this.isFarBehind(last)) {
      this.#forget();
      return;
    }
    for (const event of events) this.#waiting.push(event);
    this.#waitingBytes += bytes;
  }

  /** The events up to a position that they lack; null if these have to be read from the log. */
  missing(position: number): readonly RecordedEvent[] | null {
    return this.#waiting.at(-1)?.meta.position === position ? this.#waiting : null;
  }

  apply(events: readonly RecordedEvent[]): void {
    const last = events.at(-1)?.meta.position ?? 0;
    const moment = commitOn(this.#db);
    for (const member of this.#members) {
      const end = this.#end(member, last);
      if (end <= member.position) continue;
      const isNew = ({ meta }: RecordedEvent) => meta.position > member.position && meta.position <= end;
      for (const run of runsOf(events.filter(isNew))) {
        moment.since = run.since;
        member.carry(run);
      }
      member.position = end;
    }
    this.#forget();
  }

  save(): void {
    for (const member of this.#members) {
      if (member.saved !== member.position) savePosition(this.#db, member.projection, member.position);
      member.saved = member.position;
    }
  }

  reload(): void {
    checkFollowing(this.#db);
    const positions = positionsIn(this.#db);
    for (const member of this.#members) {
      member.position = positions.get(member.projection.name) ?? 0;
      member.saved = member.position;
    }
    this.#forget();
  }

  touch({ area, events }: EventRun, changes: Changes): void {
    for (const projection of touching) {
      if (!events.some(({ event }) => projection.concerns(area, event.type))) continue;
      for (const key of projection.touches) changes.keys.add(key);
    }
  }

  #end({ projection }: Member, position: number): number {
    return Math.min(position, this.#limits.get(projection.name) ?? position);
  }

  #forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

export function tablesOf({ tables, versioned }: Pick<Projection, 'tables' | 'versioned'>): readonly string[] {
  const own = [...tables.matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, name]) => name ?? []);
  return [
    ...own,
    ...Object.entries(versioned).flatMap(([name, how]) => (how.appendedAt === undefined ? historyOf(name) : [])),
  ];
}

/** Creates missing tables of following projections, empty, and replaces those of other versions. */
export function renewFollowing(db: DatabaseSync): void {
  db.exec(table);
  const current = following.filter((projection) => isSound(rowIn(db, projection)));
  if (current.length === following.length && rows(db).length === following.length) return;
  db.exec('BEGIN IMMEDIATE');
  for (const { name, tables } of rows(db)) {
    if (current.some((one) => one.name === name)) continue;
    for (const old of tables.split(' ')) if (/^\w+$/.test(old)) db.exec(`DROP TABLE IF EXISTS ${old}`);
    db.prepare('DELETE FROM following WHERE name = ?').run(name);
  }
  for (const projection of following) if (!current.includes(projection)) create(db, projection);
  db.exec('COMMIT');
}

/** Whether a file has exactly the following projections of this version, at any position. */
export function isFollowingCurrent(db: DatabaseSync): boolean {
  return rows(db).length === following.length && following.every((projection) => rowIn(db, projection) !== undefined);
}

export function positionsIn(db: DatabaseSync): Positions {
  return new Map(rows(db).map(({ name, position }) => [name, position]));
}

/** Throws `DamagedRow` when the position of one of them is damaged. */
export function checkFollowing(db: DatabaseSync): void {
  for (const row of rows(db)) checkSum(row.sum, sumOfRow(row), 'following', row.name);
}

export function savePosition(db: DatabaseSync, projection: Following, position: number): void {
  const row = rowOf(projection, position);
  db.prepare('UPDATE following SET position = ?, sum = ? WHERE name = ?').run(position, sumOfRow(row), row.name);
}

interface Row {
  readonly name: string;
  readonly version: number;
  readonly tables: string;
  readonly position: number;
  readonly sum: number;
}

function create(db: DatabaseSync, projection: Following): void {
  for (const old of tablesOf(projection)) db.exec(`DROP TABLE IF EXISTS ${old}`);
  db.exec(projection.tables);
  createHistories(db, projection);
  db.exec(projection.lateIndexes + historyIndexes(projection));
  const row = rowOf(projection, 0);
  db.prepare('INSERT INTO following VALUES (?, ?, ?, ?, ?)').run(...Object.values(row), sumOfRow(row));
}

function rowIn(db: DatabaseSync, { name, version }: Following): Row | undefined {
  return rows(db).find((row) => row.name === name && row.version === version);
}

function isSound(row: Row | undefined): boolean {
  return row !== undefined && row.sum === sumOfRow(row);
}

function rows(db: DatabaseSync): readonly Row[] {
  return db.prepare('SELECT * FROM following ORDER BY name').all() as unknown as Row[];
}

function rowOf(projection: Following, position: number): Omit<Row, 'sum'> {
  const { name, version } = projection;
  return { name, version, tables: tablesOf(projection).join(' '), position };
}

function sumOfRow({ name, version, tables, position }: Omit<Row, 'sum'>): number {
  return sumOf([name, version, tables, position]);
}
