import { valueAt } from './attributes.ts';
import { BlockOutput } from './block-output.ts';
import { startTags, wrapperIn } from './block-tags.ts';
import { attributesOf, type Block, parseBlocks } from './blocks.ts';
import { blockKindOf, onlyOpens } from './kinds/all.ts';
import type { Closing, Kind, KindParts, MarkedTag } from './kinds/kind.ts';
import type { OpenTag } from './open-tag.ts';
import type { JsonMap } from './ordered-json.ts';
import { type Overridden, overridden } from './pattern-overrides.ts';
import { noScope, type Scope, type ServerBlock, scopeWithin, serverBlocks } from './server-blocks.ts';
import { elementsClass, numberClasses, variationClass } from './supports/class-names.ts';
import { duotoneRules } from './supports/duotone.ts';
import { elementRules, stickyRules, visibilityRules } from './supports/element-rules.ts';
import { fluidParts } from './supports/fluid-size.ts';
import { containerClasses, isContainer, layoutOf, placementClass } from './supports/layout.ts';
import { containerRules, placementRules } from './supports/layout-rules.ts';
import {
  aspectRatio,
  background,
  duotone,
  fitText,
  hiddenOn,
  isHidden,
  position,
  visibility,
} from './supports/outer-tag.ts';
import type { ClassRule } from './supports/style-rule.ts';
import type { Surroundings } from './surroundings.ts';
import { nextTag, type Tag } from './tags.ts';

interface Frame {
  readonly block: Block;
  readonly name: string;
  readonly kind: Kind;
  readonly attributes: JsonMap;
  readonly scope: Scope;
  readonly parentLayout: JsonMap | undefined;
  readonly start: number;
  readonly urgencies: number;
  readonly needsOuter: boolean;
  outer: OpenTag | null;
  wrapper: OpenTag | null | undefined;
}

interface Job {
  readonly part: string | Block;
  readonly frame: Frame | null;
  readonly isFirst: boolean;
}

interface State {
  readonly output: BlockOutput;
  readonly surroundings: Surroundings;
  readonly work: (Job | Frame)[];
  readonly open: Frame[];
  /** Number of open blocks that have their outer tag: always the outermost ones. */
  withOuter: number;
  /** Number of the others that need one. */
  needing: number;
  /** Number of open paragraphs. */
  paragraphs: number;
  readonly marked: Map<string, MarkedTag[]>;
  place: number;
}

/** Renders a text with blocks: removes delimiters and does the server's work on each block. */
export function renderBlocks(text: string, surroundings: Surroundings): string {
  return renderParsed(parseBlocks(text), surroundings);
}

/** Renders parsed blocks. */
export function renderParsed(blocks: readonly Block[], surroundings: Surroundings): string {
  const output = new BlockOutput();
  const state: State = {
    output,
    surroundings,
    work: [],
    open: [],
    withOuter: 0,
    needing: 0,
    paragraphs: 0,
    marked: new Map(),
    place: 0,
  };
  addJobs(state, blocks, null);
  // Uses an explicit stack, because blocks can be nested deeper than the call stack allows.
  for (let job = state.work.pop(); job !== undefined; job = state.work.pop()) {
    if (!('part' in job)) leave(state, job);
    else if (typeof job.part === 'string') emit(state, job.part, job);
    else enter(state, job.part, job.frame);
  }
  return output.finish();
}

function addJobs(state: State, parts: readonly (string | Block)[], frame: Frame | null): void {
  for (let i = parts.length - 1; i >= 0; i--) state.work.push({ part: parts[i] ?? '', frame, isFirst: i === 0 });
}

function enter(state: State, stored: Block, parent: Frame | null): void {
  const { name } = stored;
  if (name === null) {
    addJobs(state, stored.parts, null);
    return;
  }
  const { output, surroundings } = state;
  const simple = simpleMarkup(state, stored);
  if (simple !== null) {
    output.add(surroundings.outline?.open(stored, NONE) ?? '');
    output.add(output.prepare(simple));
    output.add(surroundings.outline?.close() ?? '');
    return;
  }
  const around = parent?.scope ?? surroundings.scope ?? noScope;
  const { block, attributes } = filledIn(stored, { scope: around, footnotes: surroundings.footnotes });
  const mark = surroundings.outline?.open(block, new Map(attributes)) ?? '';
  numberClasses(name, attributes, surroundings.counters);
  const kind = blockKindOf(name);
  const parts = partsOf(kind, { name, block, attributes, scope: around }, surroundings);
  if (parts === null) {
    const end = surroundings.outline?.close() ?? '';
    if (!isHidden(attributes)) output.add(mark + end);
    return;
  }
  const scope = scopeWithin(name, attributes, around);
  const parentLayout = parent === null ? undefined : layoutOf(parent.attributes);
  const urgencies = beginUrgencies(output, kind, attributes);
  const start = state.place;
  const frame = {
    block,
    name,
    kind,
    attributes,
    scope,
    parentLayout,
    start,
    urgencies,
    needsOuter: isContainer(name) || isDecorated(attributes) || isFinished(kind, attributes),
    outer: null,
    wrapper: undefined,
  };
  if (isHidden(attributes)) output.mute();
  output.add(mark);
  state.open.push(frame);
  if (frame.needsOuter) state.needing += 1;
  if (name === PARAGRAPH) state.paragraphs += 1;
  state.work.push(frame);
  addJobs(state, fluidParts(parts, attributes), frame);
}

