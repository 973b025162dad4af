import { finishBlock, type Rendering, withKindClass } from './block-kinds.ts';
import { attributesOf, type Block, parseBlocks } from './blocks.ts';
import { containerClasses, layoutOf, placementClass } from './layout.ts';
import type { JsonMap } from './ordered-json.ts';
import { addClasses, attributeOf, nextTag, setAttribute, type Tag } from './tags.ts';

export interface Extras {
  /** The meta field with the footnotes as JSON, or ''. */
  readonly footnotes: string;
}

interface Job {
  readonly part: string | Block;
  readonly parent: JsonMap | undefined;
}

interface State {
  out: string;
  /** A number stands for the end of a block: how many classes were waiting when it began. */
  readonly work: (Job | number)[];
  /** Classes of open blocks without markup of their own, for the first tag that comes. */
  waiting: string[];
  /** How many collapsed elements are open: their images are not urgent. */
  hiddenDepth: number;
}

interface Surroundings {
  readonly attributes: JsonMap;
  readonly parent: JsonMap | undefined;
  readonly state: State;
}

const HIDES = -1;

/** The markup of a text with blocks: delimiters gone, containers with their layout classes, footnotes listed. */
export function renderBlocks(text: string, extras: Extras): string {
  return renderParsed(parseBlocks(text), extras);
}

/** As `renderBlocks`, of blocks already taken apart. */
export function renderParsed(blocks: readonly Block[], extras: Extras): string {
  const state: State = { out: '', work: [], waiting: [], hiddenDepth: 0 };
  // The answer to a save renders a text twice and shows the second pass: galleries are numbered on from the first.
  const rendering: Rendering = { ...extras, galleries: countGalleries(blocks) };
  for (let i = blocks.length - 1; i >= 0; i--) state.work.push({ part: blocks[i] ?? '', parent: undefined });
  // A stack of what is still to do, because blocks can be nested deeper than calls can.
  for (let job = state.work.pop(); job !== undefined; job = state.work.pop()) {
    if (typeof job === 'number') leave(state, job);
    else if (typeof job.part === 'string') emit(state, job.part);
    else enter(state, job.part, { parent: job.parent, rendering });
  }
  return state.out;
}

function enter(
  state: State,
  block: Block,
  { parent, rendering }: { parent: JsonMap | undefined; rendering: Rendering },
): void {
  if (block.name === null) {
    for (const part of block.parts) emit(state, typeof part === 'string' ? part : '');
    return;
  }
  const attributes = attributesOf(block);
  if (isInvisible(attributes)) return;
  const parts = finishBlock(block, attributes, rendering);
  if (parts === null) return;
  if (block.name === 'core/details' && attributes.get('showContent') !== true) {
    state.hiddenDepth++;
    state.work.push(HIDES);
  }
  state.work.push(state.waiting.length);
  const inner = layoutOf(attributes);
  const laidOut = withKindClass(block.name, layOut(block, parts, { attributes, parent, state }));
  for (let i = laidOut.length - 1; i >= 0; i--) state.work.push({ part: laidOut[i] ?? '', parent: inner });
}

function leave(state: State, mark: number): void {
  if (mark === HIDES) state.hiddenDepth--;
  else if (state.waiting.length > mark) state.waiting.length = mark;
}

function emit(state: State, text: string): void {
  let html = text;
  if (state.waiting.length > 0) {
    const tag = nextTag(html, 0);
    if (tag !== null) {
      html = addClasses(html, tag, state.waiting.toReversed());
      state.waiting = [];
    }
  }
  state.out += state.hiddenDepth > 0 && html.includes('<img') ? deferImages(html) : html;
}

/** Adds the classes for a block's place in its container and for the layout of what is in it. */
function layOut(
  block: Block,
  parts: (string | Block)[],
  { attributes, parent, state }: Surroundings,
): (string | Block)[] {
  const place = placementClass(attributes, parent);
  const classes = containerClasses(block.name ?? '', attributes);
  if (place === null && classes === null) return parts;
  const first = parts[0];
  let html = typeof first === 'string' ? first : '';
  const outer = nextTag(html, 0);
  if (outer === null) {
    state.waiting.push(...[place ?? '', ...(classes ?? [])].filter((name) => name !== '').reverse());
    return parts;
  }
  if (place !== null) html = addClasses(html, outer, [place]);
  if (classes !== null) {
    const wrapper = parts.length > 1 ? findWrapper(html, block.parts[0]) : nextTag(html, 0);
    if (wrapper !== null) html = addClasses(html, wrapper, classes);
  }
  return [html, ...parts.slice(1)];
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

function deferImages(html: string): string {
  let out = html;
  for (let tag = nextTag(out, 0); tag !== null; ) {
    const before = out.length;
    if (tag.name === 'img') out = setAttribute(out, tag, { name: 'fetchpriority', value: 'low' });
    tag = nextTag(out, tag.end + out.length - before);
  }
  return out;
}

function countGalleries(blocks: readonly Block[]): number {
  let count = 0;
  const rest: (string | Block)[] = [...blocks];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (typeof part === 'string') continue;
    if (part.name === 'core/gallery') count++;
    for (const inner of part.parts) if (typeof inner !== 'string') rest.push(inner);
  }
  return count;
}
