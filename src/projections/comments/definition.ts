import type { DatabaseSync } from 'node:sqlite';
import type { CommentEvent } from '#domain/comment/events.ts';
import { type Comment, commentStream, type HostEvent } from '#domain/comment/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { foldText } from '#text/fold.ts';
import type { Found } from '../kernel/collection-query.ts';
import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import { LastEnding } from '../kernel/endings.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { type Applying, type EventRun, type Fold, runsOf } from '../kernel/projection.ts';
import { findComments } from './find.ts';
import { CommentTable, twinOf } from './store.ts';
import { threadsOf } from './threads.ts';
import type { CommentQuery, CommentRow, Comments, CommentThread } from './types.ts';

/** Counts are stored twice, once negated. */
const commentTables = `
CREATE TABLE comments (
  id INTEGER PRIMARY KEY, touched INTEGER NOT NULL, kind TEXT NOT NULL, post INTEGER NOT NULL, parent INTEGER NOT NULL,
  author INTEGER NOT NULL, status TEXT NOT NULL, remembered TEXT, resolution TEXT NOT NULL,
  date TEXT NOT NULL, date_gmt TEXT NOT NULL, written TEXT NOT NULL,
  mail TEXT NOT NULL, network TEXT NOT NULL, twin INTEGER NOT NULL, sum INTEGER NOT NULL, since INTEGER NOT NULL
) STRICT;
CREATE INDEX comments_by_parent ON comments (parent);

-- Their sealed fields; folded: the text that searches read.
CREATE TABLE comment_texts (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, url TEXT NOT NULL, ip TEXT NOT NULL,
  agent TEXT NOT NULL, content TEXT NOT NULL, folded TEXT NOT NULL, sum INTEGER NOT NULL, since INTEGER NOT NULL
) STRICT;

-- Number of comments per entry or media item; post -1: of the whole site.
CREATE TABLE comment_counts (
  post INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, n INTEGER NOT NULL, un INTEGER NOT NULL,
  PRIMARY KEY (post, kind, status)
) STRICT, WITHOUT ROWID;

-- Entries and media items with comments that were trashed or deleted: the positions of the last such events, 0 for none.
-- Applied when comments are read.
CREATE TABLE comment_losses (
  post INTEGER PRIMARY KEY, trashed INTEGER NOT NULL, deleted INTEGER NOT NULL, sum INTEGER NOT NULL, since INTEGER NOT NULL
) STRICT;

-- Trigrams: which comments contain three consecutive characters.
CREATE VIRTUAL TABLE comment_grams USING fts5 (
  folded, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
`;

const commentLateIndexes = `
CREATE INDEX IF NOT EXISTS comments_by_status ON comments (status, kind);
CREATE INDEX IF NOT EXISTS comments_by_status_date ON comments (status, kind, date);
CREATE INDEX IF NOT EXISTS comments_by_status_date_gmt ON comments (status, kind, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_date ON comments (date);
CREATE INDEX IF NOT EXISTS comments_by_date_gmt ON comments (date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_post ON comments (post, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_author ON comments (author, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_mail ON comments (mail, date_gmt);
CREATE INDEX IF NOT EXISTS comments_by_network ON comments (network, written);
CREATE INDEX IF NOT EXISTS comments_by_twin ON comments (twin);
`;

export const comments = defineProjection({
  name: 'comments',
  version: 6,
  tables: commentTables,
  // What was counted then is counted again, and searches read the texts: neither counts nor trigrams have a past.
  versioned: {
    comments: { lookedUpBy: ['post', 'parent'] },
    comment_texts: {},
    comment_losses: { key: ['post'] },
  },
  lateIndexes: commentLateIndexes,
  touches: ['comments'],
  open: (db) => new StoredComments(db),
  fold: ({ tables }): Fold => {
    const { table } = tables.of(comments);
    return {
      apply({ area, id, events }: EventRun, { checkpoint, changes }: Applying) {
        if (area === 'comment') {
          changes.keys.add('comments');
          checkpoint.nextComment = Math.max(checkpoint.nextComment, id + 1);
          table.apply(id, events as readonly RecordedEvent<CommentEvent>[]);
          return;
        }
        for (const { event, meta } of events) {
          const fate = fates.get(event.type);
          if (fate === undefined) continue;
          changes.keys.add('comments');
          if (event.type === 'UserDeleted') table.loseWithAuthor(meta.position);
          else table.lose(id, fate, meta.position);
        }
      },
    };
  },
  scan: ({ table }, { db }) => eachId(db, 'comments', (id) => table.check(id)),
  *forget({ table }, { events, log }) {
    const ids = new Set(runsOf(events).flatMap(({ area, id }) => (area === 'comment' ? id : [])));
    for (const id of ids) {
      const own = eventsUntil(log, commentStream(id), Number.POSITIVE_INFINITY) as RecordedEvent<CommentEvent>[];
      table.renewTexts(id, own);
      yield;
    }
    if (ids.size > 0) yield* table.dropDeletedGrams();
    return true;
  },
});

