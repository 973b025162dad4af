import { beginBlock, finishBlock, type Parts, withKindClass } from './block-kinds.ts';
import { attributesOf, type Block, parseBlocks } from './blocks.ts';
import { containerClasses, layoutOf, placementClass } from './layout.ts';
import { type Markup, textOf } from './markup.ts';
import type { JsonMap } from './ordered-json.ts';
import { noScope, type Scope, scopeWithin, serverBlocks } from './server-blocks.ts';
import type { Surroundings } from './surroundings.ts';
import { addClasses, attributeOf, nextTag, setAttribute, type Tag } from './tags.ts';

/** A block that has been entered but not yet left. */
interface OpenBlock {
  readonly block: Block;
  readonly attributes: JsonMap;
  readonly scope: Scope;
  /** Layout of the block around it. */
  readonly parentLayout: JsonMap | undefined;
  /** It stands in a collapsed element: its images are not urgent. */
  readonly isHidden: boolean;
  /** What is still to be rendered, the next last. */
  readonly rest: (string | Block)[];
  /** Markup of its own, and of the blocks in it. */
  readonly done: (string | Markup)[];
}

const NONE: JsonMap = new Map();
const nothing: Block = { name: null, json: '', parts: [] };

/** The markup of a text with blocks: delimiters gone, containers with their layout classes, footnotes listed. */
export function renderBlocks(text: string, surroundings: Surroundings): string {
  return renderParsed(parseBlocks(text), surroundings);
}

/** As `renderBlocks`, of blocks already taken apart. Inner blocks are rendered before those around them. */
export function renderParsed(blocks: readonly Block[], surroundings: Surroundings): string {
  const scope = surroundings.scope ?? noScope;
  const rest = [...blocks].reverse();
  const root = { block: nothing, attributes: NONE, scope, parentLayout: undefined, isHidden: false, rest, done: [] };
  // A stack, because blocks can be nested deeper than calls can.
  const open: OpenBlock[] = [root];
  for (let here: OpenBlock = root; ; here = open.at(-1) ?? root) {
    const part = here.rest.pop();
    if (typeof part === 'string') here.done.push(part);
    else if (part !== undefined) open.push(...enter(part, here));
    else if (here === root) return textOf({ parts: root.done, classes: [] });
    else {
      open.pop();
      const markup = leave(here, surroundings);
      if (markup !== null) open.at(-1)?.done.push(markup);
    }
  }
}

/** Begins a block; none if nothing of it is shown. */
function enter(block: Block, around: OpenBlock): OpenBlock[] {
  const { name } = block;
  if (name === null) {
    for (const part of block.parts) if (typeof part === 'string') around.done.push(part);
    return [];
  }
  const attributes = attributesOf(block);
  if (isInvisible(attributes)) return [];
  const rest = serverBlocks.has(name) ? [] : [...beginBlock(block)].reverse();
  const isHidden = around.isHidden || (name === 'core/details' && attributes.get('showContent') !== true);
  const scope = scopeWithin(name, attributes, around.scope);
  const parentLayout = layoutOf(around.attributes);
  return [{ block, attributes, scope, parentLayout, isHidden, rest, done: [] }];
}

/** The markup of a block whose inner blocks are rendered; null for nothing. */
function leave(open: OpenBlock, surroundings: Surroundings): Markup | null {
  const { block, attributes, isHidden } = open;
  const name = block.name ?? '';
  const made = serverBlocks.has(name) ? makeBlock(open, surroundings) : open.done;
  const finished = made === null ? null : finishBlock({ block, attributes, parts: made }, surroundings);
  if (finished === null) return null;
  const { parts, classes } = layOut(open, finished);
  const named = withKindClass(name, parts);
  return { parts: isHidden ? named.map(deferOwnImages) : named, classes };
}

function makeBlock({ block, attributes, scope }: OpenBlock, { server }: Surroundings): Parts | null {
  const html = server?.block({ name: block.name ?? '', block, attributes, scope }) ?? '';
  return html === '' ? null : [html];
}

/** Adds the classes for a block's place in its container and for the layout of what is in it. */
function layOut({ block, attributes, parentLayout }: OpenBlock, parts: Parts): Markup {
  const place = placementClass(attributes, parentLayout);
  const classes = containerClasses(block.name ?? '', attributes);
  if (place === null && classes === null) return { parts, classes: [] };
  const first = parts[0];
  let html = typeof first === 'string' ? first : '';
  const outer = nextTag(html, 0);
  if (outer === null) return { parts, classes: [...(place === null ? [] : [place]), ...(classes ?? [])] };
  if (place !== null) html = addClasses(html, outer, [place]);
  if (classes !== null) {
    const wrapper = parts.length > 1 ? findWrapper(html, block.parts[0]) : nextTag(html, 0);
    if (wrapper !== null) html = addClasses(html, wrapper, classes);
  }
  return { parts: [html, ...parts.slice(1)], classes: [] };
}

/** The element right around the inner blocks: the first that has the classes of the last tag before them. */
function findWrapper(html: string, source: string | Block | undefined): Tag | null {
  let classes = '';
  const text = typeof source === 'string' ? source : '';
  for (let tag = nextTag(text, 0); tag !== null; tag = nextTag(text, tag.end)) {
    const given = attributeOf(tag, 'class');
    if (typeof given === 'string' && given !== '' && given !== '0') classes = given;
  }
  let tag = nextTag(html, 0);
  while (tag !== null && classes !== '' && !String(attributeOf(tag, 'class')).includes(classes)) {
    tag = nextTag(html, tag.end);
  }
  return tag;
}

function isInvisible(attributes: JsonMap): boolean {
  const metadata = attributes.get('metadata');
  return metadata instanceof Map && metadata.get('blockVisibility') === false;
}

function deferOwnImages(part: string | Markup): string | Markup {
  return typeof part === 'string' && part.includes('<img') ? deferImages(part) : part;
}

function deferImages(html: string): string {
  let out = html;
  for (let tag = nextTag(out, 0); tag !== null; ) {
    const before = out.length;
    if (tag.name === 'img') out = setAttribute(out, tag, { name: 'fetchpriority', value: 'low' });
    tag = nextTag(out, tag.end + out.length - before);
  }
  return out;
}
