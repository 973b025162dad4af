import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { all } from './all.ts';
import type { Projection } from './projection.ts';

/** Raise it when something changes that is not part of one projection. */
const format = 1;

/** Different for every set of projections and of their versions: another one is rebuilt at the next start. */
export const projectionsVersion = crc32([format, ...all.map(({ name, version }) => `${name} ${version}`)].join('\n'));

const checkpoint = `
CREATE TABLE checkpoint (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  next_id INTEGER NOT NULL,
  next_ord INTEGER NOT NULL,
  next_term INTEGER NOT NULL,
  next_user INTEGER NOT NULL,
  next_comment INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
`;
const lateIndexes = all.map((projection) => projection.lateIndexes).join('');

/** Names of the tables of a projection. */
export function tablesOf({ tables }: Projection): readonly string[] {
  return [...tables.matchAll(/CREATE TABLE (\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** Creates the empty tables. */
export function createTables(db: DatabaseSync): void {
  db.exec(checkpoint + all.map(({ tables }) => tables).join('') + lateIndexes);
}

/** Creates those indexes that a replay left away. */
export function createLateIndexes(db: DatabaseSync): void {
  db.exec(lateIndexes);
}

/** Drops the indexes that a long replay need not keep up to date. */
export function dropLateIndexes(db: DatabaseSync): void {
  for (const [, name] of lateIndexes.matchAll(/IF NOT EXISTS (\w+)/g)) db.exec(`DROP INDEX IF EXISTS ${name}`);
}