/** Events of entries and media items that affect comments on them. */
const fates: ReadonlyMap<string, 'trashed' | 'deleted'> = new Map<
  HostEvent['type'] | 'UserDeleted',
  'trashed' | 'deleted'
>([
  ['EntryTrashed', 'trashed'],
  ['UserDeleted', 'trashed'],
  ['EntryDeleted', 'deleted'],
  ['MediaDeleted', 'deleted'],
]);

export class StoredComments implements Comments {
  readonly table: CommentTable;
  readonly db: DatabaseSync;
  /** Where approved comments were last changed or taken away. */
  readonly shown: LastEnding;

  constructor(db: DatabaseSync) {
    this.db = db;
    this.shown = new LastEnding(db, 'comments', "status = 'approved'");
    this.table = new CommentTable(db);
  }

  get(id: number): CommentRow | undefined {
    return this.table.get(id);
  }

  find(query: CommentQuery): Found {
    return findComments(query, { db: this.db, counts: this.table.counts });
  }

  /** Comments that were approved on an item that was deleted with them; at most `limit`. */
  goneWith(post: number, limit: number): readonly number[] {
    const sql =
      "SELECT id FROM comments WHERE post = ? AND coalesce(remembered, status) = 'approved' ORDER BY date_gmt LIMIT ?";
    return this.db
      .prepare(sql)
      .all(post, limit)
      .map(({ id }) => Number(id));
  }

  count(post: number): number {
    const { counts } = this.table;
    if (counts === null) return this.find({ ...approved, posts: [post], limit: 0 }).total;
    return counts.total([post], ['comment'], ['approved']);
  }

  threads(post: number): readonly CommentThread[] {
    // There may be very many comments, of which a page shows a few.
    const { ids } = this.find({ ...approved, posts: [post] });
    return threadsOf(this.table.places(ids), (id) => this.get(id) as CommentRow);
  }

  hasAnswers(id: number): boolean {
    return this.table.answers(id).some((answer) => isStanding(this.get(answer)?.status));
  }

  isThere({ post, parent, name, email, content }: Pick<Comment, 'post' | 'parent' | 'name' | 'email' | 'content'>) {
    const found = this.db.prepare('SELECT id FROM comments WHERE twin = ?').all(twinOf({ post, parent, content }));
    return found.some((row) => {
      const other = this.get(Number(row['id']));
      if (other === undefined || other.status === 'trash' || other.post !== post || other.parent !== parent)
        return false;
      return (
        isAlike(other.content, content) && isAlike(other.name, name) && (email === '' || isAlike(other.email, email))
      );
    });
  }

  hasApproved(author: number): boolean {
    return this.find({ ...one, kinds: null, authors: [author] }).ids.length > 0;
  }

  /** Whether a visitor without an account has an approved comment by that name and address. */
  hasApprovedAs(name: string, email: string): boolean {
    const { ids } = this.find({ ...one, limit: maxAlike, kinds: null, email: foldText(email) });
    return ids.some((id) => isAlike(this.get(id)?.name ?? '', name));
  }

  /** UTC date of the latest comment, since a given time, of a user or a mail address, or null. `author` 0: no user. */
  lastDate(author: number, email: string, since: string): string | null {
    const newest = { ...one, statuses: null, kinds: null };
    const own = author === 0 ? [] : this.find({ ...newest, authors: [author] }).ids;
    const same = email === '' ? [] : this.find({ ...newest, email: foldText(email) }).ids;
    const dates = [...own, ...same].map((id) => this.get(id)?.dateGmt ?? '').filter((date) => date >= since);
    return dates.reduce<string | null>((last, date) => (last === null || date > last ? date : last), null);
  }

  /** Number of comments without a user from a network after a time (ISO 8601 UTC), and the time of the last. */
  recentFrom(network: string, since: string): { readonly count: number; readonly last: string | null } {
    const row = this.db
      .prepare(
        `SELECT count(*) AS count, max(written) AS last FROM comments INDEXED BY comments_by_network
         WHERE network = ? AND written > ? AND author = 0`,
      )
      .get(network, since);
    const { count, last } = row as unknown as { count: number; last: string | null };
    return { count, last };
  }
}

const approved: CommentQuery = {
  statuses: ['approved'],
  kinds: ['comment'],
  orderBy: 'date_gmt',
  order: 'asc',
  offset: 0,
  limit: -1,
};
const one: CommentQuery = { ...approved, order: 'desc', limit: 1 };
/** Some milliseconds of work. */
/** One address is seldom used with many names. */
const maxAlike = 100;

function isStanding(status: CommentRow['status'] | undefined): boolean {
  return status === 'approved' || status === 'hold';
}

function isAlike(a: string, b: string): boolean {
  return foldText(a) === foldText(b);
}
