import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CommentEvent } from '#domain/comment/events.ts';
import { networkOf } from '#domain/comment/network.ts';
import { type Comment, type CommentTexts, evolveComment } from '#domain/comment/state.ts';
import type { CommentStatus } from '#domain/comment/vocabulary.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { foldText } from '#text/fold.ts';
import { wentWithAuthor } from '../entries/deletion-table.ts';
import { checkSum, sumOf, sumOfTexts } from '../kernel/sums.ts';
import { renewEarlier, standingOf, upsertSql } from '../kernel/versions.ts';
import { CommentCounts } from './counts.ts';
import { type CommentPlace, type CommentRow, personalEnd } from './types.ts';

/** Positions at which the host of comments was last moved to the trash, and deleted; 0: never. */
interface Loss {
  readonly trashed: number;
  readonly deleted: number;
}

export class CommentTable {
  /** Those of the present; null: comments have to be counted. */
  readonly counts: CommentCounts | null;
  readonly #db: DatabaseSync;
  readonly #byId: StatementSync;
  readonly #loss: StatementSync;
  readonly #answers: StatementSync;
  readonly #place: StatementSync;
  #writes: ReturnType<typeof prepareWrites> | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.counts = standingOf(db) === undefined ? new CommentCounts(db) : null;
    // With `t.id = c.id`, SQLite reads all texts where these are a view of the past.
    this.#byId = db.prepare(
      `SELECT ${columns.map((name) => `c.${name}`)}, t.name, t.email, t.url, t.ip, t.agent, t.content, t.folded,
         t.id AS text_id, t.sum AS text_sum
       FROM comments c LEFT JOIN comment_texts t ON t.id = ?1 WHERE c.id = ?1`,
    );
    this.#loss = db.prepare('SELECT * FROM comment_losses WHERE post = ?');
    this.#place = db.prepare('SELECT id, parent, date_gmt AS dateGmt FROM comments WHERE id = ?');
    this.#answers = db.prepare('SELECT id FROM comments WHERE parent = ? ORDER BY id');
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

  apply(id: number, events: readonly RecordedEvent<CommentEvent>[]): void {
    const stored = this.#stored(id);
    const before = stored === undefined ? null : (this.#withLosses(stored) ?? null);
    let [after, touched, written]: [Comment | null, number, string] = [before, 0, stored?.written ?? ''];
    for (const { event, meta } of events) {
      // The row that an erasure would change no longer exists.
      if (event.type === 'CommentErased') continue;
      if (event.type === 'CommentWritten' && written === '') written = meta.at;
      if (event.type === 'CommentDeleted') this.#raiseAnswers(event.data, meta.position);
      after = evolveComment(after, event);
      touched = meta.position;
    }
    if (touched === 0) return;
    this.counts?.change(before, after);
    if (after !== null) this.#put(after, { touched, written }, stored);
    else if (stored !== undefined) this.#remove(id);
  }

  /** Gives a comment the texts that its events have now, and its earlier rows those that they had then. */
  renewTexts(id: number, events: readonly RecordedEvent<CommentEvent>[]): void {
    const stored = this.#stored(id);
    const now = textsUntil(Number.POSITIVE_INFINITY, events);
    if (stored !== undefined && now !== null) {
      const { folded: _, ...comment } = { ...stored, ...now };
      this.#renew(comment, stored);
    }
    renewEarlier(this.#db, { table: 'comments', value: id }, (row, until) => {
      const texts = textsUntil(until, events) ?? noTexts;
      return namedIn(
        columns,
        commentValues(
          { ...(row as unknown as Comment), ...texts, dateGmt: String(row['date_gmt']) },
          { touched: Number(row['touched']), written: String(row['written']) },
        ),
      );
    });
    renewEarlier(this.#db, { table: 'comment_texts', value: id }, (_, until) =>
      namedIn(textColumns, textValues(id, textsUntil(until, events) ?? noTexts)),
    );
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
    if (this.counts?.has(post) !== true) return;
    const { trashed, deleted } = this.#lossOf(post);
    this.#saveLoss(post, fate === 'trashed' ? { trashed: position, deleted } : { trashed, deleted: position });
    this.counts?.settle(post, fate === 'trashed' ? 'post-trashed' : null);
  }

  loseWithAuthor(position: number): void {
    const posts = this.#db.prepare(
      `SELECT DISTINCT post FROM comment_counts WHERE post IN (
         SELECT id FROM entries WHERE author IN (SELECT id FROM lost_users WHERE trashed = ?) AND ${wentWithAuthor}
       )`,
    );
    const lost = posts.all(position).map(({ post }) => Number(post));
    for (const post of lost) this.#saveLoss(post, { trashed: position, deleted: this.#lossOf(post).deleted });
    this.counts?.settleAll(lost, 'post-trashed');
  }

  /** Reads all rows of a comment. Throws `DamagedRow` if one of them is damaged. */
  check(id: number): void {
    const row = this.#stored(id);
    if (row !== undefined) this.#lossOf(row.post);
  }

  #saveLoss(post: number, { trashed, deleted }: Loss): void {
    this.#write().loss.run(post, trashed, deleted, sumOf([post, trashed, deleted]));
  }

  #raiseAnswers({ id, parent }: { id: number; parent: number }, position: number): void {
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
    if (deleted > row.touched) return undefined;
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
    this.#write().comment.run(...commentValues(comment, { touched, written }));
    if (before === undefined || textNames.some((name) => before[name] !== comment[name]))
      this.#putTexts(comment, before);
  }

  /** Writes the same version of a comment with other texts. */
  #renew(comment: Omit<StoredRow, 'folded'>, before: StoredRow): void {
    const { id } = comment;
    const renew = (table: string, names: readonly string[], values: readonly (string | number | null)[]) => {
      const set = names.map((name) => `${name} = ?`).join(', ');
      this.#db.prepare(`UPDATE ${table} SET ${set} WHERE id = ?`).run(...values, id);
    };
    renew('comments', columns, commentValues(comment, comment));
    renew('comment_texts', textColumns, textValues(id, comment));
    const folded = searched(comment);
    if (folded === before.folded) return;
    this.#write().dropGrams.run(id);
    this.#write().grams.run(id, folded);
  }

  #putTexts(comment: Comment, before: StoredRow | undefined): void {
    const { id } = comment;
    const folded = searched(comment);
    this.#write().texts.run(...textValues(id, comment));
    if (before?.folded === folded) return;
    if (before !== undefined) this.#write().dropGrams.run(id);
    this.#write().grams.run(id, folded);
  }

  #write(): ReturnType<typeof prepareWrites> {
    this.#writes ??= prepareWrites(this.#db);
    return this.#writes;
  }

  #remove(id: number): void {
    for (const table of ['comments', 'comment_texts']) this.#db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    this.#write().dropGrams.run(id);
  }
}

