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
  const label = Buffer.from(view === null ? '' : `${kind} ${view.link}`);
  const text = Buffer.from(view?.text ?? '', 'latin1');
  const searched = Buffer.from(folded);
  const record = recordOf(text, label, searched);
  if (record.length > segmentSize) return null;
  const lengths = { label: label.length, text: text.length, searched: searched.length };
  return { record, slot: { id, version, shared, ...lengths, digest: viewDigest(text) } };
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
