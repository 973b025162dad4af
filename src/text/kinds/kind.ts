import type { Block } from '../blocks.ts';
import type { Counters } from '../counters.ts';
import type { OpenTag } from '../open-tag.ts';
import type { JsonMap } from '../ordered-json.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Tag } from '../tags.ts';

export type Parts = readonly (string | Block)[];

/** A tag that a kind of block asked for, with its place among all of the text. */
export interface MarkedTag {
  readonly tag: OpenTag;
  readonly place: number;
}

/** A block whose inner blocks have been rendered. */
export interface Closing {
  readonly attributes: JsonMap;
  readonly counters: Counters;
  /** The first tag, its own or one of the blocks in it; null without any. */
  readonly outer: OpenTag | null;
  /** Where its markup begins. */
  readonly place: number;
  /** The first tag with the name at or behind a place. */
  readonly find: (name: string, from: number) => MarkedTag | null;
}

/** What a kind of block does to its own markup. The members are called in this order. */
export interface Kind {
  /** The block's parts, changed; null: it shows nothing. */
  readonly open?: (block: Block, attributes: JsonMap, within: Surroundings) => Parts | null;
  /** Whether its images are not urgent because it hides them. */
  readonly hides?: (attributes: JsonMap) => boolean;
  /** A name for tags of its own markup that can change when it is closed. */
  readonly marks?: (tag: Tag) => string | null;
  /** Whether it asks for tags at all; absent: it does. */
  readonly isMarked?: (attributes: JsonMap) => boolean;
  /** Before the classes of the layout and the like are added. */
  readonly close?: (closing: Closing) => void;
  /** After that. */
  readonly finish?: (closing: Closing) => void;
}
