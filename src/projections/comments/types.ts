import type { Comment } from '#domain/comment/state.ts';
import type { CommentKind, CommentStatus } from '#domain/comment/vocabulary.ts';
import type { Found } from '../kernel/collection-query.ts';

export interface CommentRow extends Comment {
  readonly touched: number;
}

export type CommentPlace = Pick<CommentRow, 'id' | 'parent' | 'dateGmt'>;

export interface CommentThread {
  readonly id: number;
  /** Read on demand. */
  readonly comment: CommentRow;
  readonly answers: readonly CommentThread[];
}

/** Separates what searches read of a comment; before the first one are the addresses that identify a person. */
export const personalEnd = '\x1f';

/** A collection of comments after validation. Absent members and empty lists do not filter. */
export interface CommentQuery {
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly posts?: readonly number[];
  readonly parents?: readonly number[];
  readonly notParents?: readonly number[];
  readonly authors?: readonly number[];
  readonly notAuthors?: readonly number[];
  readonly email?: string;
  /** Strictly later and earlier, local time. */
  readonly after?: string;
  readonly before?: string;
  readonly search?: string;
  /** Whether the search is also in email addresses and IP addresses. */
  readonly searchesPersonal?: boolean;
  /** Null: any; an empty list finds nothing. */
  readonly statuses: readonly CommentStatus[] | null;
  readonly kinds: readonly CommentKind[] | null;
  readonly orderBy: CommentOrder;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** `include`: in the order of the list `include`, regardless of `order`. */
export type CommentOrder = 'date' | 'date_gmt' | 'id' | 'include' | 'post' | 'parent' | 'kind';

export interface Comments {
  get(id: number): CommentRow | undefined;
  find(query: CommentQuery): Found;
  /** Approved comments on an entry or media item; notes do not count. */
  count(post: number): number;
  threads(post: number): readonly CommentThread[];
  hasAnswers(id: number): boolean;
}
