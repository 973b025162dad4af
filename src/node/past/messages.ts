import type { CollectionQuery, Found } from '#projections/collection/types.ts';
import type { CommentQuery } from '#projections/comments/types.ts';

/** What the process that has a past state is asked, and what it answers; both pass as structured clones. */

export interface Question {
  readonly id: number;
  /** Not after that of the state. */
  readonly position: number;
  /** A collection; null: the counts of all terms. */
  readonly query: CollectionQuery | null;
  readonly comments?: CommentQuery;
}

export interface Reply {
  /** Of the question; 0: the state is there and takes questions. */
  readonly id: number;
  readonly value: Found | ReadonlyMap<number, number> | null;
}
