import { startTags } from '../block-tags.ts';
import type { Block } from '../blocks.ts';
import type { Counters } from '../counters.ts';
import type { OpenTag } from '../open-tag.ts';
import type { JsonMap } from '../ordered-json.ts';
import type { Surroundings } from '../surroundings.ts';
import { addClasses, type Tag } from '../tags.ts';

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

/** Changes the first tag with one of the names in a block's own markup; null if there is none. */
export function changeTag(
  parts: KindParts,
  names: readonly string[],
  change: (html: string, tag: Tag) => string,
): KindParts | null {
  for (const [i, part] of parts.entries()) {
    if (typeof part !== 'string') continue;
    for (const tag of startTags(part)) if (names.includes(tag.name)) return parts.with(i, change(part, tag));
  }
  return null;
}

export function addClassTo(parts: KindParts, names: readonly string[], className: string): KindParts {
  return changeTag(parts, names, (html, tag) => addClasses(html, tag, [className])) ?? parts;
}

export function ownMarkup(parts: KindParts): string {
  return parts.filter((part) => typeof part === 'string').join('');
}

export function isOnlyComments(html: string): boolean {
  let at = 0;
  while (html.startsWith('<!--', at)) {
    const end = html.indexOf('-->', at + 4);
    if (end < 0) return false;
    at = end + 3;
  }
  return at === html.length;
}
