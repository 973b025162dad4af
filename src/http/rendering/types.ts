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

/** For whom texts are rendered, and in which answer. */
export interface Reading {
  readonly model: Model;
  readonly viewer: Viewer;
  /** Path of the request below the route root. */
  readonly path: string;
  /** Parameters of its query string. */
  readonly query: Readonly<Record<string, unknown>>;
  /**
   * For the answer to a write: which of its fields are wanted. The numbers in it go on from those that the same texts
   * would have got before.
   */
  readonly rehearsed?: ((field: string) => boolean) | undefined;
}

export interface ExcerptChanges {
  /** Words in an excerpt that is made from the content, whether one is given or not. */
  readonly length?: number;
  readonly within?: ReadonlySet<string>;
}

/** Renders the texts of one answer that depend on more than themselves, in the order in which they are shown. */
export interface Rendering extends Reading {
  readonly counters: Counters;
  /** What the answer depends on by what was rendered for it so far. */
  dependsOn: 'everything' | 'time' | null;
  /** The content of a post, or another one as if it were that. */
  content(post: Post, options?: { readonly within?: ReadonlySet<string>; readonly text?: string }): string;
  /** The excerpt of a post, which is made of its content where none is given. */
  excerpt(post: Post, changes?: ExcerptChanges): string;
  /** The same as plain words: the given excerpt as it was written, or the first words of the content. */
  excerptText(post: Post, changes?: ExcerptChanges): string;
  /** A block by itself, as if it stood in a post. */
  block(block: Block, post: Post): string;
  /** The time, UTC: the answer depends on it from now on. */
  now(): LocalTime;
  /** What fits a query. The same query is asked once. */
  found(query: CollectionQuery): Found;
  /** What the model answers, also where that takes its time; null where it refuses. */
  later<T>(key: string, ask: () => Later<T>): T | null;
}

/** What a text is about: an entry, a revision as an entry, or a media item. */
export interface Post {
  readonly id: number;
  /** Undefined for what is no entry. */
  readonly row: EntryRow | undefined;
  /** Its texts are behind a password that did not come. */
  readonly isLocked: boolean;
  /** Its long texts as they were written. */
  readonly texts: () => { readonly content: string; readonly excerpt: string };
  /** The meta field with the footnotes as JSON, or ''. */
  readonly footnotes: string;
}

/** Where in which answer a block stands. */
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
