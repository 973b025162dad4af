import type { Block } from '../blocks.ts';
import type { Counters } from '../counters.ts';
import type { OpenTag } from '../open-tag.ts';
import type { JsonMap } from '../ordered-json.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Tag } from '../tags.ts';

export type KindParts = readonly (string | Block)[];

export interface MarkedTag {
  readonly tag: OpenTag;
  readonly place: number;
}

export interface Closing {
  readonly attributes: JsonMap;
  readonly counters: Counters;
  /** The block's first tag, which may belong to an inner block; null if there is none. */
  readonly outer: OpenTag | null;
  readonly place: number;
  readonly find: (name: string, from: number) => MarkedTag | null;
}

export interface Kind {
  /** Changes the block's parts; null: the block shows nothing. */
  readonly open?: (block: Block, attributes: JsonMap, within: Surroundings) => KindParts | null;
  /** Whether the block hides its images, which then get a low priority. */
  readonly hides?: (attributes: JsonMap) => boolean;
  readonly marks?: (tag: Tag) => string | null;
  /** Whether tags need to be marked; absent: always. */
  readonly isMarked?: (attributes: JsonMap) => boolean;
  readonly close?: (closing: Closing) => void;
  readonly finish?: (closing: Closing) => void;
}
