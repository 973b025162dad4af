import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { PART } from '../entries/parts.ts';
import type { EntryRow } from '../entries/row.ts';
import { segmentSize } from './segments.ts';
import { recordOf, type Slot, viewDigest } from './table.ts';
import type { MakeView } from './types.ts';

export interface Made {
  readonly record: Buffer;
  readonly slot: Omit<Slot, 'address'>;
}

interface Parts {
  readonly view: ReturnType<MakeView>;
  readonly folded: string;
  readonly shared: number;
}

/** Number of additions whose order is remembered. */
const remembered = 1024;

/** The record of an entry; null if it is too long. */
export function madeOf({ id, kind, version }: EntryRow, { view, folded, shared }: Parts): Made | null {
  // Texts of megabytes are not encoded for a record that cannot be written.
  if ((view?.text.length ?? 0) + folded.length > segmentSize) return null;
  const label = Buffer.from(view === null ? '' : `${kind} ${view.link}`);
  const text = Buffer.from(view?.text ?? '', 'latin1');
  const searched = Buffer.from(folded);
  const record = recordOf(text, label, searched);
  if (record.length > segmentSize) return null;
  const lengths = { label: label.length, text: text.length, searched: searched.length };
  return { record, slot: { id, version, shared, ...lengths, digest: viewDigest(text) } };
}

const sizes = new WeakMap<DatabaseSync, StatementSync>();

/** Characters beyond which an entry has no ready answer, because making one holds up requests. */
const max = 1 << 20;

/** Whether the texts of an entry are too long for a record. Does not read them. */
export function isTooLong(id: number, db: DatabaseSync): boolean {
  const size =
    sizes.get(db) ??
    db.prepare(
      `SELECT max(e.content_parts - 1, t.content_parts - 1, 0) * ${PART}
         + coalesce((SELECT octet_length(text) FROM long_contents WHERE id = e.id AND part = 0), 0)
         + coalesce((SELECT octet_length(text) FROM long_texts WHERE id = e.id AND part = 0), 0) AS size
       FROM entries e JOIN texts t ON t.id = e.id WHERE e.id = ?`,
    );
  sizes.set(db, size);
  return Number(size.get(id)?.['size'] ?? 0) > max;
}

/** Ids that wait for work. The newest are taken first, because they are read most. */
export class Due {
  readonly #ids = new Set<number>();
  readonly #latest: number[] = [];

  get size(): number {
    return this.#ids.size;
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#ids.values();
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  add(id: number): void {
    this.#ids.add(id);
    if (this.#latest.push(id) > 2 * remembered) this.#latest.splice(0, remembered);
  }

  delete(id: number): void {
    this.#ids.delete(id);
  }

  /** Up to `count` ids, which stay until they are deleted; none if nothing waits. */
  next(count: number): number[] {
    const latest = new Set(this.#latest.splice(-count).filter((id) => this.#ids.has(id)));
    return latest.size > 0 ? [...latest] : this.#ids.values().take(count).toArray();
  }
}

/** Up to `max` of some ids. */
export function firstOf(ids: Iterable<number>, max: number): number[] {
  const taken: number[] = [];
  for (const id of ids) if (taken.push(id) === max) break;
  return taken;
}
