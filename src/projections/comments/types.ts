import type { Comment } from '#domain/comment/state.ts';
import type { CommentKind, CommentStatus } from '#domain/comment/vocabulary.ts';
import type { Found } from '../collection/types.ts';
import type { Later } from '../later.ts';

export interface CommentRow extends Comment {
  /** Position of the last event of its own, or of the comment that it answers, that concerned it. */
  readonly touched: number;
}

/** A comment with its answers, the oldest first. */
export interface CommentThread {
  readonly comment: CommentRow;
  readonly answers: readonly CommentThread[];
}

/** A collection of comments after validation. Absent members do not filter; empty lists do not either. */
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
  /** Anywhere in name, addresses or words, whatever its case and accents. */
  readonly search?: string;
  /** Null: any; an empty list finds nothing. */
  readonly statuses: readonly CommentStatus[] | null;
  readonly kinds: readonly CommentKind[] | null;
  readonly orderBy: CommentOrder;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** `include`: as `include` lists them, whatever `order` is. */
export type CommentOrder = 'date' | 'date_gmt' | 'id' | 'include' | 'post' | 'parent' | 'kind';

/** What routes and pages read of comments. */
export interface Comments {
  get(id: number): CommentRow | undefined;
  find(query: CommentQuery): Later<Found>;
  /** Approved comments on an entry or media item; notes do not count. */
  count(post: number): number;
  /** Approved comments on an entry or media item, answers below what they answer, the oldest first. */
  threads(post: number): readonly CommentThread[];
  /** Whether a comment has answers that are approved or held. */
  hasAnswers(id: number): boolean;
}