/** A block with its attributes and the values that they are bound to. */
function filledIn(block: Block, values: Parameters<typeof overridden>[2]): Overridden {
  const attributes = attributesOf(block);
  return overridden(block, attributes, values) ?? { block, attributes };
}

const PARAGRAPH = 'core/paragraph';
const NONE: JsonMap = new Map();

/**
 * Fast path for a block without attributes and inner blocks while no open block waits for its outer tag: covers most blocks and is several
 * times as fast. Null for any other block.
 */
function simpleMarkup({ output, open, withOuter, paragraphs, surroundings }: State, block: Block): string | null {
  const { name, json, parts } = block;
  const [html] = parts;
  if (json !== '' || parts.length !== 1 || typeof html !== 'string' || name === null) return null;
  if (withOuter < open.length || output.isMuted || serverBlocks.has(name) || isContainer(name)) return null;
  if (name === PARAGRAPH) return paragraphs > 0 ? null : simpleParagraph(html);
  const kind = blockKindOf(name);
  if (!onlyOpens(kind)) return null;
  const [changed] = kind.open === undefined ? parts : (kind.open(block, NONE, surroundings) ?? []);
  return typeof changed === 'string' ? changed : null;
}

function simpleParagraph(html: string): string | null {
  const start = html.startsWith('\n<p>') ? 1 : 0;
  if (!html.startsWith('<p>', start)) return null;
  return `${html.slice(0, start)}<p class="wp-block-paragraph">${html.slice(start + '<p>'.length)}`;
}

/** What a block is made of; null if it shows nothing. */
function partsOf(kind: Kind, made: ServerBlock, surroundings: Surroundings): KindParts | null {
  if (!serverBlocks.has(made.name)) {
    return kind.open === undefined ? made.block.parts : kind.open(made.block, made.attributes, surroundings);
  }
  const html = surroundings.server?.block(made) ?? '';
  return html === '' ? null : [html];
}

/** Starts lower priorities for the images of a hidden block. Returns how many. */
function beginUrgencies(output: BlockOutput, { hides }: Kind, attributes: JsonMap): number {
  const priorities = [...(hiddenOn(attributes).length > 0 ? ['auto'] : []), ...(hides?.(attributes) ? ['low'] : [])];
  for (const priority of priorities) output.beginUrgency(priority);
  return priorities.length;
}

/** Adds markup. Its first tag becomes the outer tag of all open blocks without one. */
function emit(state: State, html: string, { frame, isFirst }: Job): void {
  const text = state.output.prepare(html);
  if (state.output.isMuted) return;
  const outer = wantsOuter(state) ? nextTag(text, 0) : null;
  const wrapper = frame !== null && isFirst && isContainer(frame.name) ? wrapperIn(text, frame.block) : undefined;
  const marks = frame === null ? NO_MARKS : marksOf(text, frame);
  if (outer === null && wrapper === undefined && marks.length === 0) {
    state.output.add(text);
    return;
  }
  if (outer !== null && wrapper === undefined && marks.length === 0) {
    const [opened = null] = state.output.addOpen(text, [outer]);
    giveOuter(state, opened);
    return;
  }
  const tags = distinct([outer, wrapper ?? null, ...marks.map(({ tag }) => tag)]);
  const opened = new Map(state.output.addOpen(text, tags).map((open, i) => [tags[i]?.start ?? -1, open]));
  if (outer !== null) giveOuter(state, opened.get(outer.start) ?? null);
  if (frame !== null && wrapper !== undefined) frame.wrapper = wrapper === null ? null : opened.get(wrapper.start);
  for (const { name, tag } of marks) mark(state, name, opened.get(tag.start));
}

function wantsOuter({ needing }: State): boolean {
  return needing > 0;
}

