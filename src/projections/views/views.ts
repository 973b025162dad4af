import type { DatabaseSync } from 'node:sqlite';
import { foldText } from '#text/fold.ts';
import type { EntryRow } from '../entries/row.ts';
import { EntryTable } from '../entries/store.ts';
import type { Changes } from '../kernel/changes.ts';
import type { EntryTexts } from '../kernel/collection-query.ts';
import { BufferPool } from './buffer-pool.ts';
import { Due, firstOf, type Made, madeOf } from './made.ts';
import { RecordReader } from './record-reader.ts';
import { type Saved, SavedSlots, siteIn, termsTouchedAfter } from './saved.ts';
import { Segments, segmentSize } from './segments.ts';
import { digestText, placesIn, type Slot, SlotTable, sumSize } from './table.ts';
import type { MakeView, View, ViewList, ViewsOptions } from './types.ts';

export type { MakeView, View, ViewList, ViewsOptions } from './types.ts';

/** Entries whose views are made at once. */
const slice = 32;
/** Views made before their addresses are saved. */
const saveAfter = 5000;
/** With more views due, addresses are saved only at the end. */
const maxDue = 20_000;
const done = Number.MAX_SAFE_INTEGER;
/** Bytes of records that are made in one turn and written together. */
const enough = 1 << 20;

/**
 * Keeps the views of public entries ready, in files beside the projections, and the folded texts of all entries for searches. They are
 * made in idle time, so that no write waits for them; until then a changed entry has no view and is answered from its row.
 */
export class Views {
  readonly #entries: EntryTable;
  readonly #reader: DatabaseSync;
  readonly #make: MakeView;
  readonly #version: string;
  readonly #segments: Segments;
  readonly #records: RecordReader;
  readonly #saved: SavedSlots;
  readonly #slots = new SlotTable();
  readonly #bufferPool = new BufferPool();
  readonly #due = new Due();
  readonly #stale = new Set<number>();
  readonly #moving = new Set<number>();
  #shared: number;
  /** Everything below this id has been processed since `#shared`. */
  #cursor = 0;
  #at: { readonly position: number; readonly hash: string };
  #unsaved = 0;
  #saving: Promise<void> | null = null;
  #closed = false;

