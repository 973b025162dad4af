import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EntryDeletedEvent, EntryEvent } from '#domain/entry/events.ts';
import { sealedDetails } from '#domain/entry/fields.ts';
import { evolveEntry } from '#domain/entry/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { checkSum } from '../kernel/sums.ts';
import { renewEarlier, Versions } from '../kernel/versions.ts';
import { type LongTexts, longTextsOf } from './long-texts.ts';
import { type ContentParts, contentPartsOf, LONG, partsIn } from './parts.ts';
import { type RecentRows, recentRowsOf } from './recent-rows.ts';
import type { EntryRow, Rendered, WrittenRow } from './row.ts';
import {
  entryColumns,
  rowOf,
  shownSum,
  shownSumOfParts,
  textsSum,
  textsSumOfParts,
  toKept,
  toValues,
  toValuesBeside,
  versionedEntries,
} from './values.ts';

const columns = entryColumns.join(', ');
const replaced = entryColumns.map((name) => `${name} = excluded.${name}`).join(', ');
const marks = entryColumns.map(() => '?').join(', ');

const nothingRendered: Rendered = { titleJson: '', excerptJson: '', contentJson: '' };
/** What of a row is from sealed fields. */
const sealedMembers = ['title', 'footnotes', 'password', 'part', ...sealedDetails] as const;

