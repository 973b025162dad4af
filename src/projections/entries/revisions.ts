import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EntryEvent } from '#domain/entry/events.ts';
import type { Revision } from '#domain/entry/revisions.ts';
import { textNames } from '#domain/entry/texts.ts';
import type { EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import { remember } from '../kernel/remember.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { nowhere, placesAfter, placesKept, type TextPlaces } from '../kernel/text-places.ts';
import { renewEarlier, upsertSql } from '../kernel/versions.ts';

/** A revision or autosave of an entry: its position and those of its texts in the log, its author and its time. */
export interface RevisionRow {
  readonly id: number;
  readonly parent: number;
  readonly author: number;
  readonly position: number;
  readonly date: string;
  readonly dateGmt: string;
  readonly isAutosave: boolean;
  readonly places: TextPlaces;
}

/** The revisions and autosaves of one entry. */
export interface EntryRevisions {
  /** Newest first. */
  all(): readonly RevisionRow[];
  /** Newest first. */
  autosaves(): readonly RevisionRow[];
  /** The one that was saved before another. */
  before(row: RevisionRow): RevisionRow | undefined;
  page(page: RevisionPage): RevisionsFound;
}

export interface RevisionPage {
  /** Equals are ordered by id. By slug, autosaves come before revisions. */
  readonly orderBy: 'date' | 'id' | 'slug';
  readonly order: 'asc' | 'desc';
  /** Ids that are not found. */
  readonly exclude: readonly number[];
  readonly offset: number;
  readonly limit: number;
}

export interface RevisionsFound {
  readonly rows: readonly RevisionRow[];
  /** Number on all pages. */
  readonly total: number;
}

export function toRevisionRow(
  { id, date, dateGmt, isAutosave, author }: Revision,
  { parent, places }: Pick<RevisionRow, 'parent' | 'places'>,
  { actor, position }: Pick<EventMeta, 'actor' | 'position'>,
): RevisionRow {
  return { id, parent, author: author ?? actor ?? 0, position, date, dateGmt, isAutosave, places };
}

export class RevisionTable {
  readonly #db: DatabaseSync;
  readonly #row: StatementSync;
  readonly #newest: StatementSync;
  readonly #before: StatementSync;
  readonly #last: StatementSync;
  readonly #autosave: StatementSync;
  readonly #autosaves: StatementSync;
  readonly #total: StatementSync;
  readonly #pages = new Map<string, StatementSync>();
  readonly #prepare: (condition: string) => StatementSync;
  #writes: ReturnType<typeof prepareWrites> | undefined;

  constructor(db: DatabaseSync) {
    const prepare = (condition: string): StatementSync => {
      const statement = db.prepare(`SELECT ${columns} FROM revisions WHERE ${condition}`);
      statement.setReturnArrays(true);
      return statement;
    };
    this.#db = db;
    this.#prepare = prepare;
    this.#row = prepare('id = ?');
    this.#newest = prepare(`parent = ? ${NEWEST_FIRST} LIMIT ?`);
    this.#before = prepare(`parent = ? AND (date_gmt, id) < (?, ?) ${NEWEST_FIRST} LIMIT 1`);
    this.#last = prepare(`parent = ? AND is_autosave = 0 ${NEWEST_FIRST} LIMIT 1`);
    this.#autosave = prepare('parent = ? AND author = ? AND is_autosave = 1');
    this.#autosaves = prepare(`parent = ? AND is_autosave = 1 ${NEWEST_FIRST}`);
    this.#total = db.prepare(`SELECT count(*) AS total FROM revisions WHERE ${listed}`);
  }

  row(id: number): RevisionRow | undefined {
    return one(this.#row.get(id));
  }

  of(parent: number): EntryRevisions {
    return {
      all: () => this.#page(parent, newest).rows,
      autosaves: () => rows(this.#autosaves.all(parent)),
      before: ({ dateGmt, id }) => one(this.#before.get(parent, dateGmt, id)),
      page: (page) => this.#page(parent, page),
    };
  }

  newest(parent: number, count: number): RevisionRow[] {
    return rows(this.#newest.all(parent, count));
  }

  last(parent: number): RevisionRow | undefined {
    return one(this.#last.get(parent));
  }

  autosave(parent: number, user: number): RevisionRow | undefined {
    return one(this.#autosave.get(parent, user));
  }

  save({ id, parent, author, position, date, dateGmt, isAutosave, places }: RevisionRow): void {
    const { title, content, excerpt, footnotes } = places;
    const values = [id, parent, author, position, date, dateGmt, isAutosave ? 1 : 0];
    values.push(title, content, excerpt, footnotes);
    this.#write().save.run(...values, sumOf(values));
  }

  remove(id: number): void {
    this.#write().remove.run(id);
  }

  removeOf(parent: number): void {
    this.#write().removeOf.run(parent);
  }

  /** Gives the earlier rows of an entry, whose texts have been erased, the places that its events name now. */
  renewEarlier(parent: number, events: readonly RecordedEvent<EntryEvent>[]): void {
    const kept = new Map<number, TextPlaces>();
    let places = nowhere;
    for (const { event, meta } of events) {
      places = placesAfter(places, event, meta.position);
      kept.set(meta.position, placesKept(places, event, meta.position));
    }
    renewEarlier(this.#db, { table: 'revisions', by: 'parent', value: parent }, (row) => {
      const renewed = kept.get(Number(row['position'])) ?? nowhere;
      const named = Object.fromEntries(textNames.map((name) => [`${name}_at`, renewed[name]]));
      const values = columns.split(', ').map((name) => named[name] ?? row[name] ?? null);
      return { ...named, sum: sumOf(values.slice(0, -1)) };
    });
  }

  #page(parent: number, { orderBy, order, exclude, offset, limit }: RevisionPage): RevisionsFound {
    const without = JSON.stringify(exclude);
    const total = Number(this.#total.get(parent, without)?.['total']);
    if (offset >= total) return { rows: [], total };
    const columns = pageOrders[orderBy].map((column) => `${column} ${order}`).join(', ');
    const statement = remember(this.#pages, columns, () =>
      this.#prepare(`${listed} ORDER BY ${columns} LIMIT ? OFFSET ?`),
    );
    return { rows: rows(statement.all(parent, without, limit, offset)), total };
  }

  #write(): ReturnType<typeof prepareWrites> {
    this.#writes ??= prepareWrites(this.#db);
    return this.#writes;
  }
}

type Values = readonly [
  number,
  number,
  number,
  number,
  string,
  string,
  ...(readonly [number, number, number, number, number, number]),
];

const columns =
  'id, parent, author, position, date, date_gmt, is_autosave, title_at, content_at, excerpt_at, footnotes_at, sum';
const newest = { orderBy: 'date', order: 'desc', exclude: [], offset: 0, limit: -1 } as const;
const listed = 'parent = ? AND id NOT IN (SELECT value FROM json_each(?))';
const pageOrders = { date: ['date_gmt', 'id'], id: ['id'], slug: ['1 - is_autosave', 'id'] } as const;
const NEWEST_FIRST = 'ORDER BY date_gmt DESC, id DESC';

function prepareWrites(db: DatabaseSync) {
  return {
    save: db.prepare(upsertSql('revisions', columns.split(', '))),
    remove: db.prepare('DELETE FROM revisions WHERE id = ?'),
    removeOf: db.prepare('DELETE FROM revisions WHERE parent = ?'),
  };
}

function rows(found: readonly unknown[]): RevisionRow[] {
  return (found as readonly Values[]).map(toRow);
}

function one(values: unknown): RevisionRow | undefined {
  return values === undefined ? undefined : toRow(values as Values);
}

function toRow(values: Values): RevisionRow {
  const [id, parent, author, position, date, dateGmt, isAutosave, title, content, excerpt, footnotes, sum] = values;
  checkSum(sum, sumOf(values.slice(0, -1)), 'revisions', id);
  const places = { title, content, excerpt, footnotes };
  return { id, parent, author, position, date, dateGmt, isAutosave: isAutosave === 1, places };
}

export const revisions = defineProjection({
  name: 'revisions',
  version: 1,
  tables: `
    -- A revision or autosave is an event. Each of its texts is read from the log, at the position of the event that contains it.
    CREATE TABLE revisions (
      id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, author INTEGER NOT NULL, position INTEGER NOT NULL,
      date TEXT NOT NULL, date_gmt TEXT NOT NULL, is_autosave INTEGER NOT NULL,
      title_at INTEGER NOT NULL, content_at INTEGER NOT NULL, excerpt_at INTEGER NOT NULL, footnotes_at INTEGER NOT NULL,
      sum INTEGER NOT NULL, since INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX revisions_by_parent ON revisions (parent, date_gmt, id);
  `,
  versioned: { revisions: { lookedUpBy: ['parent'] } },
  lateIndexes: `
    CREATE INDEX IF NOT EXISTS revisions_autosaved ON revisions (parent, author) WHERE is_autosave = 1;
  `,
  open: (db) => new RevisionTable(db),
  scan: (table, { db }) => eachId(db, 'revisions', (id) => table.row(id)),
});
