import type { CommentQuery } from '#projections/comments/types.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';

/** Questions to the process that holds a past state, and its replies; both are sent as structured clones. */

export interface Question {
  readonly id: number;
  /** At or before that of the state. */
  readonly position: number;
  /** A collection; null: the counts of all terms. */
  readonly query: CollectionQuery | null;
  readonly comments?: CommentQuery;
}

export interface PastReply {
  /** Id of the question; 0: the state is ready for questions. */
  readonly id: number;
  readonly value: Found | ReadonlyMap<number, number> | null;
}
