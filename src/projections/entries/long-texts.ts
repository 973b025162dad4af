import type { DatabaseSync } from 'node:sqlite';
import type { EntryRow, WrittenRow } from './row.ts';

/** What is only partly written, with the checksums of the written parts. */
export interface Pending<T> {
  readonly value: T;
  readonly parts: readonly number[];
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
  #content: WeakRef<Kept<readonly string[]>> | null = null;
  #text: WeakRef<Kept<string>> | null = null;

  get isPending(): boolean {
    return this.rows.size > 0 || this.written.size > 0;
  }

  /** The rendered content of an entry, in parts. `touched`: of the row; identifies the version of the content. */
  contentOf(id: number, touched: number, read: () => readonly string[]): readonly string[] {
    const content = kept(this.#content, id, touched, read);
    this.#content = new WeakRef(content);
    return content.value;
  }

  /** Records that a row has changed while its rendered content has not. */
  keepContent(id: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const content = this.#content?.deref();
    if (content?.id === id && content.key === from) this.#content = new WeakRef({ ...content, key: to });
  }

  /** The content of an entry as written. `at`: its position in the log, which identifies the version. */
  textOf(id: number, at: number, read: () => string): string {
    const text = kept(this.#text, id, at, read);
    this.#text = new WeakRef(text);
    return text.value;
  }

  forget(position: number): void {
    const isLater = (at: number) => at > position;
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
