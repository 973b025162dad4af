import type { DatabaseSync } from 'node:sqlite';
import { onceInTurn } from '#text/suspended.ts';
import type { EntryRow, WrittenRow } from './row.ts';

/** What is only partly written, with the checksums of the written parts. */
export interface Pending<T> {
  readonly value: T;
  readonly parts: readonly number[];
}

/** Reads a part of a text; other work may run between two parts. */
export type PartOf = <T>(part: number, find: () => T) => T;

interface Beside {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

interface Kept<T> {
  readonly id: number;
  readonly key: number;
  readonly value: T;
}

/**
 * Long texts of entries on one connection, shared by all readers and writers on it: those that a transaction has still to write, and the
 * ones read last, until the memory is collected.
 */
export class LongTexts {
  readonly rows = new Map<number, Pending<EntryRow>>();
  readonly written = new Map<number, Pending<WrittenRow>>();
  /** Rows rewritten in the current transaction without their contents, which are stored under earlier, committed positions. */
  #beside: readonly Beside[] = [];
  #content: WeakRef<Kept<readonly string[]>> | null = null;
  #text: WeakRef<Kept<string>> | null = null;

  get isPending(): boolean {
    return this.rows.size > 0 || this.written.size > 0;
  }

  /** The rendered content of an entry, in parts. `touched`: of the row; identifies the version of the content. */
  contentOf(id: number, touched: number, read: (partOf: PartOf) => readonly string[]): readonly string[] {
    // Content written by this transaction is in memory; any other belongs to a committed position and never changes.
    const written = this.#beside.find((one) => one.id === id && one.to === touched)?.from ?? touched;
    const partOf: PartOf = (part, find) => onceInTurn(`content ${id} ${written} ${part}`, find);
    // The same strings however often the work is repeated: results for them are found at once.
    const find = () => onceInTurn(`content ${id} ${written}`, () => read(partOf));
    const content = kept(this.#content, id, touched, find);
    this.#content = new WeakRef(content);
    return content.value;
  }

  /** Records that a row has changed while its rendered content has not. */
  keepContent(id: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const content = this.#content?.deref();
    if (content?.id === id && content.key === from) this.#content = new WeakRef({ ...content, key: to });
    const written = this.#beside.find((one) => one.id === id && one.to === from)?.from ?? from;
    this.#beside = [...this.#beside, { id, from: written, to }];
  }

  settle(): void {
    this.#beside = [];
  }

  /** The content of an entry as written. `at`: its position in the log, which identifies the version. */
  textOf(id: number, at: number, read: (partOf: PartOf) => string): string {
    const partOf: PartOf = (part, find) => onceInTurn(`text ${id} ${at} ${part}`, find);
    const text = kept(this.#text, id, at, () => onceInTurn(`text ${id} ${at}`, () => read(partOf)));
    this.#text = new WeakRef(text);
    return text.value;
  }

  forget(position: number): void {
    const isLater = (at: number) => at > position;
    this.#beside = this.#beside.filter(({ to }) => !isLater(to));
    const isOutdated = (one: Kept<unknown> | undefined) => one !== undefined && isLater(one.key);
    if (isOutdated(this.#content?.deref())) this.#content = null;
    if (isOutdated(this.#text?.deref())) this.#text = null;
  }
}

const byConnection = new WeakMap<DatabaseSync, LongTexts>();

export function longTextsOf(db: DatabaseSync): LongTexts {
  const known = byConnection.get(db);
  if (known !== undefined) return known;
  const made = new LongTexts();
  byConnection.set(db, made);
  return made;
}

function kept<T>(ref: WeakRef<Kept<T>> | null, id: number, key: number, read: () => T): Kept<T> {
  const before = ref?.deref();
  return before?.id === id && before.key === key ? before : { id, key, value: read() };
}
