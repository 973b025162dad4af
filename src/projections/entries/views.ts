import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Changes } from '../projector.ts';
import type { EntryRow } from './row.ts';
import { EntryTable } from './store.ts';

/** What everybody is sent of a public entry, ready to be sent. */
export interface View {
  /** The whole record as JSON text in ASCII. */
  readonly text: string;
  /** Digest of the text. */
  readonly digest: string;
  /** The entry's permalink. */
  readonly link: string;
}

export interface StoredView extends View {
  readonly id: number;
  readonly kind: string;
  /** Position of the last event that changed the entry. */
  readonly version: number;
}

/** Makes the view of an entry; null where not everybody may see it, or where more goes into it than is looked at here. */
export type MakeView = (row: EntryRow) => View | null;

export interface ViewsOptions {
  /** For writing; used only while nobody else has a transaction on it. */
  readonly db: DatabaseSync;
  readonly reader: DatabaseSync;
  readonly make: MakeView;
  /** Where the projections stand. */
  readonly position: number;
}

/** Entries whose views are made in one go. */
const slice = 64;

/**
 * Keeps the views of public entries ready in the projections file. They are made in idle time, so that no write
 * waits for them; an entry that changed has none until then, and is answered from its row.
 */
export class Views {
  readonly #db: DatabaseSync;
  readonly #entries: EntryTable;
  readonly #reader: DatabaseSync;
  readonly #make: MakeView;
  readonly #one: StatementSync;
  readonly #several = new Map<number, StatementSync>();
  /** Entries that changed since their view was made. */
  readonly #due: Set<number>;
  /** Views made before something changed that many entries show do not count. */
  #shared: number;
  /** Everything up to here has been looked at since `#shared`. */
  #cursor = 0;
  #position: number;
  #saved = false;

  constructor({ db, reader, make, position }: ViewsOptions) {
    this.#db = db;
    this.#reader = reader;
    this.#entries = new EntryTable(reader);
    this.#make = make;
    this.#position = position;
    this.#one = this.#select('WHERE id = ? AND shared = ?');
    const state = reader.prepare('SELECT position, shared, site FROM views_state').get();
    const covered = Number(state?.['position'] ?? 0);
    const same = state !== undefined && state['site'] === this.#site() && !this.#termsTouchedAfter(covered);
    this.#shared = same ? Number(state['shared']) : position;
    this.#due = new Set(same ? this.#entries.touchedAfter(covered) : []);
    if (same) this.#cursor = Number.MAX_SAFE_INTEGER;
  }

  get(id: number): StoredView | undefined {
    if (this.#due.has(id)) return undefined;
    const values = this.#one.get(id, this.#shared) as unknown as Values | undefined;
    return values === undefined ? undefined : toView(values);
  }

  /** Those of the given ids that are ready, by id. */
  of(ids: readonly number[]): Map<number, StoredView> {
    const found = new Map<number, StoredView>();
    const asked = this.#due.size === 0 ? ids : ids.filter((id) => !this.#due.has(id));
    if (asked.length === 0) return found;
    for (const values of this.#statementFor(asked.length).all(...asked, this.#shared) as unknown as Values[]) {
      found.set(values[0], toView(values));
    }
    return found;
  }

  /** Takes note of a commit that everybody sees now. */
  note(changes: Changes, position: number): void {
    this.#position = position;
    this.#saved = false;
    for (const id of changes.entries) this.#due.add(id);
    if (!changes.shared) return;
    this.#shared = position;
    this.#cursor = 0;
  }

  /** Makes some of the views that are due; false when there is nothing to do or the file is busy. */
  work(): boolean {
    if (this.#db.isTransaction) return false;
    const ids = this.#next();
    if (ids.length === 0 && this.#saved) return false;
    const made = ids.map((id): [number, EntryRow | undefined] => [id, this.#entries.row(id)]);
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      for (const [id, row] of made) this.#write(id, row);
      for (const id of ids) this.#due.delete(id);
      if (this.#due.size === 0 && this.#cursor === Number.MAX_SAFE_INTEGER) this.#save();
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
    return ids.length > 0;
  }

  #next(): number[] {
    const due: number[] = [];
    for (const id of this.#due) if (due.push(id) === slice) return due;
    if (due.length > 0 || this.#cursor === Number.MAX_SAFE_INTEGER) return due;
    const ids = this.#reader
      .prepare('SELECT id FROM entries WHERE id > ? ORDER BY id LIMIT ?')
      .all(this.#cursor, slice)
      .map((row) => Number(row['id']));
    this.#cursor = ids.at(-1) ?? Number.MAX_SAFE_INTEGER;
    return ids;
  }

  #write(id: number, row: EntryRow | undefined): void {
    const view = row === undefined ? null : this.#make(row);
    if (row === undefined || view === null) this.#db.prepare('DELETE FROM views WHERE id = ?').run(id);
    else {
      this.#db
        .prepare('INSERT OR REPLACE INTO views VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(id, row.kind, row.version, this.#shared, view.digest, view.link, view.text);
    }
  }

  #save(): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO views_state VALUES (1, ?, ?, ?)')
      .run(this.#position, this.#shared, this.#site());
    this.#saved = true;
  }

  #site(): string {
    return String(this.#reader.prepare('SELECT settings FROM site').get()?.['settings'] ?? '');
  }

  #termsTouchedAfter(position: number): boolean {
    return this.#reader.prepare('SELECT 1 FROM terms WHERE touched > ? LIMIT 1').get(position) !== undefined;
  }

  #statementFor(count: number): StatementSync {
    const known = this.#several.get(count);
    if (known !== undefined) return known;
    const statement = this.#select(`WHERE id IN (${Array(count).fill('?').join()}) AND shared = ?`);
    this.#several.set(count, statement);
    return statement;
  }

  #select(condition: string): StatementSync {
    const statement = this.#reader.prepare(`SELECT id, kind, version, digest, link, text FROM views ${condition}`);
    statement.setReturnArrays(true);
    return statement;
  }
}

type Values = readonly [number, string, number, string, string, string];

function toView([id, kind, version, digest, link, text]: Values): StoredView {
  return { id, kind, version, digest, link, text };
}
