import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Bodies, type EntryRow, entryColumns, fromValues, type SqlValue, toValues } from './row.ts';

const columns = entryColumns.join(', ');
const marks = entryColumns.map(() => '?').join(', ');

/** Reads and writes entries and their texts on one connection. */
export class EntryTable {
  readonly #row: StatementSync;
  readonly #bodies: StatementSync;
  readonly #rows: StatementSync;
  readonly #touchedAfter: StatementSync;
  readonly #withSlug: StatementSync;
  readonly #idsBySlug: StatementSync;
  readonly #children: StatementSync;
  readonly #due: StatementSync;
  readonly #nextDue: StatementSync;
  readonly #classified: StatementSync;
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
    this.#bodies = prepare(
      'SELECT content, excerpt, footnotes, title_json, excerpt_json, content_json FROM bodies WHERE id = ?',
    );
    this.#rows = prepare(`SELECT ${columns} FROM entries`);
    this.#touchedAfter = prepare('SELECT id FROM entries WHERE touched > ?');
    this.#withSlug = prepare('SELECT 1 FROM entries WHERE slug = ? AND kind = ? AND id <> ? AND (? < 0 OR parent = ?)');
    this.#idsBySlug = prepare('SELECT id FROM entries WHERE slug = ? AND kind = ?');
    this.#children = prepare('SELECT id FROM entries WHERE parent = ? AND parent <> 0');
    this.#due = prepare("SELECT id FROM entries WHERE status = 'future' AND date_gmt <= ? ORDER BY date_gmt, id");
    this.#nextDue = prepare("SELECT min(date_gmt) FROM entries WHERE status = 'future'");
    this.#classified = prepare(
      "SELECT id FROM entries WHERE instr(',' || categories || ',', ?) OR instr(',' || tags || ',', ?) ORDER BY id",
    );
  }

  row(id: number): EntryRow | undefined {
    const values = this.#row.get(id) as unknown as SqlValue[] | undefined;
    return values === undefined ? undefined : fromValues(values);
  }

  bodies(id: number): Bodies | undefined {
    const v = this.#bodies.get(id) as unknown as string[] | undefined;
    if (v === undefined) return undefined;
    const [content = '', excerpt = '', footnotes = '', titleJson = '', excerptJson = '', contentJson = ''] = v;
    return { content, excerpt, footnotes, titleJson, excerptJson, contentJson };
  }

  *rows(): Iterable<EntryRow> {
    for (const values of this.#rows.iterate()) yield fromValues(values as unknown as SqlValue[]);
  }

  /** Whether another entry of the kind has the slug; below one parent only when `parent` is not negative. */
  slugTaken(slug: string, owner: { kind: string; id: number; parent: number }): boolean {
    return this.#withSlug.get(slug, owner.kind, owner.id, owner.parent, owner.parent) !== undefined;
  }

  idsBySlug(kind: string, slug: string): number[] {
    return ids(this.#idsBySlug.all(slug, kind));
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

  touchedAfter(position: number): number[] {
    return ids(this.#touchedAfter.all(position));
  }

  save(row: EntryRow): void {
    this.#write().entry.run(...toValues(row));
  }

  saveBodies(id: number, bodies: Bodies): void {
    const { footnotes, excerpt, content, titleJson, excerptJson, contentJson } = bodies;
    this.#write().bodies.run(id, footnotes, excerpt, content, titleJson, excerptJson, contentJson);
  }

  remove(id: number): void {
    const { removeEntry, removeBodies, removeRevisions } = this.#write();
    removeEntry.run(id);
    removeBodies.run(id);
    removeRevisions.run(id);
  }

  saveRevision(revision: {
    id: number;
    parent: number;
    author: number;
    position: number;
    date: string;
    dateGmt: string;
  }): void {
    const { id, parent, author, position, date, dateGmt } = revision;
    this.#write().revision.run(id, parent, author, position, date, dateGmt);
  }

  #write(): ReturnType<typeof prepareWrites> {
    this.#writes ??= prepareWrites(this.#db);
    return this.#writes;
  }
}

function prepareWrites(db: DatabaseSync) {
  return {
    entry: db.prepare(`INSERT OR REPLACE INTO entries (${columns}) VALUES (${marks})`),
    bodies: db.prepare('INSERT OR REPLACE INTO bodies VALUES (?, ?, ?, ?, ?, ?, ?)'),
    revision: db.prepare('INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?, ?, ?)'),
    removeEntry: db.prepare('DELETE FROM entries WHERE id = ?'),
    removeBodies: db.prepare('DELETE FROM bodies WHERE id = ?'),
    removeRevisions: db.prepare('DELETE FROM revisions WHERE parent = ?'),
  };
}

function ids(rows: unknown[]): number[] {
  return (rows as [number][]).map(([id]) => id);
}
