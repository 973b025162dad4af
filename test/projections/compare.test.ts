import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparedTables, compareTable } from '#projections/projector/compare.ts';
import { openProjections } from '#projections/projector/database.ts';
import { temporaryDirectory } from '../support/temporary.ts';

type Rows = Readonly<Record<string, string | null>>;

/** Two databases with a table of keys and values, the second attached to the first. */
function both(one: Rows, other: Rows): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec("ATTACH ':memory:' AS fresh");
  for (const [side, rows] of [
    ['main', one],
    ['fresh', other],
  ] as const) {
    db.exec(`CREATE TABLE ${side}.things (key TEXT PRIMARY KEY, value TEXT)`);
    const insert = db.prepare(`INSERT INTO ${side}.things VALUES (?, ?)`);
    for (const [key, value] of Object.entries(rows)) insert.run(key, value);
  }
  return db;
}

const rows = fc.dictionary(fc.constantFrom(...'abcdefghij'), fc.constantFrom('x', 'y', '', null));

describe('the comparison of two projections', () => {
  it('counts missing, surplus and changed rows, and distinguishes an empty value from null', () => {
    fc.assert(
      fc.property(rows, rows, (one, other) => {
        const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
        const count = (is: (key: string) => boolean) => [...keys].filter(is).length;
        const missing = count((key) => !(key in one));
        const surplus = count((key) => !(key in other));
        const changed = count((key) => key in one && key in other && one[key] !== other[key]);
        const found = compareTable(both(one, other), 'things', 'fresh');
        if (missing + surplus + changed === 0) expect(found).toBeNull();
        else expect(found).toMatchObject({ table: 'things', missing, surplus, changed });
        expect(found?.examples ?? []).toHaveLength(Math.min(5, missing + surplus + changed));
      }),
    );
  });

  it('covers every table except those built in idle time', () => {
    const db = openProjections(join(temporaryDirectory(), 'projections.db'));
    const all = db.prepare("SELECT name, type FROM pragma_table_list WHERE schema = 'main'").all();
    const left = all.filter(({ name }) => !comparedTables(db, 'main').includes(String(name)));
    // Virtual tables and their shadow tables follow from other tables, but may store rows differently.
    const plain = left.filter(({ type }) => type === 'table').map(({ name }) => String(name));
    expect(plain.sort()).toEqual(['search_index', 'sqlite_schema']);
    expect(left.filter(({ type }) => type === 'virtual').map(({ name }) => name)).toEqual(['comment_grams']);
    db.close();
  });
});
