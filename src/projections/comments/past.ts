import { DatabaseSync } from 'node:sqlite';
import type { EventStore } from '#eventstore/port.ts';
import type { Deletions } from '../deletions/deletions.ts';
import type { Found } from '../kernel/collection-query.ts';
import { rowsInPieces } from '../kernel/long-rows.ts';
import type { MaybeAsync } from '../kernel/maybe-async.ts';
import { remember } from '../kernel/remember.ts';
import { merged, placedComments, totalOf } from './find.ts';
import { CommentFolds } from './fold.ts';
import type { PresentComments } from './present.ts';
import { commentLateIndexes, commentTables } from './schema.ts';
import { CommentTable } from './store.ts';
import { threadsOf } from './threads.ts';
import type { CommentQuery, CommentRow, Comments, CommentThread } from './types.ts';

export interface PastCommentsParts {
  readonly position: number;
  readonly log: Pick<EventStore, 'read'>;
  readonly now: {
    readonly comments: PresentComments;
    readonly lost: Pick<Deletions, 'users'>;
    readonly position: number;
  };
  /** Finds comments when too many differ; null: there is no limit. */
  readonly far: ((query: CommentQuery) => MaybeAsync<Found>) | null;
  readonly near: number;
}

interface Overlay {
  readonly db: DatabaseSync;
  readonly table: CommentTable;
  readonly hidden: readonly number[];
  readonly reached: number;
}

/** Comments that are folded at once: some milliseconds of work. */
const atOnce = 100;

/** Comments as of a position. Those without later events are read from the present, all others are folded from the log. */
export class PastComments implements Comments {
  readonly #parts: PastCommentsParts;
  readonly #folds: CommentFolds;
  readonly #folded = new Map<number, CommentRow | null>();
  readonly #answered = new Map<number, ReadonlySet<number>>();
  #overlay: Overlay | null = null;

  constructor(parts: PastCommentsParts) {
    this.#parts = parts;
    const { position, log, now } = parts;
    this.#folds = new CommentFolds({
      position,
      log,
      lost: (id) => now.comments.table.lost(id),
      lostUsers: (until) => now.lost.users(until),
    });
  }

  get(id: number): CommentRow | undefined {
    return remember(this.#folded, id, () => this.#folds.get(id)) ?? undefined;
  }

  count(post: number): number {
    return this.#approvedOn(post).length;
  }

  threads(post: number): readonly CommentThread[] {
    const rows = new Map(this.#approvedOn(post).map((row) => [row.id, row]));
    return threadsOf([...rows.values()], (id) => rows.get(id) as CommentRow);
  }

  hasAnswers(id: number): boolean {
    const { post } = this.get(id) ?? { post: 0 };
    const { table } = this.#parts.now.comments;
    const direct = table.answers(id).flatMap((answer) => this.get(answer) ?? []);
    return answeredBy(direct).has(id) || this.#answeredOn(post).has(id);
  }

  find(query: CommentQuery): MaybeAsync<Found> {
    const { far, near, position, now } = this.#parts;
    const limit = far === null ? Number.MAX_SAFE_INTEGER - 1 : near;
    const changed = now.comments.table.changedAfter(position, limit);
    if (far !== null && changed.length > limit) return far(query);
    const { db, table, hidden } = this.#overlaid(changed);
    const all = { ...query, offset: 0, limit: query.offset + query.limit };
    const present = { db: now.comments.db, counts: now.comments.table.counts, hidden };
    const own = { db, counts: table.counts };
    const placed = merged(placedComments(all, present), placedComments(all, own), query);
    return {
      ids: placed.slice(query.offset, all.limit).map(({ id }) => id),
      total: totalOf(query, present) + totalOf(query, own),
    };
  }

  #approvedOn(post: number): readonly CommentRow[] {
    return this.#everOn(post).filter((row) => row.post === post && row.kind === 'comment' && row.status === 'approved');
  }

  /** Ids of the comments of a post that have answers there. */
  #answeredOn(post: number): ReadonlySet<number> {
    return remember(this.#answered, post, () => answeredBy(this.#everOn(post)));
  }

  #everOn(post: number): readonly CommentRow[] {
    const ids = this.#parts.now.comments.table.everOn(post);
    const folds = (from: number) => ids.slice(from, from + atOnce).map((id) => this.#folds.get(id));
    const folded = rowsInPieces<CommentRow | null>(({ length }) => folds(length), atOnce);
    return folded.filter((row) => row !== null);
  }

  #overlaid(changed: readonly number[]): Overlay {
    const { position: reached } = this.#parts.now;
    if (this.#overlay?.reached === reached) return this.#overlay;
    this.#overlay?.db.close();
    const db = new DatabaseSync(':memory:');
    db.exec(commentTables + commentLateIndexes);
    const table = new CommentTable(db);
    db.exec('BEGIN');
    for (const id of changed) {
      const row = this.get(id);
      if (row !== undefined) table.insert(row);
    }
    db.exec('COMMIT');
    this.#overlay = { db, table, hidden: changed, reached };
    return this.#overlay;
  }
}

function answeredBy(rows: readonly CommentRow[]): ReadonlySet<number> {
  return new Set(rows.flatMap(({ status, parent }) => (status === 'approved' || status === 'hold' ? parent : [])));
}
