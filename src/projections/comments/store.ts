import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CommentEvent } from '#domain/comment/events.ts';
import { networkOf } from '#domain/comment/network.ts';
import { type Comment, type CommentTexts, evolveComment } from '#domain/comment/state.ts';
import type { CommentStatus } from '#domain/comment/vocabulary.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { foldText } from '#text/fold.ts';
import { wentWithAuthor } from '../entries/deletion-table.ts';
import { checkSum, sumOf, sumOfTexts } from '../kernel/sums.ts';
import { CommentCounts } from './counts.ts';
import { type CommentPlace, type CommentRow, personalEnd } from './types.ts';

/** A deleted comment: its post, and the new parent of its replies. */
export interface DeletedComment {
  readonly position: number;
  readonly post: number;
  readonly parent: number;
}

/** Positions at which the host of comments was last moved to the trash, and deleted; 0: never. */
interface Loss {
  readonly trashed: number;
  readonly deleted: number;
}

export class CommentTable {
  readonly counts: CommentCounts;
  readonly #db: DatabaseSync;
  readonly #byId: StatementSync;
  readonly #loss: StatementSync;
  readonly #putLoss: StatementSync;
  readonly #answers: StatementSync;
  readonly #place: StatementSync;
  readonly #save: StatementSync;
  readonly #saveTexts: StatementSync;
  readonly #saveGrams: StatementSync;
  readonly #dropGrams: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.counts = new CommentCounts(db);
    this.#byId = db.prepare(
      `SELECT ${columns.map((name) => `c.${name}`)}, t.name, t.email, t.url, t.ip, t.agent, t.content, t.folded,
         t.id AS text_id, t.sum AS text_sum
       FROM comments c LEFT JOIN comment_texts t ON t.id = c.id WHERE c.id = ?`,
    );
    this.#loss = db.prepare('SELECT * FROM comment_losses WHERE post = ?');
    this.#putLoss = db.prepare('INSERT OR REPLACE INTO comment_losses VALUES (?, ?, ?, ?)');
    this.#place = db.prepare('SELECT id, parent, date_gmt AS dateGmt FROM comments WHERE id = ?');
    this.#answers = db.prepare('SELECT id FROM comments WHERE parent = ? ORDER BY id');
    this.#save = db.prepare(`INSERT OR REPLACE INTO comments VALUES (${columns.map(() => '?')})`);
    this.#saveTexts = db.prepare('INSERT OR REPLACE INTO comment_texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#saveGrams = db.prepare('INSERT INTO comment_grams (rowid, folded) VALUES (?, ?)');
    this.#dropGrams = db.prepare('DELETE FROM comment_grams WHERE rowid = ?');
  }

  get(id: number): CommentRow | undefined {
    const row = this.#stored(id);
    return row && this.#withLosses(row);
  }

  /** Places of comments in their threads. The comments must not have been lost with their post. */
  places(ids: readonly number[]): CommentPlace[] {
    return ids.flatMap((id) => (this.#place.get(id) as CommentPlace | undefined) ?? []);
  }

  parentOf(id: number): number | undefined {
    return this.#stored(id)?.parent;
  }

  answers(id: number): readonly number[] {
    return this.#answers.all(id).map((row) => Number(row['id']));
  }

  everOn(post: number): readonly number[] {
    const found = this.#db.prepare(
      `SELECT id FROM comments WHERE post = ?1 UNION SELECT id FROM lost_comments WHERE post = ?1
       UNION SELECT id FROM moved_comments WHERE post = ?1`,
    );
    return found.all(post).map((row) => Number(row['id']));
  }

  deleted(id: number): DeletedComment | undefined {
    return this.#db.prepare('SELECT position, post, parent FROM lost_comments WHERE id = ?').get(id) as
      | DeletedComment
      | undefined;
  }

  /** Ids of comments affected by events after a position; one more than `limit` if there are more. */
  changedAfter(position: number, limit: number): readonly number[] {
    const found = this.#db.prepare(
      `SELECT id FROM comments WHERE touched > ?1 UNION SELECT id FROM lost_comments WHERE position > ?1
       UNION SELECT c.id FROM comment_losses l JOIN comments c ON c.post = l.post WHERE max(l.trashed, l.deleted) > ?1
       LIMIT ?2`,
    );
    return found.all(position, limit + 1).map((row) => Number(row['id']));
  }

  apply(id: number, events: readonly RecordedEvent<CommentEvent>[]): void {
    const stored = this.#stored(id);
    const before = stored === undefined ? null : (this.#withLosses(stored) ?? null);
    let [after, touched, written]: [Comment | null, number, string] = [before, 0, stored?.written ?? ''];
    for (const { event, meta } of events) {
      // The row that an erasure would change no longer exists.
      if (event.type === 'CommentErased') continue;
      if (event.type === 'CommentWritten') written = meta.at;
      if (event.type === 'CommentDeleted') this.#delete(event.data, after ?? stored ?? null, meta.position);
      if (event.type === 'CommentChanged' && event.data.post !== undefined && after !== null) {
        this.#db.prepare('INSERT INTO moved_comments VALUES (?, ?, ?)').run(meta.position, id, after.post);
      }
      after = evolveComment(after, event);
      touched = meta.position;
    }
    if (touched === 0) return;
    this.counts.change(before, after);
    if (after !== null) this.#put(after, { touched, written }, stored);
    else if (stored !== undefined) this.#remove(id);
  }

  insert({ touched, ...comment }: CommentRow): void {
    this.counts.change(null, comment);
    this.#put(comment, { touched, written: '' }, undefined);
  }

  /** Gives a comment the texts that its events have now. */
  renewTexts(id: number, events: readonly RecordedEvent<CommentEvent>[]): void {
    const stored = this.#stored(id);
    const now = events.reduce<Comment | null>((comment, { event }) => evolveComment(comment, event), null);
    if (stored === undefined || now === null) return;
    const texts = Object.fromEntries(textNames.map((name) => [name, now[name]]));
    this.#put({ ...stored, ...texts }, stored, stored);
  }

  /** Rewrites the trigrams, in steps: those of a deleted or changed comment remain until then. */
  *dropDeletedGrams(): Generator<void> {
    const merge = this.#db.prepare("INSERT INTO comment_grams (comment_grams, rank) VALUES ('merge', ?)");
    const changes = this.#db.prepare('SELECT total_changes() AS n');
    // A negative number begins to merge everything; fewer than two changes: nothing was left to do.
    for (let [pages, before, after] = [-mergedAtOnce, 0, 2]; after - before >= 2; pages = mergedAtOnce) {
      before = Number(changes.get()?.['n']);
      merge.run(pages);
      after = Number(changes.get()?.['n']);
      yield;
    }
  }

  lose(post: number, fate: 'trashed' | 'deleted', position: number): void {
    if (!this.counts.has(post)) return;
    const { trashed, deleted } = this.#lossOf(post);
    this.#saveLoss(post, fate === 'trashed' ? { trashed: position, deleted } : { trashed, deleted: position });
    this.counts.settle(post, fate === 'trashed' ? 'post-trashed' : null);
  }

  loseWithAuthor(position: number): void {
    const posts = this.#db.prepare(
      `SELECT DISTINCT post FROM comment_counts WHERE post IN (
         SELECT id FROM entries WHERE author IN (SELECT id FROM lost_users WHERE trashed = ?) AND ${wentWithAuthor}
       )`,
    );
    const lost = posts.all(position).map(({ post }) => Number(post));
    for (const post of lost) this.#saveLoss(post, { trashed: position, deleted: this.#lossOf(post).deleted });
    this.counts.settleAll(lost, 'post-trashed');
  }

  /** Reads all rows of a comment. Throws `DamagedRow` if one of them is damaged. */
  check(id: number): void {
    const row = this.#stored(id);
    if (row !== undefined) this.#lossOf(row.post);
  }

  #saveLoss(post: number, { trashed, deleted }: Loss): void {
    this.#putLoss.run(post, trashed, deleted, sumOf([post, trashed, deleted]));
  }

  #delete({ id, parent }: { id: number; parent: number }, deleted: Comment | null, position: number): void {
    const post = deleted?.post ?? 0;
    this.#db.prepare('INSERT OR REPLACE INTO lost_comments VALUES (?, ?, ?, ?)').run(position, id, post, parent);
    for (const answer of this.answers(id)) {
      const stored = answer === id ? undefined : this.#stored(answer);
      const row = stored && this.#withLosses(stored);
      if (row !== undefined)
        this.#put({ ...row, parent }, { touched: position, written: stored?.written ?? '' }, stored);
    }
  }

  #withLosses(row: StoredRow): CommentRow | undefined {
    const { written: _, folded: __, ...comment } = row;
    const { trashed, deleted } = this.#lossOf(row.post);
    if (deleted > 0) return undefined;
    return trashed > row.touched ? { ...comment, status: 'post-trashed' } : comment;
  }

  #lossOf(post: number): Loss {
    const row = post === 0 ? undefined : this.#loss.get(post);
    if (row === undefined) return none;
    const { trashed, deleted, sum } = row as unknown as { trashed: number; deleted: number; sum: number };
    checkSum(sum, sumOf([post, trashed, deleted]), 'comment_losses', post);
    return { trashed, deleted };
  }

  #stored(id: number): StoredRow | undefined {
    const row = this.#byId.get(id);
    return row === undefined ? undefined : toRow(row as unknown as Columns);
  }

  #put(
    comment: Comment,
    { touched, written }: { readonly touched: number; readonly written: string },
    before: StoredRow | undefined,
  ): void {
    const { id, kind, post, parent, author, status, remembered, resolution, date, dateGmt, email, ip } = comment;
    const values = [
      ...[id, touched, kind, post, parent, author, status, remembered, resolution, date, dateGmt, written],
      ...[foldText(email), networkOf(ip), twinOf(comment)],
    ];
    this.#save.run(...values, sumOf(values));
    if (before === undefined || textNames.some((name) => before[name] !== comment[name]))
      this.#putTexts(comment, before);
  }

  #putTexts(comment: Comment, before: StoredRow | undefined): void {
    const { id } = comment;
    const folded = searched(comment);
    const texts = [...textNames.map((name) => comment[name]), folded];
    this.#saveTexts.run(id, ...texts, sumOfTexts(id, texts));
    if (before?.folded === folded) return;
    if (before !== undefined) this.#dropGrams.run(id);
    this.#saveGrams.run(id, folded);
  }

  #remove(id: number): void {
    for (const table of ['comments', 'comment_texts']) this.#db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    this.#dropGrams.run(id);
  }
}

