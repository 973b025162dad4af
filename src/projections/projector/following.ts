import type { DatabaseSync } from 'node:sqlite';
import type { Following, Projection } from '../kernel/projection.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { following } from './all.ts';

/** Positions up to which following projections contain the log, by name. */
export type Positions = ReadonlyMap<string, number>;

const table = `
CREATE TABLE IF NOT EXISTS following (
  name TEXT PRIMARY KEY, version INTEGER NOT NULL, tables TEXT NOT NULL, position INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT`;

export function tablesOf({ tables }: Pick<Projection, 'tables'>): readonly string[] {
  return [...tables.matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, name]) => name ?? []);
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
  db.exec(projection.lateIndexes);
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
