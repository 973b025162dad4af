import type { EntryRow } from '#projections/entries/row.ts';
import type { Block } from '#text/blocks.ts';
import type { Word } from '#text/brackets/word.ts';
import type { Scope, ServerBlock } from '#text/server-blocks.ts';
import type { Rendering } from './rendering.ts';

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
