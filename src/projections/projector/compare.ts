import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { renderedColumns } from '../entries/values.ts';
import { all } from './all.ts';
import { tablesOf } from './followers.ts';

export interface TableDifference {
  readonly table: string;
  /** Numbers of rows that only the other table has, and that only this one has. */
  readonly missing: number;
  readonly surplus: number;
  readonly changed: number;
  readonly examples: readonly string[];
}

const aside = all.flatMap((projection) => (projection.isCompared ? [] : tablesOf(projection)));
const maxExamples = 5;

/** Names of the tables whose rows follow from the log alone, in a database and in another attached to it. */
export function comparedTables(db: DatabaseSync, other: string): string[] {
  return [...new Set([...tablesIn(db, 'main'), ...tablesIn(db, other)])]
    .filter((name) => !aside.includes(name))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** Compares a table of the database, row by row, with the table of the same name in an attached one. Returns null when they are equal. */
export function compareTable(db: DatabaseSync, table: string, other: string): TableDifference | null {
  const [isHere, isThere] = ['main', other].map((side) => tablesIn(db, side).includes(table));
  if (!isHere) return { ...none, table, missing: countOf(db, other, table), examples: ['the table is missing'] };
  if (!isThere) return { ...none, table, surplus: countOf(db, 'main', table), examples: ['there is no such table'] };
  const info = db.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid').all(table);
  const columns = info.map(({ name }) => String(name));
  const key = info.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name));
  const of = (side: string, names: readonly string[]) => names.map((name) => `${side}.${name}`).join();
  const same = key.map((name) => `a.${name} = b.${name}`).join(' AND ');
  const onlyIn = (one: string, two: string) =>
    `SELECT ${of('a', key)} FROM ${one}.${table} a
     WHERE NOT EXISTS (SELECT 1 FROM ${two}.${table} b WHERE ${same})`;
  const compared = (side: string) => {
    if (table !== 'entries') return of(side, columns);
    return columns
      .map((name) => (renderedColumns.includes(name) ? ifRendered(`${side}.${name}`) : `${side}.${name}`))
      .join();
  };
  const missing = keys(db, onlyIn(other, 'main'));
  const surplus = keys(db, onlyIn('main', other));
  const changed = keys(
    db,
    `SELECT ${of('a', key)} FROM main.${table} a JOIN ${other}.${table} b ON ${same}
     WHERE (${compared('a')}) IS NOT (${compared('b')})`,
  );
  const examples = [...changed.first, ...missing.first, ...surplus.first].slice(0, maxExamples);
  if (examples.length === 0) return null;
  return { table, missing: missing.count, surplus: surplus.count, changed: changed.count, examples };
}

/** Texts are rendered on demand: rows that only one side has rendered do not differ by that. */
function ifRendered(column: string): string {
  return `iif(a.title_json = '' OR b.title_json = '', NULL, ${column})`;
}

const none = { missing: 0, surplus: 0, changed: 0 };

function tablesIn(db: DatabaseSync, side: string): string[] {
  // The shadow tables of virtual tables depend on how writes were grouped.
  const tables = db.prepare("SELECT name FROM pragma_table_list WHERE schema = ? AND type = 'table'").all(side);
  return tables.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
}

function countOf(db: DatabaseSync, side: string, table: string): number {
  return Number(db.prepare(`SELECT count(*) AS count FROM ${side}.${table}`).get()?.['count']);
}

function keys(db: DatabaseSync, query: string): { readonly count: number; readonly first: readonly string[] } {
  const first: string[] = [];
  let count = 0;
  for (const row of db.prepare(query).iterate()) {
    if (count++ < maxExamples) first.push(Object.values(row).map(textOf).join(' '));
  }
  return { count, first };
}

function textOf(value: SQLOutputValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
