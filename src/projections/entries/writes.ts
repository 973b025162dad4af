import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EntryDeletedEvent, EntryEvent } from '#domain/entry/events.ts';
import { sealedDetails } from '#domain/entry/fields.ts';
import { evolveEntry } from '#domain/entry/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { renewEarlier, Versions } from '../kernel/versions.ts';
import { type RecentRows, recentRowsOf } from './recent-rows.ts';
import type { EntryRow, Rendered, WrittenRow } from './row.ts';
import { entryColumns, rowOf, shownSum, textsSum, toKept, toValues, versionedEntries } from './values.ts';

const columns = entryColumns.join(', ');
const replaced = entryColumns.map((name) => `${name} = excluded.${name}`).join(', ');
const marks = entryColumns.map(() => '?').join(', ');

const nothingRendered: Rendered = { titleJson: '', excerptJson: '', contentJson: '' };
/** What of a row is from sealed fields. */
const sealedMembers = ['title', 'footnotes', 'password', 'part', ...sealedDetails] as const;

export class EntryWrites {
  readonly #entry: StatementSync;
  readonly #texts: StatementSync;
  readonly #shown: StatementSync;
  readonly #lose: StatementSync;
  readonly #loseParent: StatementSync;
  readonly #removeEntry: StatementSync;
  readonly #removeTexts: StatementSync;
  readonly #recent: RecentRows;
  readonly #versions: Versions;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#versions = new Versions(db, 'entries', versionedEntries);
    this.#recent = recentRowsOf(db);
    this.#entry = db.prepare(
      `INSERT INTO entries (${columns}) VALUES (${marks}) ON CONFLICT (id) DO UPDATE SET ${replaced}`,
    );
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
