import type { Block } from '#blocks/blocks.ts';
import type { Counters } from '#blocks/counters.ts';
import type { BlockOutline } from '#blocks/outline.ts';
import type { Scope, ServerBlock } from '#blocks/server-blocks.ts';
import type { Shortcode } from '#blocks/shortcode.ts';
import type { Surroundings } from '#blocks/surroundings.ts';
import type { LocalTime } from '#domain/time/local.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Cost } from '#text/cost.ts';

export interface Reading {
  readonly model: Model;
  readonly viewer: Viewer;
  /** Path of the request below the route root. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /**
   * For the response to a write: whether a field is wanted. The wanted texts are rendered once in advance, so that numbering
   * continues from there.
   */
  readonly rehearsed?: ((field: string) => boolean) | undefined;
  /** It is for the answer to a write of the viewer, or for that answer again: it shows the state that the write has left. */
  readonly isOfWrite?: boolean;
  /** Fills in lists of posts. Default: they show their templates. */
  readonly lists?: FillLists;
  /** Is told the rules that the classes in the texts stand for. */
  readonly rules?: Surroundings['rules'];
}

/** Renders a text whose lists are filled in beside it. */
export type FillLists = (
  raw: string,
  about: { readonly post: Post; readonly rendering: Rendering },
  render: (text: string) => string,
) => string;

export interface ContentOptions {
  readonly within?: ReadonlySet<string>;
  readonly text?: string;
  /** Leaves its marks in the content. */
  readonly outline?: BlockOutline;
}

export interface ExcerptChanges {
  readonly length?: number;
  readonly within?: ReadonlySet<string>;
}

/** Renders those texts of a response that depend on other data, in the order in which they are shown. */
export interface Rendering extends Reading {
  readonly counters: Counters;
  readonly cost: Cost;
  dependsOn: 'everything' | 'time' | null;
  content(post: Post, options?: ContentOptions): string;
  excerpt(post: Post, changes?: ExcerptChanges): string;
  /** The same as plain text: the excerpt as it was written, or the first words of the content. */
  excerptText(post: Post, changes?: ExcerptChanges): string;
  block(block: Block, post: Post): string;
  /** The current time, UTC. Makes the response depend on the time. */
  now(): LocalTime;
  found(query: CollectionQuery): Found;
  /** A value that is computed once per answer. */
  kept<T>(key: string, find: () => T): T;
}

/** Renders the texts of records. */
export interface TextRendering extends Pick<Rendering, 'content' | 'excerpt' | 'dependsOn'> {
  /** Whether texts are only named, to be made later. Default: false. */
  readonly isLate?: boolean;
}

/** The subject of a text: an entry, a revision as an entry, or a media item. */
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
  /** What is being shown, and must not be shown within itself. */
  readonly within: ReadonlySet<string>;
  /** Renders the contents of a block, any blocks or a text of blocks, optionally for another post or with a changed scope. */
  readonly inside: (blocks: readonly (string | Block)[] | string, changes?: RenderingChanges) => string;
}

export interface RenderingChanges {
  readonly post?: Post;
  readonly scope?: Scope;
  /** Added to `within`. */
  readonly showing?: string;
}

/** Renders a shortcode; '' for nothing. */
export type RenderShortcode = (word: Shortcode, here: Here) => string;

/** Renders blocks of one kind; '' for nothing. */
export type Make = (block: ServerBlock, here: Here) => string;