export function twinOf(comment: Pick<Comment, 'post' | 'parent' | 'content'>): number {
  return sumOf([comment.post, comment.parent, foldText(comment.content)]);
}

const none = { trashed: 0, deleted: 0 };
/** Pages: some milliseconds of work. */
const mergedAtOnce = 16;

const textNames = ['name', 'email', 'url', 'ip', 'agent', 'content'] as const satisfies readonly (keyof CommentTexts)[];
const columns = [
  ...['id', 'touched', 'kind', 'post', 'parent', 'author', 'status', 'remembered', 'resolution'],
  ...['date', 'date_gmt', 'written', 'mail', 'network', 'twin', 'sum'],
];

interface StoredRow extends CommentRow {
  readonly written: string;
  readonly folded: string;
}

interface Columns extends Omit<CommentRow, 'dateGmt'> {
  readonly date_gmt: string;
  readonly written: string;
  readonly mail: string;
  readonly network: string;
  readonly twin: number;
  readonly sum: number;
  readonly folded: string;
  readonly text_id: number | null;
  readonly text_sum: number;
}

function toRow(row: Columns): StoredRow {
  const { id, touched, kind, post, parent, author, remembered, resolution, date, date_gmt: dateGmt, written } = row;
  const status: CommentStatus = row.status;
  const own = [id, touched, kind, post, parent, author, status, remembered, resolution, date, dateGmt, written];
  checkSum(row.sum, sumOf([...own, row.mail, row.network, row.twin]), 'comments', id);
  const { name, email, url, ip, agent, content, folded } = row;
  const textSum = row.text_id === null ? null : sumOfTexts(id, [name, email, url, ip, agent, content, folded]);
  checkSum(row.text_sum, textSum ?? -1, 'comment_texts', id);
  const texts = { name, email, url, ip, agent, content, folded };
  return { id, touched, kind, post, parent, author, status, remembered, resolution, date, dateGmt, written, ...texts };
}

function searched({ name, email, url, ip, content }: Comment): string {
  const personal = `${email} ${ip}`.replaceAll(personalEnd, ' ');
  return foldText([personal, name, url, content].join(personalEnd).replaceAll('\0', ''));
}
