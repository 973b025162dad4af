import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import { checkSum } from '../sums.ts';
import { LONG, type LongTexts, longTextsOf, PART, partsIn } from './long-texts.ts';
import { type RecentRows, recentRowsOf } from './recent-rows.ts';
import type { EntryRow, Rendered, Written } from './row.ts';
import { entryColumns, partSum, shownSum, shownSumOfParts, textsSum, toValues, toValuesBeside } from './values.ts';

const columns = entryColumns.join(', ');
const marks = entryColumns.map(() => '?').join(', ');

export class EntryWrites {
  readonly #entry: StatementSync;
  readonly #texts: StatementSync;
  readonly #content: StatementSync;
  readonly #removeContent: StatementSync;
  readonly #shown: StatementSync;
  readonly #before: StatementSync;
  readonly #partSums: StatementSync;
  readonly #shownSum: StatementSync;
  readonly #writtenContent: StatementSync;
  readonly #lose: StatementSync;
  readonly #loseParent: StatementSync;
  readonly #removeEntry: StatementSync;
  readonly #removeTexts: StatementSync;
  readonly #long: LongTexts;
  readonly #sums = new WeakMap<Written, number>();
  readonly #recent: RecentRows;

  constructor(db: DatabaseSync) {
    this.#long = longTextsOf(db);
    this.#recent = recentRowsOf(db);
    this.#entry = db.prepare(`INSERT OR REPLACE INTO entries (${columns}) VALUES (${marks})`);
    this.#texts = db.prepare('INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#content = db.prepare('INSERT INTO long_contents VALUES (?, ?, ?, ?)');
    this.#removeContent = db.prepare('DELETE FROM long_contents WHERE id = ?');
    this.#shown = db.prepare(
      `UPDATE entries SET title_json = ?, excerpt_json = ?, content_json = ?, content_parts = ?, shown_sum = ? WHERE id = ?`,
    );
    this.#before = db.prepare('SELECT title_json, excerpt_json, touched, shown_sum FROM entries WHERE id = ?');
    this.#partSums = db.prepare('SELECT sum FROM long_contents WHERE id = ? ORDER BY part');
    for (const statement of [this.#before, this.#partSums]) statement.setReturnArrays(true);
    this.#shownSum = db.prepare('UPDATE entries SET shown_sum = ? WHERE id = ?');
    this.#long.hasParts ??= db.prepare('SELECT 1 FROM long_contents LIMIT 1').get() !== undefined;
    this.#writtenContent = db.prepare('UPDATE texts SET content = ?, sum = ? WHERE id = ?');
    this.#lose = db.prepare('INSERT OR REPLACE INTO lost_entries VALUES (?, ?)');
    this.#loseParent = db.prepare('INSERT OR REPLACE INTO lost_parents VALUES (?, ?, ?, ?, ?)');
    this.#removeEntry = db.prepare('DELETE FROM entries WHERE id = ?');
    this.#removeTexts = db.prepare('DELETE FROM texts WHERE id = ?');
  }

  lose({ id, kind, heir, inherited }: EntryDeletedEvent['data'], position: number): void {
    this.#recent.forgetLoss();
    this.#lose.run(position, id);
    if (heir !== undefined) this.#loseParent.run(position, id, kind, heir, inherited ?? null);
  }

  /** Records that a deletion may affect kept rows. */
  noteLoss(): void {
    this.#recent.forgetLoss();
  }

  /** `later`: leaves a long content to `writeLong`; this connection can already read it. */
  save(row: EntryRow, later: boolean): void {
    const { id, contentJson } = row;
    this.#long.rows.delete(id);
    if (this.#long.hasParts) this.#removeContent.run(id);
    if (contentJson.length < LONG) {
      const values = toValues(row);
      this.#entry.run(...values);
      this.#recent.keepRow(id, values, contentJson.length);
      return;
    }
    this.#recent.dropRow(id);
    this.#long.hasParts = true;
    this.#entry.run(...toValues(row, 0));
    this.#long.rows.set(id, { row, parts: [] });
    while (!later && this.#long.rows.has(id)) this.#writePart(id);
  }

  /** `save` for an unchanged long content. Throws `DamagedRow` when it is incomplete. */
  saveBesideContent(row: EntryRow): void {
    const { id, touched } = row;
    const [titleJson, excerptJson, last, sum] = this.#before.get(id) as unknown as [string, string, number, number];
    const sums = (this.#partSums.all(id) as unknown as [number][]).map(([own]) => own);
    checkSum(sum, shownSumOfParts(id, { titleJson, excerptJson }, sums), 'entries', id);
    this.#recent.dropRow(id);
    this.#entry.run(...toValuesBeside(row, sums));
    this.#long.keepContent(id, { from: last, to: touched });
  }

  saveShown(id: number, shown: Rendered): void {
    const { titleJson, excerptJson, contentJson } = shown;
    const parts = partsIn(contentJson);
    this.#recent.dropRow(id);
    if (parts > 0) this.#long.hasParts = true;
    const sums = Array.from({ length: parts }, (_, part) => this.#saveContent(id, part, contentJson));
    const sum = parts === 0 ? shownSum(id, shown) : shownSumOfParts(id, shown, sums);
    this.#shown.run(titleJson, excerptJson, parts === 0 ? contentJson : '', parts, sum, id);
  }

  saveTexts(id: number, { texts, places: at }: Written, later: boolean): void {
    const { content, excerpt } = texts;
    const written = { texts: { content, excerpt }, places: at };
    const isLater = later && content.length >= LONG;
    this.#long.written.delete(id);
    if (isLater) this.#long.written.set(id, written);
    const places = [at.title, at.content, at.excerpt, at.footnotes];
    this.#texts.run(id, excerpt, isLater ? '' : content, ...places, isLater ? 0 : textsSum(id, written));
    this.#recent.keepWritten(id, written);
  }

  get isLong(): boolean {
    return this.#long.isPending;
  }

  /** Writes some of the deferred texts. Returns false when none is left. */
  writeLong(): boolean {
    const [id] = this.#long.rows.keys();
    if (id !== undefined) {
      this.#writePart(id);
      return true;
    }
    const [texts] = this.#long.written;
    if (texts === undefined) return false;
    const [of, written] = texts;
    const sum = this.#sums.get(written);
    if (sum === undefined) {
      // Writing it takes as long again.
      this.#sums.set(written, textsSum(of, written));
      return true;
    }
    this.#long.written.delete(of);
    this.#writtenContent.run(written.texts.content, sum, of);
    return true;
  }

  #writePart(id: number): void {
    const pending = this.#long.rows.get(id);
    if (pending === undefined) return;
    const { row } = pending;
    const parts = [...pending.parts, this.#saveContent(id, pending.parts.length, row.contentJson)];
    if (parts.length < partsIn(row.contentJson)) {
      this.#long.rows.set(id, { row, parts });
      return;
    }
    this.#long.rows.delete(id);
    this.#shownSum.run(shownSumOfParts(id, row, parts), id);
  }

  #saveContent(id: number, part: number, contentJson: string): number {
    const text = contentJson.slice(part * PART, (part + 1) * PART);
    const sum = partSum(id, part, text);
    this.#content.run(id, part, sum, text);
    return sum;
  }

  remove(id: number): void {
    this.#long.rows.delete(id);
    this.#long.written.delete(id);
    this.#recent.drop(id);
    if (this.#long.hasParts) this.#removeContent.run(id);
    this.#removeEntry.run(id);
    this.#removeTexts.run(id);
  }

  settle(): void {
    this.#recent.settle();
    this.#long.settle();
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
