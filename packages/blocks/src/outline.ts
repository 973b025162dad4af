import { hash } from 'node:crypto';
import type { Block } from './blocks.ts';
import type { JsonMap } from './ordered-json.ts';

/** A block of a text, with what it shows. */
export interface OutlinedBlock {
  /** With namespace; null: text between blocks. */
  readonly name: string | null;
  /** As stored, with the values that they are bound to. */
  readonly attributes: JsonMap;
  /** The block's own markup, without the blocks in it, before it is rendered. */
  readonly markup: string;
  /** The part of the rendered text that it makes. */
  readonly rendered: string;
  /** The blocks in it. Those nested more than 24 levels deep are only in `rendered`. */
  readonly inner: readonly OutlinedBlock[];
}

interface Begun {
  readonly name: string;
  readonly attributes: JsonMap;
  readonly markup: string;
  readonly inner: Ended[];
  /** Where it begins in the rendered text; undefined before its mark is found. */
  start?: number;
}

interface Ended {
  readonly block: Begun;
  readonly start: number;
  readonly end: number;
}

const deepest = 24;

/**
 * Tells the blocks of a text apart in its rendered form. Comments that mark their beginnings and ends go through rendering with them,
 * and are taken out at the end.
 */
export class BlockOutline {
  readonly #mark: string;
  readonly #blocks: Begun[] = [];
  readonly #open: number[] = [];

  /** `text`: the text as stored, from which the marks are made so that it has none itself. */
  constructor(text: string) {
    this.#mark = hash('sha256', text, 'hex').slice(0, 24);
  }

  /** The mark where a block begins. */
  open(block: Block, attributes: JsonMap): string {
    const markup = block.parts.filter((part) => typeof part === 'string').join('');
    const number = this.#blocks.push({ name: block.name ?? '', attributes, markup, inner: [] }) - 1;
    this.#open.push(number);
    return `<!--${this.#mark} ${number}-->`;
  }

  /** The mark where the block ends that was begun last. */
  close(): string {
    return `<!--${this.#mark} /${this.#open.pop() ?? 0}-->`;
  }

  /** The rendered text without marks, and its blocks. */
  read(marked: string): { readonly html: string; readonly blocks: readonly OutlinedBlock[] } {
    const pieces: string[] = [];
    const top: Ended[] = [];
    const open: Begun[] = [];
    const marks = new RegExp(`<!--${this.#mark} (/?)(\\d+)-->`, 'g');
    let [at, length] = [0, 0];
    for (const { 0: mark, 1: slash, 2: number, index } of marked.matchAll(marks)) {
      pieces.push(marked.slice(at, index));
      length += index - at;
      at = index + mark.length;
      const block = this.#blocks[Number(number)];
      if (block === undefined) continue;
      if (slash === '') begin(block, length, open);
      else end(block, length, { open, top });
    }
    pieces.push(marked.slice(at));
    const html = pieces.join('');
    const [outermost] = open;
    if (outermost !== undefined) end(outermost, html.length, { open, top });
    return { html, blocks: withTexts(top, html) };
  }
}

function begin(block: Begun, at: number, open: Begun[]): void {
  if (block.start !== undefined) return;
  block.start = at;
  open.push(block);
}

/** Ends a block, and with it those in it that have no end of their own. */
function end(block: Begun, at: number, { open, top }: { readonly open: Begun[]; readonly top: Ended[] }): void {
  if (!open.includes(block)) return;
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    (open.at(-1)?.inner ?? top).push({ block: inner, start: inner.start ?? at, end: at });
    if (inner === block) return;
  }
}

/** The blocks of the top with the texts between them. */
function withTexts(top: readonly Ended[], html: string): readonly OutlinedBlock[] {
  const blocks: OutlinedBlock[] = [];
  let at = 0;
  const addText = (until: number): void => {
    const rendered = html.slice(at, until);
    if (rendered.trim() !== '') blocks.push({ name: null, attributes: new Map(), markup: '', rendered, inner: [] });
  };
  for (const ended of top) {
    addText(ended.start);
    blocks.push(outlined(ended, html, 1));
    at = ended.end;
  }
  addText(html.length);
  return blocks;
}

function outlined({ block, start, end }: Ended, html: string, depth: number): OutlinedBlock {
  const { name, attributes, markup, inner } = block;
  const shown = depth < deepest ? inner.map((one) => outlined(one, html, depth + 1)) : [];
  return { name, attributes, markup, rendered: html.slice(start, end), inner: shown };
}
