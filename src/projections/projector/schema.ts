import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { areas } from '#catalogue/areas.ts';
import { isOfPackage } from '#domain/kernel/codec.ts';
import { all, immediate } from './all.ts';
import { renewFollowing } from './following.ts';

/** To be raised for changes that belong to no single projection. */
const format = 1;

/**
 * Identifies the immediate projections and areas of packages, with their versions. Files with another number are rebuilt at the next
 * start. Following projections have versions of their own.
 */
export const projectionsVersion = crc32(
  [
    format,
    ...immediate.map(({ name, version }) => `${name} ${version}`),
    ...areas.flatMap(({ name, version = 1 }) => (isOfPackage(name) ? `${name} ${version}` : [])),
  ].join('\n'),
);

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

export function createTables(db: DatabaseSync): void {
  db.exec(checkpoint + immediate.map(({ tables }) => tables).join(''));
  renewFollowing(db);
  db.exec(lateIndexes);
}

export function createLateIndexes(db: DatabaseSync): void {
  db.exec(lateIndexes);
}

/** Drops the indexes that a long replay need not maintain. */
export function dropLateIndexes(db: DatabaseSync): void {
  for (const [, name] of lateIndexes.matchAll(/IF NOT EXISTS (\w+)/g)) db.exec(`DROP INDEX IF EXISTS ${name}`);
}
