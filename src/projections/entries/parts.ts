import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { remember } from '../kernel/remember.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';

/** Characters from which a text is kept in parts, separately from its row: some hundred microseconds of work. */
export const LONG = 1 << 18;
/** Characters per part: some milliseconds of work. */
export const PART = 1 << 22;

/** Number of parts in which a text is kept; 0: it is not long. */
export function partsIn(text: string): number {
  return text.length < LONG ? 0 : Math.ceil(text.length / PART);
}

export const partsColumns =
  'id INTEGER NOT NULL, part INTEGER NOT NULL, sum INTEGER NOT NULL, text BLOB NOT NULL, PRIMARY KEY (id, part)';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A table of long texts in parts, as UTF-8, each with a checksum: SQLite takes several times as long to return them as strings.
 */
export class ContentParts {
  readonly #table: string;
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #read: StatementSync;
  readonly #sums: StatementSync;
  readonly #size: StatementSync;
  #hasAny: boolean;

  constructor(db: DatabaseSync, table: string) {
    this.#table = table;
    this.#insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`);
    this.#remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
    this.#read = db.prepare(`SELECT sum, text FROM ${table} WHERE id = ? AND part = ?`);
    this.#sums = db.prepare(`SELECT sum FROM ${table} WHERE id = ? ORDER BY part`);
    this.#size = db.prepare(`SELECT TOTAL(LENGTH(text)) FROM ${table} WHERE id = ?`);
    for (const statement of [this.#read, this.#sums, this.#size]) statement.setReturnArrays(true);
    this.#hasAny = db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
  }

  /** Writes a part of a text. Returns its checksum. */
  save(id: number, part: number, text: string): number {
    this.#hasAny = true;
    const bytes = Buffer.from(text.slice(cut(text, part), cut(text, part + 1)));
    const sum = partSum(id, part, bytes);
    this.#insert.run(id, part, sum, bytes);
    return sum;
  }

  /** Throws `DamagedRow` when the part is damaged. */
  read(id: number, part: number): { readonly sum: number; readonly text: string } {
    const [sum, bytes] = (this.#read.get(id, part) ?? [null, empty]) as unknown as [number, Uint8Array];
    checkSum(sum, partSum(id, part, bytes), this.#table, id);
    return { sum, text: utf8.decode(bytes) };
  }

  /** Bytes of a text, without reading it; 0 if it is not long. */
  size(id: number): number {
    if (!this.#hasAny) return 0;
    const [bytes] = this.#size.get(id) as unknown as [number];
    return bytes;
  }

  sums(id: number): readonly number[] {
    return (this.#sums.all(id) as unknown as [number][]).map(([sum]) => sum);
  }

  remove(id: number): void {
    if (this.#hasAny) this.#remove.run(id);
  }
}

const byConnection = new WeakMap<DatabaseSync, Map<string, ContentParts>>();

/** A table of parts on a connection, shared by all who read and write it. */
export function contentPartsOf(db: DatabaseSync, table: 'long_contents' | 'long_texts'): ContentParts {
  const known = byConnection.get(db) ?? new Map<string, ContentParts>();
  byConnection.set(db, known);
  return remember(known, table, () => new ContentParts(db, table));
}

const empty = new Uint8Array();

function partSum(id: number, part: number, bytes: Uint8Array): number {
  return crc32(bytes, sumOf([id, part]));
}

/** Where a part begins: surrogate pairs are not split. */
function cut(text: string, part: number): number {
  const at = Math.min(part * PART, text.length);
  const isTorn = at > 0 && at < text.length && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isTorn ? at + 1 : at;
}
