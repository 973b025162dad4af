import type { DatabaseSync } from 'node:sqlite';
import type { EventStore } from '#eventstore/port.ts';
import { fieldChanges } from './fields.ts';
import { tokensIn, tokensOf } from './words.ts';

/** Raise it when the same events give other tokens. */
const version = 1;
/** Events that are read at once: the log reads that many before the first is seen. */
const perRead = 50;
/** Pages that are merged at once. SQLite itself would merge all of a level at once, which takes seconds. */
const perMerge = 30;
/** Events that are written at once. */
const atOnce = 200;
/** Precedes the name of a changed field; no word contains it. */
const FIELD = '\u{E000}';

interface Waiting {
  readonly position: number;
  readonly id: string;
  readonly tokens: string;
}

export const wordIndexSchema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;

CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, position INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (tokens, content = '', detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 0");
INSERT INTO words (words, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
`;

/** What is looked for: words, of which each may be the beginning of one, and a changed field. */
export interface WordMatch {
  readonly words?: readonly string[] | undefined;
  readonly field?: string | undefined;
}

/**
 * Which events contain which words in their old or new texts, and which fields they changed. It lies beside the projections, because only
 * the log has old texts, and follows when there is time: what it lacks is read from the log.
 */
export class WordIndex {
  readonly #db: () => DatabaseSync;
  readonly #log: Pick<EventStore, 'read' | 'head'>;
  readonly #waiting: Waiting[] = [];

  constructor(db: () => DatabaseSync, log: Pick<EventStore, 'read' | 'head'>) {
    this.#db = db;
    this.#log = log;
  }

  /** The last event that it contains; 0 for none, or if it was made of another log. */
  position(): number {
    const state = this.#db().prepare('SELECT version, position, event FROM state').get();
    if (state?.['version'] !== version) return 0;
    const position = Number(state['position']);
    const [event] = this.#log.read({ from: position, limit: 1, sealed: 'brief' });
    return event?.id === state['event'] ? position : 0;
  }

  /** Positions between two, in order. */
  find(match: WordMatch, { low, high }: { readonly low: number; readonly high: number }): number[] {
    const query = queryOf(match);
    if (query === null) return [];
    const found = this.#db().prepare(
      'SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid',
    );
    return found.all(query, low, high).map(({ rowid }) => Number(rowid));
  }

  /** Reads a few events, or writes down what was read of many; false when none is left. */
  grow(): boolean {
    const waiting = this.#waiting;
    const last = waiting.at(-1)?.position ?? this.position();
    const head = this.#log.head().position;
    if (waiting.length >= atOnce || last >= head) {
      this.#write(waiting.splice(0));
      return last < head || this.#merge();
    }
    this.#merge();
    for (const event of this.#log.read({ from: last + 1, limit: perRead })) {
      const changes = fieldChanges(event, this.#log);
      const tokens = [...changes.map(({ name }) => FIELD + name), ...tokensOf(changes)].join(' ');
      waiting.push({ position: event.position, id: event.id, tokens });
    }
    return true;
  }

  /** Merges a few pages of small parts of the index into larger ones; false if there was nothing to merge. */
  #merge(): boolean {
    const db = this.#db();
    const changes = () => Number(db.prepare('SELECT total_changes() AS n').get()?.['n']);
    const before = changes();
    db.exec(`INSERT INTO words (words, rank) VALUES ('merge', ${perMerge})`);
    return changes() - before > 1;
  }

  /** Small transactions would leave many small parts of the index to be merged. */
  #write(read: readonly Waiting[]): void {
    const last = read.at(-1);
    if (last === undefined) return;
    if (this.position() === 0) this.#empty();
    const db = this.#db();
    const insert = db.prepare('INSERT INTO words (rowid, tokens) VALUES (?, ?)');
    db.exec('BEGIN');
    try {
      for (const { position, tokens } of read) if (tokens !== '') insert.run(position, tokens);
      db.prepare('INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?)').run(version, last.position, last.id);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Leaves nothing of it in the file. */
  clear(): void {
    this.#waiting.length = 0;
    if (this.position() === 0) return;
    this.#empty();
    this.#db().exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
  }

  #empty(): void {
    const db = this.#db();
    db.exec('DELETE FROM state; DROP TABLE words;');
    db.exec(wordIndexSchema);
  }
}

function queryOf({ words = [], field }: WordMatch): string | null {
  const tokens = words.flatMap(tokensIn);
  const terms = tokens.map((token) => `"${token}"*`);
  if (field !== undefined) terms.push(`"${FIELD}${field}"`);
  return terms.length === 0 ? null : terms.join(' AND ');
}

/** Whether the index can say where to look for something. */
export function isInWordIndex(match: WordMatch): boolean {
  return queryOf(match) !== null;
}