export class EntryWrites {
  readonly #entry: StatementSync;
  readonly #texts: StatementSync;
  readonly #contents: ContentParts;
  readonly #longTexts: ContentParts;
  readonly #shown: StatementSync;
  readonly #before: StatementSync;
  readonly #textsBefore: StatementSync;
  readonly #textsBeside: StatementSync;
  readonly #shownSum: StatementSync;
  readonly #textsSum: StatementSync;
  readonly #lose: StatementSync;
  readonly #loseParent: StatementSync;
  readonly #removeEntry: StatementSync;
  readonly #removeTexts: StatementSync;
  readonly #long: LongTexts;
  readonly #recent: RecentRows;
  readonly #versions: Versions;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#versions = new Versions(db, 'entries', versionedEntries);
    this.#long = longTextsOf(db);
    this.#recent = recentRowsOf(db);
    this.#entry = db.prepare(
      `INSERT INTO entries (${columns}) VALUES (${marks}) ON CONFLICT (id) DO UPDATE SET ${replaced}`,
    );
    this.#texts = db.prepare('INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#contents = contentPartsOf(db, 'long_contents');
    this.#longTexts = contentPartsOf(db, 'long_texts');
    this.#shown = db.prepare(
      `UPDATE entries SET title_json = ?, excerpt_json = ?, content_json = ?, content_parts = ?, shown_sum = ? WHERE id = ?`,
    );
    this.#before = db.prepare('SELECT title_json, excerpt_json, touched, shown_sum FROM entries WHERE id = ?');
    this.#textsBefore = db.prepare('SELECT content_at, content_parts FROM texts WHERE id = ?');
    for (const statement of [this.#before, this.#textsBefore]) statement.setReturnArrays(true);
    this.#textsBeside = db.prepare(
      `UPDATE texts SET excerpt = ?, title_at = ?, content_at = ?, excerpt_at = ?, footnotes_at = ?, sum = ? WHERE id = ?`,
    );
    this.#shownSum = db.prepare('UPDATE entries SET shown_sum = ? WHERE id = ?');
    this.#textsSum = db.prepare('UPDATE texts SET sum = ? WHERE id = ?');
    this.#lose = db.prepare('INSERT OR REPLACE INTO lost_entries VALUES (?, ?)');
    this.#loseParent = db.prepare('INSERT OR REPLACE INTO lost_parents VALUES (?, ?, ?, ?, ?)');
    this.#removeEntry = db.prepare('DELETE FROM entries WHERE id = ?');
    this.#removeTexts = db.prepare('DELETE FROM texts WHERE id = ?');
  }

  lose({ id, kind, heir, inherited }: EntryDeletedEvent['data'], position: number): void {
    this.#lose.run(position, id);
    if (heir !== undefined) this.#loseParent.run(position, id, kind, heir, inherited ?? null);
  }

  /** `later`: leaves a long content to `writeLong`; this connection can already read it. */
  save(row: EntryRow, later: boolean): void {
    const { id, contentJson } = row;
    this.#long.rows.delete(id);
    this.#contents.remove(id);
    if (contentJson.length < LONG) {
      const values = toValues(row);
      this.#entry.run(...values);
      this.#recent.keepRow(id, values, contentJson.length);
      return;
    }
    this.#recent.dropRow(id);
    this.#entry.run(...toValues(row, 0));
    this.#long.rows.set(id, { value: row, parts: [] });
    while (!later && this.#long.rows.has(id)) this.#writeContent(id);
  }

  /** `save` for an unchanged long content. Throws `DamagedRow` when it is incomplete. */
  saveBesideContent(row: EntryRow): void {
    const { id, touched } = row;
    const [titleJson, excerptJson, last, sum] = this.#before.get(id) as unknown as [string, string, number, number];
    const sums = this.#contents.sums(id);
    checkSum(sum, shownSumOfParts(id, { titleJson, excerptJson }, sums), 'entries', id);
    this.#recent.dropRow(id);
    this.#entry.run(...toValuesBeside(row, sums));
    this.#long.keepContent(id, { from: last, to: touched });
  }

  /** Keeps a row that was held back, and that events of the commit at `until` replace. */
  keepVersion(row: EntryRow, until: number): void {
    this.#versions.keep(toKept(row), until);
  }

  /** Keeps the row of the table, as it is. */
  keepWritten(id: number, until: number): void {
    this.#versions.copy(id, until);
  }

  /** Gives the earlier rows of an entry, whose texts have been erased, what the events say now. */
  renewVersions(id: number, events: readonly RecordedEvent<EntryEvent>[]): void {
    renewEarlier(this.#db, { table: 'entries', value: id }, (row, until) => {
      const facts = events.filter(({ meta }) => meta.position < until).map(({ event }) => event);
      const then = evolveEntry(null, facts);
      if (then === null) throw new Error(`entry ${id} was not there before position ${until}`);
      const sealed = Object.fromEntries(sealedMembers.map((name) => [name, then[name]]));
      const kept = rowOf(entryColumns.map((name) => row[name] ?? null));
      const values = toKept({ ...kept, ...nothingRendered, ...sealed });
      return Object.fromEntries(this.#versions.columns.map((name, i) => [name, values[i] ?? null]));
    });
  }

  saveShown(id: number, shown: Rendered): void {
    const { titleJson, excerptJson, contentJson } = shown;
    const parts = partsIn(contentJson);
    this.#recent.dropRow(id);
    const sums = Array.from({ length: parts }, (_, part) => this.#contents.save(id, part, contentJson));
    const sum = parts === 0 ? shownSum(id, shown) : shownSumOfParts(id, shown, sums);
    this.#shown.run(titleJson, excerptJson, parts === 0 ? contentJson : '', parts, sum, id);
  }

  saveTexts(id: number, { texts, places: at }: WrittenRow, later: boolean): void {
    const { content, excerpt } = texts;
    const written = { texts: { content, excerpt }, places: at };
    const parts = partsIn(content);
    const places = [at.title, at.content, at.excerpt, at.footnotes];
    this.#recent.keepWritten(id, written);
    if (parts > 0 && this.#hasContent(id, at.content)) {
      this.#textsBeside.run(excerpt, ...places, textsSumOfParts(id, written, this.#longTexts.sums(id)), id);
      return;
    }
    this.#long.written.delete(id);
    this.#longTexts.remove(id);
    this.#texts.run(id, excerpt, parts > 0 ? '' : content, parts, ...places, parts > 0 ? 0 : textsSum(id, written));
    if (parts === 0) return;
    this.#long.written.set(id, { value: written, parts: [] });
    while (!later && this.#long.written.has(id)) this.#writeText(id);
  }

  /** Whether the parts of a text belong to the content of this position. */
  #hasContent(id: number, at: number): boolean {
    if (this.#long.written.has(id)) return false;
    const [before, parts = 0] = (this.#textsBefore.get(id) ?? []) as unknown as readonly number[];
    return before === at && parts > 0;
  }

  get isLong(): boolean {
    return this.#long.isPending;
  }

  /** Writes some of the deferred texts. Returns false when none is left. */
  writeLong(): boolean {
    const [id] = this.#long.rows.keys();
    const [of] = this.#long.written.keys();
    if (id !== undefined) this.#writeContent(id);
    else if (of !== undefined) this.#writeText(of);
    else return false;
    return true;
  }

  #writeContent(id: number): void {
    const pending = this.#long.rows.get(id);
    if (pending === undefined) return;
    const { value } = pending;
    const parts = [...pending.parts, this.#contents.save(id, pending.parts.length, value.contentJson)];
    this.#long.rows.set(id, { value, parts });
    if (parts.length < partsIn(value.contentJson)) return;
    this.#long.rows.delete(id);
    this.#shownSum.run(shownSumOfParts(id, value, parts), id);
  }

  #writeText(id: number): void {
    const pending = this.#long.written.get(id);
    if (pending === undefined) return;
    const { value } = pending;
    const { content } = value.texts;
    const parts = [...pending.parts, this.#longTexts.save(id, pending.parts.length, content)];
    this.#long.written.set(id, { value, parts });
    if (parts.length < partsIn(content)) return;
    this.#long.written.delete(id);
    this.#textsSum.run(textsSumOfParts(id, value, parts), id);
  }

  remove(id: number): void {
    this.#long.rows.delete(id);
    this.#long.written.delete(id);
    this.#recent.drop(id);
    this.#contents.remove(id);
    this.#longTexts.remove(id);
    this.#removeEntry.run(id);
    this.#removeTexts.run(id);
  }

  settle(): void {
    this.#recent.clear();
  }

  /** Returns a function that restores the texts now deferred, after a rollback to this point. */
  holdLong(): () => void {
    const { rows, written } = this.#long;
    if (!this.#long.isPending) return () => undefined;
    const [heldRows, heldTexts] = [[...rows], [...written]];
    return () => {
      for (const [id, row] of heldRows) rows.set(id, row);
      for (const [id, texts] of heldTexts) written.set(id, texts);
    };
  }

  /** Discards deferred texts, and texts read from events after a position, because of a rollback to there. */
  reset(position: number): void {
    this.#long.rows.clear();
    this.#long.written.clear();
    this.#long.forget(position);
    this.#recent.clear();
  }
}
