import type { Block } from './blocks.ts';
import { maxPieces } from './cost.ts';
import { Counters, type Counts } from './counters.ts';
import { makeExcerptText } from './excerpt.ts';
import { renderContent, renderExcerpt } from './render.ts';
import { renderBlocks } from './render-blocks.ts';
import { type Embed, noScope, type Scope, type ServerSide } from './server-blocks.ts';
import type { ShortcodeName } from './shortcode.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Rendering in another thread, which has no model. It gets the answers to the questions of earlier rounds and renders until it has further
 * ones. Questions that do not depend on missing answers are asked in the same round.
 */

/** A request for something only the server can render, with the state of the counters at that point. */
export type AskedPart = { readonly counts: Counts } & (
  | { readonly block: FlatBlock; readonly scope: string }
  | {
      readonly word: ShortcodeName;
      readonly attributes: readonly (readonly [string, string])[];
      readonly content: string | null;
    }
  | { readonly address: string; readonly sizes: Parameters<Embed>[1] }
);

/** A block with its inner ones in one list, each closed by 0: blocks can be nested deeper than JSON can be made and read. */
export type FlatBlock = readonly (string | Pick<Block, 'name' | 'json'> | 0)[];

export interface GivenPart {
  readonly html: string | null;
  readonly counts: Counts;
}

export interface RenderTask {
  readonly kind: 'content' | 'excerpt' | 'words' | 'blocks';
  readonly footnotes: string;
  readonly length?: number;
  readonly counts: Counts;
  /** Around the text, packed. */
  readonly scope?: string;
  readonly given: readonly GivenPart[];
}

export type RenderOutcome =
  | { readonly html: string; readonly counts: Counts }
  | { readonly asked: readonly AskedPart[] };

/** Renders content or an excerpt. `task` and the outcome are JSON. */
export function renderAsking(raw: string, task: string): string {
  const { kind, footnotes, length, counts, given, scope = '' } = JSON.parse(task) as RenderTask;
  const counters = new Counters();
  counters.set(counts);
  const { server, asked } = askingServer(counters, given);
  const within = { footnotes, counters, server, scope: unpackedScope(scope) };
  const html = made[kind](raw, within, length);
  const outcome: RenderOutcome = asked.length > 0 ? { asked } : { html, counts: counters.counts() };
  return JSON.stringify(outcome);
}

const made: Readonly<Record<RenderTask['kind'], (raw: string, within: Surroundings, length?: number) => string>> = {
  content: renderContent,
  excerpt: (raw, within, length) => renderExcerpt('', raw, { within, ...(length === undefined ? {} : { length }) }),
  blocks: renderBlocks,
  words: (raw, within, length = 55) => makeExcerptText(raw, length, within),
};

export function packed(scope: Scope): string {
  if (scope.size === 0) return '';
  return JSON.stringify(scope, (_, value: unknown) => (value instanceof Map ? { map: [...value] } : value));
}

export function unpackedScope(scope: string): Scope {
  if (scope === '') return noScope;
  return JSON.parse(scope, (_, value) => (Array.isArray(value?.map) ? new Map(value.map) : value)) as Scope;
}

function flat(block: Block): FlatBlock {
  const list: (string | Pick<Block, 'name' | 'json'> | 0)[] = [];
  const rest: (string | Block | 0)[] = [block];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (typeof part !== 'object') {
      list.push(part);
      continue;
    }
    const { name, json, parts } = part;
    list.push({ name, json });
    rest.push(0);
    for (let i = parts.length - 1; i >= 0; i--) rest.push(parts[i] ?? '');
  }
  return list;
}

/** The block of a flat list. */
export function nested(list: FlatBlock): Block {
  const root: (string | Block)[] = [];
  const open = [root];
  for (const part of list) {
    if (part === 0) {
      open.pop();
      continue;
    }
    if (typeof part === 'string') {
      open.at(-1)?.push(part);
      continue;
    }
    const parts: (string | Block)[] = [];
    open.at(-1)?.push({ ...part, parts });
    open.push(parts);
  }
  const [block] = root;
  if (typeof block !== 'object') throw new TypeError('a block without a beginning');
  return block;
}

function askingServer(counters: Counters, given: readonly GivenPart[]) {
  const asked: AskedPart[] = [];
  let next = 0;
  let stage = '';
  const ask = (what: string, question: () => AskedPart): string | null => {
    if (next >= maxPieces) return null;
    const known = given[next++];
    if (known !== undefined) {
      counters.set(known.counts);
      return known.html;
    }
    // Questions of another kind may depend on the missing answers.
    if (stage === '' || stage === what) asked.push(question());
    stage ||= what;
    return '';
  };
  const server: ServerSide = {
    block: ({ block, scope }) =>
      ask('block', () => ({ block: flat(block), scope: packed(scope), counts: counters.counts() })) ?? '',
    shortcode: ({ name, attributes, content }) =>
      ask('word', () => ({ word: name, attributes: [...attributes], content, counts: counters.counts() })) ?? '',
    embed: (address, sizes) => ask('embed', () => ({ address, sizes, counts: counters.counts() })),
  };
  return { server, asked };
}
