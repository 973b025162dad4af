import type { LocalTime } from '#domain/time/local.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { CollectionQuery, Found } from '#projections/collection/types.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Later } from '#projections/later.ts';
import type { Model } from '#projections/model.ts';
import type { Block } from '#text/blocks.ts';
import type { Word } from '#text/brackets/word.ts';
import type { Counters } from '#text/counters.ts';
import type { Scope, ServerBlock } from '#text/server-blocks.ts';

export interface Reading {
  readonly model: Model;
  readonly viewer: Viewer;
  /** Path of the request below the route root. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /**
   * For the answer to a write: which of its fields are wanted. The numbers in it go on from those that the same texts
   * would have got before.
   */
  readonly rehearsed?: ((field: string) => boolean) | undefined;
}

export interface ExcerptChanges {
  readonly length?: number;
  readonly within?: ReadonlySet<string>;
}

/** Renders the texts of one answer that depend on more than themselves, in the order in which they are shown. */
export interface Rendering extends Reading {
  readonly counters: Counters;
  dependsOn: 'everything' | 'time' | null;
  content(post: Post, options?: { readonly within?: ReadonlySet<string>; readonly text?: string }): string;
  excerpt(post: Post, changes?: ExcerptChanges): string;
  /** The same as plain words: the given excerpt as it was written, or the first words of the content. */
  excerptText(post: Post, changes?: ExcerptChanges): string;
  block(block: Block, post: Post): string;
  /** The time, UTC: the answer depends on it from now on. */
  now(): LocalTime;
  found(query: CollectionQuery): Found;
  /** What the model answers, also where that takes its time; null where it refuses. */
  later<T>(key: string, ask: () => Later<T>): T | null;
}

/** What a text is about: an entry, a revision as an entry, or a media item. */
export interface Post {
  readonly id: number;
  readonly row: EntryRow | undefined;
  readonly isLocked: boolean;
  readonly texts: () => { readonly content: string; readonly excerpt: string };
  readonly footnotes: string;
}

export interface Here {
  readonly rendering: Rendering;
  readonly post: Post;
  /** What is being shown and must not be shown within itself. */
  readonly within: ReadonlySet<string>;
  /** Renders what is in a block, or any blocks: for another post, or with more said to them, where that is given. */
  readonly inside: (blocks: readonly (string | Block)[], changes?: Changes) => string;
}

export interface Changes {
  readonly post?: Post;
  readonly scope?: Scope;
  /** Added to `within`. */
  readonly showing?: string;
}

/** Makes what stands in the place of a word in brackets; '' for nothing. */
export type MakeWord = (word: Word, here: Here) => string;

/** Makes the markup of a kind of block; '' for nothing. */
export type Make = (block: ServerBlock, here: Here) => string;
