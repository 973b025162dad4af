import type { Block } from '../blocks.ts';
import type { Counters } from '../counters.ts';
import type { OpenTag } from '../open-tag.ts';
import type { JsonMap } from '../ordered-json.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Tag } from '../tags.ts';

export type Parts = readonly (string | Block)[];

export interface MarkedTag {
  readonly tag: OpenTag;
  readonly place: number;
}

export interface Closing {
  readonly attributes: JsonMap;
  readonly counters: Counters;
  /** The first tag, its own or one of the blocks in it; null without any. */
  readonly outer: OpenTag | null;
  readonly place: number;
  readonly find: (name: string, from: number) => MarkedTag | null;
}

export interface Kind {
  /** The block's parts, changed; null: it shows nothing. */
  readonly open?: (block: Block, attributes: JsonMap, within: Surroundings) => Parts | null;
  /** Whether its images are not urgent because it hides them. */
  readonly hides?: (attributes: JsonMap) => boolean;
  readonly marks?: (tag: Tag) => string | null;
  /** Whether it asks for tags at all; absent: it does. */
  readonly isMarked?: (attributes: JsonMap) => boolean;
  readonly close?: (closing: Closing) => void;
  readonly finish?: (closing: Closing) => void;
}
