import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import { type RecentRows, recentRowsOf } from './recent-rows.ts';
import type { EntryRow, Rendered, WrittenRow } from './row.ts';
import { entryColumns, shownSum, textsSum, toValues } from './values.ts';

const columns = entryColumns.join(', ');
const marks = entryColumns.map(() => '?').join(', ');

export class EntryWrites {
  readonly #entry: StatementSync;
  readonly #texts: StatementSync;
  readonly #shown: StatementSync;
  readonly #lose: StatementSync;
  readonly #loseParent: StatementSync;
  readonly #removeEntry: StatementSync;
  readonly #removeTexts: StatementSync;
  readonly #recent: RecentRows;

  constructor(db: DatabaseSync) {
    this.#recent = recentRowsOf(db);
    this.#entry = db.prepare(`INSERT OR REPLACE INTO entries (${columns}) VALUES (${marks})`);
    this.#texts = db.prepare('INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#shown = db.prepare(
      'UPDATE entries SET title_json = ?, excerpt_json = ?, content_json = ?, shown_sum = ? WHERE id = ?',
    );
    this.#lose = db.prepare('INSERT OR REPLACE INTO lost_entries VALUES (?, ?)');
    this.#loseParent = db.prepare('INSERT OR REPLACE INTO lost_parents VALUES (?, ?, ?, ?, ?)');
    this.#removeEntry = db.prepare('DELETE FROM entries WHERE id = ?');
    this.#removeTexts = db.prepare('DELETE FROM texts WHERE id = ?');
  }

  lose({ id, kind, heir, inherited }: EntryDeletedEvent['data'], position: number): void {
    this.#lose.run(position, id);
    if (heir !== undefined) this.#loseParent.run(position, id, kind, heir, inherited ?? null);
  }

  save(row: EntryRow): void {
    const { id, contentJson } = row;
    const values = toValues(row);
    this.#entry.run(...values);
    this.#recent.keepRow(id, values, contentJson.length);
  }

  saveShown(id: number, shown: Rendered): void {
    const { titleJson, excerptJson, contentJson } = shown;
    this.#recent.dropRow(id);
    this.#shown.run(titleJson, excerptJson, contentJson, shownSum(id, shown), id);
  }

  saveTexts(id: number, { texts: { content, excerpt }, places: at }: WrittenRow): void {
    const written = { texts: { content, excerpt }, places: at };
    const places = [at.title, at.content, at.excerpt, at.footnotes];
    this.#recent.keepWritten(id, written);
    this.#texts.run(id, excerpt, content, ...places, textsSum(id, written));
  }

  remove(id: number): void {
    this.#recent.drop(id);
    this.#removeEntry.run(id);
    this.#removeTexts.run(id);
  }

  /** Forgets rows read and written in the transaction, at its end or after a rollback. */
  settle(): void {
    this.#recent.clear();
  }
}
