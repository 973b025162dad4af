import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CommentKind, CommentStatus } from '#domain/comment/vocabulary.ts';
import { checkSum } from '../kernel/sums.ts';

/** Stands for the whole site. */
const everywhere = -1;

export interface Counted {
  readonly post: number;
  readonly kind: CommentKind;
  readonly status: CommentStatus;
}

export class CommentCounts {
  readonly #db: DatabaseSync;
  readonly #of: StatementSync;
  readonly #add: StatementSync;
  readonly #clear: StatementSync;
  readonly #clearPost: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#of = db.prepare('SELECT kind, status, n, un FROM comment_counts WHERE post = ?');
    this.#add = db.prepare(
      `INSERT INTO comment_counts VALUES (?1, ?2, ?3, ?4, 0 - ?4)
       ON CONFLICT (post, kind, status) DO UPDATE SET n = n + ?4, un = un - ?4`,
    );
    this.#clear = db.prepare('DELETE FROM comment_counts WHERE post = ? AND kind = ? AND status = ? AND n = 0');
    this.#clearPost = db.prepare('DELETE FROM comment_counts WHERE post = ?');
  }

  /** Number of comments of any of the kinds and statuses on any of the posts; null: any. */
  total(
    posts: readonly number[] | null,
    kinds: readonly CommentKind[] | null,
    statuses: readonly CommentStatus[] | null,
  ): number {
    let total = 0;
    for (const post of posts === null ? [everywhere] : new Set(posts)) {
      for (const { kind, status, n } of this.#rows(post)) {
        if ((kinds?.includes(kind) ?? true) && (statuses?.includes(status) ?? true)) total += n;
      }
    }
    return total;
  }

  has(post: number): boolean {
    return this.#rows(post).length > 0;
  }

  change(before: Counted | null, after: Counted | null): void {
    if (before !== null) this.#bump(before, -1);
    if (after !== null) this.#bump(after, 1);
  }

  /** Gives all comments on an item one status; null: they are deleted. */
  settle(post: number, status: CommentStatus | null): void {
    const rows = this.#rows(post);
    for (const row of rows) {
      this.#move(everywhere, row, 0 - row.n);
      if (status !== null) this.#move(everywhere, { ...row, status }, row.n);
    }
    this.#clearPost.run(post);
    if (status !== null) for (const row of rows) this.#move(post, { ...row, status }, row.n);
  }

  settleAll(posts: readonly number[], status: CommentStatus): void {
    const those = 'post IN (SELECT value FROM json_each(?))';
    const list = JSON.stringify(posts);
    const sums = this.#db
      .prepare(
        `SELECT kind, status, sum(n) AS n, sum(un) AS un FROM comment_counts WHERE ${those} GROUP BY kind, status`,
      )
      .all(list) as unknown as Row[];
    for (const row of sums) {
      checkSum(row.n, 0 - row.un, 'comment_counts', everywhere);
      this.#move(everywhere, row, 0 - row.n);
      this.#move(everywhere, { ...row, status }, row.n);
    }
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO comment_counts
         SELECT post, kind, ?, sum(n), sum(un) FROM comment_counts WHERE ${those} GROUP BY post, kind`,
      )
      .run(status, list);
    this.#db.prepare(`DELETE FROM comment_counts WHERE ${those} AND status <> ?`).run(list, status);
  }

  #bump(counted: Counted, by: number): void {
    this.#move(counted.post, counted, by);
    this.#move(everywhere, counted, by);
  }

  #move(post: number, { kind, status }: Omit<Counted, 'post'>, by: number): void {
    this.#add.run(post, kind, status, by);
    if (by < 0) this.#clear.run(post, kind, status);
  }

  #rows(post: number): Row[] {
    const rows = this.#of.all(post) as unknown as Row[];
    for (const { n, un } of rows) checkSum(n, 0 - un, 'comment_counts', post);
    return rows;
  }
}

interface Row {
  readonly kind: CommentKind;
  readonly status: CommentStatus;
  readonly n: number;
  readonly un: number;
}