function giveOuter(state: State, outer: OpenTag | null): void {
  for (const frame of state.open.slice(state.withOuter)) frame.outer = outer;
  state.withOuter = state.open.length;
  state.needing = 0;
}

const NO_MARKS: readonly { readonly name: string; readonly tag: Tag }[] = [];

function marksOf(html: string, { kind, attributes }: Frame): typeof NO_MARKS {
  if (kind.marks === undefined || kind.isMarked?.(attributes) === false) return NO_MARKS;
  return markedIn(html, kind.marks);
}

function markedIn(html: string, nameOf: (tag: Tag) => string | null): { name: string; tag: Tag }[] {
  const marks = new Map<string, Tag>();
  for (const tag of startTags(html)) {
    const name = nameOf(tag);
    if (name !== null && !marks.has(name)) marks.set(name, tag);
  }
  return [...marks].map(([name, tag]) => ({ name, tag })).sort((one, other) => one.tag.start - other.tag.start);
}

function mark(state: State, name: string, tag: OpenTag | undefined): void {
  if (tag === undefined) return;
  const known = state.marked.get(name);
  if (known === undefined) state.marked.set(name, [{ tag, place: state.place }]);
  else known.push({ tag, place: state.place });
  state.place++;
}

function distinct(tags: readonly (Tag | null)[]): Tag[] {
  const byStart = new Map(tags.filter((tag) => tag !== null).map((tag) => [tag.start, tag]));
  return [...byStart.values()].sort((one, other) => one.start - other.start);
}

function leave(state: State, frame: Frame): void {
  const { kind, attributes, outer } = frame;
  const { counters } = state.surroundings;
  state.open.pop();
  state.output.add(state.surroundings.outline?.close() ?? '');
  if (frame.name === PARAGRAPH) state.paragraphs -= 1;
  if (frame.needsOuter && state.withOuter <= state.open.length) state.needing -= 1;
  state.withOuter = Math.min(state.withOuter, state.open.length);
  for (let i = 0; i < frame.urgencies; i++) state.output.endUrgency();
  if (isHidden(attributes)) state.output.unmute();
  const closing: Closing = {
    attributes,
    outer,
    counters,
    place: frame.start,
    find: (wanted, from) => firstFrom(state.marked.get(wanted) ?? [], from),
  };
  kind.close?.(closing);
  if (!isDecorated(attributes)) layOut(frame);
  else decorate(frame, state.surroundings);
  if (outer !== null) state.surroundings.rules?.(layoutRules(frame));
  kind.finish?.(closing);
}

/** Attributes that change the outer tag, besides the layout. */
const DECORATING = ['style', 'className', 'metadata', 'fitText', 'minHeight'];

function isDecorated(attributes: JsonMap): boolean {
  return attributes.size > 0 && DECORATING.some((key) => attributes.has(key));
}

function isFinished({ close, finish, isMarked }: Kind, attributes: JsonMap): boolean {
  return (close !== undefined || finish !== undefined) && isMarked?.(attributes) !== false;
}

function decorate(frame: Frame, { counters, rules }: Surroundings): void {
  const { name, attributes, outer } = frame;
  const rendered = { name, attributes, outer, counters };
  outer?.change({ classes: [elementsClass(attributes)] });
  fitText(rendered);
  layOut(frame);
  const sticky = position(rendered);
  aspectRatio(rendered);
  const coloured = duotone(rendered);
  background(rendered);
  outer?.change({ classes: [variationClass(attributes)] });
  visibility(rendered);
  if (rules === undefined || outer === null) return;
  rules(elementRules(attributes));
  if (sticky !== null) rules(stickyRules(sticky, attributes));
  if (coloured !== null) rules(duotoneRules(name, coloured, valueAt(attributes, 'style', 'color', 'duotone') ?? null));
  rules(visibilityRules(attributes));
}

function layoutRules({ name, attributes, parentLayout }: Frame): readonly ClassRule[] {
  return [...placementRules(attributes, parentLayout), ...containerRules(name, attributes)];
}

function layOut({ name, attributes, parentLayout, outer, wrapper }: Frame): void {
  if (outer === null) return;
  const place = placementClass(attributes, parentLayout);
  if (place !== null) outer.change({ classes: [place] });
  if (!isContainer(name)) return;
  const around = wrapper === undefined ? outer : wrapper;
  around?.change({ classes: containerClasses(name, attributes) });
}

function firstFrom(tags: readonly MarkedTag[], from: number): MarkedTag | null {
  let [low, high] = [0, tags.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tags[middle]?.place ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return tags[low] ?? null;
}
