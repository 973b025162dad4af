import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EntryFacets, EntryTexts, Goods } from '../collection/types.ts';
import {
  type EntryRow,
  entryColumns,
  fromValues,
  type SqlValue,
  type Texts,
  toIds,
  toValues,
  type Written,
} from './row.ts';

const columns = entryColumns.join(', ');
const facetColumns =
  'ord, id, kind, status, slug, author, date, modified, title, password, format, sticky, parent, menu_order, categories, tags, goods';
const marks = entryColumns.map(() => '?').join(', ');

/** Reads and writes entries and their texts on one connection. */
export class EntryTable {
  readonly #row: StatementSync;
  readonly #texts: StatementSync;
  readonly #written: StatementSync;
  readonly #searched: StatementSync;
  readonly #facets: StatementSync;
  readonly #touchedAfter: StatementSync;
  readonly #idsAfter: StatementSync;
  readonly #lostAfter: StatementSync;
  readonly #changedAfter: StatementSync;
  readonly #published: StatementSync;
  readonly #withSlug: StatementSync;
  readonly #idsBySlug: StatementSync;
  readonly #named: StatementSync;
  readonly #children: StatementSync;
  readonly #due: StatementSync;
  readonly #nextDue: StatementSync;
  readonly #classified: StatementSync;
  readonly #featuring: StatementSync;
  readonly #templated: StatementSync;
  #writes: ReturnType<typeof prepareWrites> | undefined;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    const prepare = (sql: string): StatementSync => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    this.#db = db;
    this.#row = prepare(`SELECT ${columns} FROM entries WHERE id = ?`);
    this.#searched = prepare(
      'SELECT e.title, t.content, t.excerpt FROM entries e JOIN texts t ON t.id = e.id WHERE e.id = ?',
    );
    this.#texts = prepare('SELECT content, excerpt FROM texts WHERE id = ?');
    this.#written = prepare(
      'SELECT content, excerpt, title_at, content_at, excerpt_at, footnotes_at FROM texts WHERE id = ?',
    );
    this.#facets = prepare(`SELECT ${facetColumns} FROM entries INDEXED BY entries_facets ORDER BY ord`);
    this.#touchedAfter = prepare('SELECT id FROM entries WHERE touched > ?');
    this.#idsAfter = prepare('SELECT id FROM entries WHERE id > ? ORDER BY id LIMIT ?');
    this.#lostAfter = prepare('SELECT id FROM lost_entries WHERE position > ?');
    this.#changedAfter = prepare(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM entries WHERE touched > ?1 LIMIT ?2))
         + (SELECT count(*) FROM (SELECT 1 FROM lost_entries WHERE position > ?1 LIMIT ?2))`,
    );
    this.#published = prepare("SELECT categories, tags FROM entries WHERE id = ? AND status = 'publish'");
    this.#withSlug = prepare('SELECT 1 FROM entries WHERE slug = ? AND kind = ? AND id <> ? AND (? < 0 OR parent = ?)');
    this.#idsBySlug = prepare('SELECT id FROM entries WHERE slug = ? AND kind = ?');
    this.#named = prepare('SELECT id FROM entries WHERE slug = ? ORDER BY id');
    this.#children = prepare('SELECT id FROM entries WHERE parent = ? AND parent <> 0');
    this.#due = prepare("SELECT id FROM entries WHERE status = 'future' AND date_gmt <= ? ORDER BY date_gmt, id");
    this.#nextDue = prepare("SELECT min(date_gmt) FROM entries WHERE status = 'future'");
    this.#featuring = prepare('SELECT id FROM entries WHERE featured_media = ? AND featured_media <> 0 ORDER BY id');
    this.#templated = prepare("SELECT id FROM entries WHERE template = ? AND template <> '' ORDER BY id");
    this.#classified = prepare(
      "SELECT id FROM entries WHERE instr(',' || categories || ',', ?) OR instr(',' || tags || ',', ?) ORDER BY id",
    );
  }

  row(id: number): EntryRow | undefined {
    const values = this.#row.get(id) as unknown as SqlValue[] | undefined;
    return values === undefined ? undefined : fromValues(values);
  }

  texts(id: number): Texts | undefined {
    const values = this.#texts.get(id) as unknown as [string, string] | undefined;
    return values === undefined ? undefined : { content: values[0], excerpt: values[1] };
  }

  /** The long texts, and where all texts are in the log. */
  written(id: number): Written | undefined {
    const values = this.#written.get(id) as unknown as WrittenValues | undefined;
    if (values === undefined) return undefined;
    const [content, excerpt, ...at] = values;
    return { texts: { content, excerpt }, places: { title: at[0], content: at[1], excerpt: at[2], footnotes: at[3] } };
  }

  /** All that is searched of an entry. */
  searched(id: number): EntryTexts | undefined {
    const values = this.#searched.get(id) as unknown as [string, string, string] | undefined;
    return values === undefined ? undefined : { title: values[0], content: values[1], excerpt: values[2] };
  }

  /** What collections need to know of every entry, in order of creation. */
  *facets(): Iterable<EntryFacets> {
    for (const values of this.#facets.iterate()) yield toFacets(values as unknown as SqlValue[]);
  }

  /** Whether another entry of the kind has the slug; below one parent only when `parent` is not negative. */
  slugTaken(slug: string, owner: { kind: string; id: number; parent: number }): boolean {
    return this.#withSlug.get(slug, owner.kind, owner.id, owner.parent, owner.parent) !== undefined;
  }

  idsBySlug(kind: string, slug: string): number[] {
    return ids(this.#idsBySlug.all(slug, kind));
  }

  /** Entries of all kinds with exactly this slug. */
  named(slug: string): number[] {
    return ids(this.#named.all(slug));
  }

  children(parent: number): number[] {
    return ids(this.#children.all(parent));
  }

  /** Scheduled entries whose time (UTC) has come, in that order. */
  due(gmt: string): number[] {
    return ids(this.#due.all(gmt));
  }

  /** When the next scheduled entry is due, UTC; null when there is none. */
  nextDue(): string | null {
    const [next] = this.#nextDue.get() as unknown as [string | null];
    return next;
  }

  withTerm(term: number): number[] {
    const needle = `,${term},`;
    return ids(this.#classified.all(needle, needle));
  }

  /** Entries that feature an image. */
  featuring(image: number): number[] {
    return ids(this.#featuring.all(image));
  }

  /** Entries that are shown by a template. */
  templated(template: string): number[] {
    return ids(this.#templated.all(template));
  }

  touchedAfter(position: number): number[] {
    return ids(this.#touchedAfter.all(position));
  }

  /** The next ids after one, in order. */
  idsAfter(id: number, limit: number): number[] {
    return ids(this.#idsAfter.all(id, limit));
  }

  /** Entries that have been deleted since a position. */
  lostAfter(position: number): number[] {
    return ids(this.#lostAfter.all(position));
  }

  /** How many entries events since a position concern; counting stops somewhere beyond `limit`. */
  changedAfter(position: number, limit: number): number {
    const [count] = this.#changedAfter.get(position, limit + 1) as unknown as [number];
    return count;
  }

  /** Terms of an entry if it is published. */
  published(id: number): readonly number[] {
    const found = this.#published.get(id) as unknown as [string, string] | undefined;
    return found === undefined ? [] : [...toIds(found[0]), ...toIds(found[1])];
  }

  /** Notes that an entry is deleted. */
  lose(id: number, position: number): void {
    this.#write().lose.run(position, id);
  }

  save(row: EntryRow): void {
    this.#write().entry.run(...toValues(row));
  }

  saveTexts(id: number, { texts: { content, excerpt }, places: at }: Written): void {
    this.#write().texts.run(id, excerpt, content, at.title, at.content, at.excerpt, at.footnotes);
  }

  remove(id: number): void {
    const { removeEntry, removeTexts } = this.#write();
    removeEntry.run(id);
    removeTexts.run(id);
  }

  #write(): ReturnType<typeof prepareWrites> {
    this.#writes ??= prepareWrites(this.#db);
    return this.#writes;
  }
}

type WrittenValues = readonly [string, string, number, number, number, number];

function prepareWrites(db: DatabaseSync) {
  return {
    entry: db.prepare(`INSERT OR REPLACE INTO entries (${columns}) VALUES (${marks})`),
    texts: db.prepare('INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?, ?)'),
    lose: db.prepare('INSERT OR REPLACE INTO lost_entries VALUES (?, ?)'),
    removeEntry: db.prepare('DELETE FROM entries WHERE id = ?'),
    removeTexts: db.prepare('DELETE FROM texts WHERE id = ?'),
  };
}

function ids(rows: unknown[]): number[] {
  return (rows as [number][]).map(([id]) => id);
}

function toFacets(v: readonly SqlValue[]): EntryFacets {
  const facets = {
    ord: v[0] as number,
    id: v[1] as number,
    kind: v[2] as string,
    status: v[3] as string,
    slug: v[4] as string,
    author: v[5] as number,
    date: v[6] as string,
    modified: v[7] as string,
    title: v[8] as string,
    protected: v[9] !== '',
    format: v[10] as string,
    sticky: v[11] === 1,
    parent: v[12] as number,
    menuOrder: v[13] as number,
    // Put together by `concat`, which leaves no room for more: this is kept for every entry.
    terms: toIds(v[14] as string).concat(toIds(v[15] as string)),
  };
  return v[16] === null ? facets : { ...facets, goods: JSON.parse(v[16] as string) as Goods };
}