function prepareWrites(db: DatabaseSync) {
  return {
    comment: db.prepare(upsertSql('comments', columns)),
    texts: db.prepare(upsertSql('comment_texts', textColumns)),
    loss: db.prepare(upsertSql('comment_losses', ['post', 'trashed', 'deleted', 'sum'], ['post'])),
    grams: db.prepare('INSERT INTO comment_grams (rowid, folded) VALUES (?, ?)'),
    dropGrams: db.prepare('DELETE FROM comment_grams WHERE rowid = ?'),
  };
}

export function twinOf(comment: Pick<Comment, 'post' | 'parent' | 'content'>): number {
  return sumOf([comment.post, comment.parent, foldText(comment.content)]);
}

const none = { trashed: 0, deleted: 0 };
const noTexts: CommentTexts = { name: '', email: '', url: '', ip: '', agent: '', content: '' };
/** Pages: some milliseconds of work. */
const mergedAtOnce = 16;

const textNames = ['name', 'email', 'url', 'ip', 'agent', 'content'] as const satisfies readonly (keyof CommentTexts)[];
const textColumns = ['id', ...textNames, 'folded', 'sum'];
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

function commentValues(comment: Comment, { touched, written }: { readonly touched: number; readonly written: string }) {
  const { id, kind, post, parent, author, status, remembered, resolution, date, dateGmt, email, ip } = comment;
  const values = [
    ...[id, touched, kind, post, parent, author, status, remembered, resolution, date, dateGmt, written],
    ...[foldText(email), networkOf(ip), twinOf(comment)],
  ];
  return [...values, sumOf(values)];
}

function textValues(id: number, texts: CommentTexts): (string | number)[] {
  const values = [...textNames.map((name) => texts[name]), searched(texts)];
  return [id, ...values, sumOfTexts(id, values)];
}

/** The texts of a comment after its events before a position; null if it was not there. */
function textsUntil(until: number, events: readonly RecordedEvent<CommentEvent>[]): CommentTexts | null {
  const then = events.filter(({ event, meta }) => meta.position < until && event.type !== 'CommentErased');
  return then.reduce<Comment | null>((comment, { event }) => evolveComment(comment, event), null);
}

function namedIn(names: readonly string[], values: readonly (string | number | null)[]) {
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}

function searched({ name, email, url, ip, content }: CommentTexts): string {
  const personal = `${email} ${ip}`.replaceAll(personalEnd, ' ');
  return foldText([personal, name, url, content].join(personalEnd).replaceAll('\0', ''));
}