  constructor({ directory, reader, make, version = '', at, hashAt, onDamage = () => undefined }: ViewsOptions) {
    this.#reader = reader;
    this.#entries = new EntryTable(reader);
    this.#make = make;
    this.#version = version;
    this.#at = { position: at.position, hash: at.hash };
    this.#shared = at.position;
    this.#segments = new Segments(directory);
    this.#records = new RecordReader(this.#segments, (id, message) => {
      this.#due.add(id);
      onDamage(message);
    });
    this.#saved = new SavedSlots(directory);
    if (!this.#takeUp(hashAt)) this.#startAnew();
  }

  get(id: number): View | undefined {
    const slot = this.#ready(id);
    if (slot === undefined) return undefined;
    const { label, searched } = placesIn(slot);
    const { bytes: record, release } = this.#bufferPool.lend(searched);
    if (!this.#records.read(slot, { into: record, at: 0, skip: 0, parts: [slot.text, slot.label] })) {
      release();
      return undefined;
    }
    const [kind = '', link = ''] = record.toString('utf8', label, label + slot.label).split(' ');
    const bytes = record.subarray(0, slot.text);
    return { kind, link, version: slot.version, digest: digestText(slot.digest), bytes, release };
  }

  /**
   * Joins views into a list, in this order. `other` supplies a view that is not ready: null leaves it out; undefined if it is too long
   * for a list in one piece, and so is the result.
   */
  list(ids: readonly number[], other: (id: number) => string | null | undefined): ViewList | undefined {
    const parts: (Slot | string)[] = [];
    for (const id of ids) {
      const part = this.#ready(id) ?? other(id);
      if (part === undefined) return undefined;
      if (part !== null) parts.push(part);
    }
    return this.#records.join(parts, this.#bufferPool) ?? this.list(ids, other);
  }

  /** The folded texts of an entry for searches; undefined if they are not ready. */
  texts(id: number): EntryTexts | undefined {
    const slot = this.#current(id);
    if (slot === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(slot.searched + sumSize);
    const place = { into: bytes, at: 0, skip: placesIn(slot).searched, parts: [slot.searched] };
    if (!this.#records.read(slot, place)) return undefined;
    const [title = '', content = '', excerpt = ''] = bytes.toString('utf8', 0, slot.searched).split('\0');
    return { title, content, excerpt };
  }

  /** Which of some folded terms occur in any text of an entry; undefined if its texts are not ready. */
  which(id: number, terms: readonly string[]): readonly boolean[] | undefined {
    const slot = this.#current(id);
    // Its texts are separated by a character that a term may contain, too.
    if (slot === undefined || terms.some((term) => term.includes('\0'))) return undefined;
    const { bytes, release } = this.#bufferPool.lend(slot.searched + sumSize);
    const place = { into: bytes, at: 0, skip: placesIn(slot).searched, parts: [slot.searched] };
    const [isRead, texts] = [this.#records.read(slot, place), bytes.subarray(0, slot.searched)];
    const found = terms.map((term) => isRead && texts.includes(term));
    release();
    return isRead ? found : undefined;
  }

  /** Reads everything kept for an entry; damaged records are rebuilt. */
  check(id: number): void {
    const slot = this.#current(id);
    if (slot === undefined) return;
    const { bytes, release } = this.#bufferPool.lend(placesIn(slot).end);
    this.#records.read(slot, { into: bytes, at: 0, skip: 0, parts: [slot.text, slot.label, slot.searched] });
    release();
  }

  /** Notes a commit that is now visible. `losing`: entries affected by a deletion. */
  note(
    changes: Changes,
    at: { readonly position: number; readonly hash: string },
    losing: readonly number[] = [],
  ): void {
    this.#at = { position: at.position, hash: at.hash };
    for (const id of changes.entries) this.#due.add(id);
    this.#unsaved += changes.entries.size;
    if (changes.shared || losing.length > maxDue) this.#startOver(at.position);
    else for (const id of losing) this.#stale.add(id);
  }

  /** Makes some of the views that are due, at most `max` and about a mebibyte. Returns false when there is nothing to do. */
  work(max = slice): boolean {
    const ids = this.#next(max);
    const made: Made[] = [];
    try {
      let size = 0;
      for (const id of ids) {
        // Left to the next turn.
        if (size >= enough) {
          this.#stale.add(id);
          continue;
        }
        const one = this.#made(id);
        if (one !== null) made.push(one);
        else this.#settle(id);
        size += one?.record.length ?? 0;
      }
    } finally {
      this.#write(made);
    }
    this.#unsaved += ids.length;
    if (this.#unsaved > saveAfter && this.#due.size + this.#stale.size < maxDue && this.#saving === null) {
      // Only time is lost: views without a saved address are made again after the next start.
      this.#save().catch(() => undefined);
    }
    return ids.length > 0;
  }

  /** Leaves no bytes of records that are outdated or no longer used. */
  async forgetDead(): Promise<void> {
    await this.#saving?.catch(() => undefined);
    for (const id of [...this.#due, ...this.#stale]) this.#drop(id);
    const unused = this.#segments.unused(this.#slots.records());
    await this.#save();
    if (!this.#closed) await this.#segments.overwrite(unused);
  }

  /** Closes the files; `save`: saves the addresses of views for the next start. */
  close({ save }: { save: boolean }): void {
    this.#closed = true;
    if (save && this.#unsaved > 0) {
      this.#segments.syncNow();
      this.#saved.writeNow(this.#snapshot());
    }
    this.#segments.close();
  }

  /** Loads what was saved. Returns false when it cannot be used. */
  #takeUp(hashAt: (position: number) => string | null): boolean {
    const saved = this.#saved.read();
    if (
      saved === null ||
      saved.site !== siteIn(this.#reader, this.#version) ||
      termsTouchedAfter(this.#reader, saved.position)
    )
      return false;
    if (saved.position > this.#at.position || hashAt(saved.position) !== saved.hash) return false;
    this.#slots.load(saved.slots);
    const isBehind = saved.position < this.#at.position;
    if (isBehind) for (const id of this.#entries.lostAfter(saved.position)) this.#slots.delete(id);
    if (!this.#segments.adopt(this.#slots.records())) return false;
    this.#shared = saved.shared;
    this.#cursor = saved.cursor;
    for (const id of saved.due) this.#due.add(id);
    if (!isBehind) return true;
    for (const id of this.#entries.touchedAfter(saved.position)) this.#stale.add(id);
    for (const id of this.#entries.writtenAfter(saved.position)) this.#due.add(id);
    return true;
  }

  /** Invalidates all views, but not the folded texts. */
  #startOver(position: number): void {
    this.#shared = position;
    this.#cursor = 0;
    this.#stale.clear();
  }

  #startAnew(): void {
    this.#saved.remove();
    this.#slots.clear();
    this.#segments.clear();
  }

  #ready(id: number): Slot | undefined {
    const slot = this.#current(id);
    if (slot === undefined || this.#stale.has(id)) return undefined;
    return slot.text > 0 && slot.shared === this.#shared ? slot : undefined;
  }

  #current(id: number): Slot | undefined {
    return this.#due.has(id) ? undefined : this.#slots.get(id);
  }

  #searched({ id, title }: EntryRow): string {
    const texts = this.#entries.texts(id);
    return texts === undefined ? '' : [title, texts.content, texts.excerpt].map(foldText).join('\0');
  }

  #next(max: number): number[] {
    const due = this.#due.next(max);
    const waiting = due.length > 0 ? due : firstOf(this.#stale, max);
    if (waiting.length > 0) return waiting;
    if (this.#cursor < done) {
      const ids = this.#entries.idsAfter(this.#cursor, max);
      this.#cursor = ids.at(-1) ?? done;
      return ids;
    }
    if (this.#moving.size === 0) this.#moveOut();
    return firstOf(this.#moving, max);
  }

  /** Moves the views out of a file of which most is unused, so that it can be removed. */
  #moveOut(): void {
    const sparse = this.#segments.sparse();
    if (sparse === undefined) return;
    for (const { id, address } of this.#slots.slots()) {
      if (Math.floor(address / segmentSize) === sparse) this.#moving.add(id);
    }
  }

  /** The record of an entry; null if it is deleted or too long. The old record is released. */
  #made(id: number): Made | null {
    this.#drop(id);
    const row = this.#entries.rendered(id);
    if (row === undefined) return null;
    return madeOf(row, { view: this.#make(row), folded: this.#searched(row), shared: this.#shared });
  }

  #drop(id: number): void {
    const old = this.#slots.get(id);
    if (old !== undefined) this.#segments.release(old.address, placesIn(old).end);
    this.#slots.delete(id);
  }

  #write(made: readonly Made[]): void {
    const addresses = this.#segments.appendAll(made.map(({ record }) => record));
    for (const [i, { slot }] of made.entries()) {
      this.#slots.set({ ...slot, address: addresses[i] as number });
      this.#settle(slot.id);
    }
  }

  #settle(id: number): void {
    this.#due.delete(id);
    this.#stale.delete(id);
    this.#moving.delete(id);
  }

  #save(): Promise<void> {
    this.#saving = this.#saveOnce().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #saveOnce(): Promise<void> {
    const segments = this.#segments;
    // Files used by the previously saved slots are kept until the new slots are saved.
    const empty = segments.empty();
    const snapshot = this.#snapshot();
    this.#unsaved = 0;
    await segments.sync();
    await this.#saved.write(snapshot, () => !this.#closed);
    if (!this.#closed) segments.remove(empty);
  }

  #snapshot(): Saved {
    const { position, hash: chain } = this.#at;
    const covers = {
      position,
      hash: chain,
      shared: this.#shared,
      cursor: this.#cursor,
      site: siteIn(this.#reader, this.#version),
    };
    return { ...covers, due: [...this.#due, ...this.#stale], slots: this.#slots.bytes().slice() };
  }
}
