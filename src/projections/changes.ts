import type { LossEvent } from '#domain/entry/state.ts';

export interface Changes {
  readonly entries: Set<number>;
  readonly media: Set<number>;
  /** Terms, images, users and parents that were deleted: what had them has changed too. */
  readonly lost: LossEvent[];
  /** Something that entries show of others is different: a term's name or slug, the site's address. */
  shared: boolean;
  /** Keys of the cache versions that projections of everything else name (`touches`). */
  readonly keys: Set<string>;
}

export const noChanges = (): Changes => ({
  entries: new Set(),
  media: new Set(),
  lost: [],
  shared: false,
  keys: new Set(),
});
