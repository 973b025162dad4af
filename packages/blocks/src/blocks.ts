import { skipBlanks } from './blank.ts';
import { encodeBlockAttributes, type JsonMap, parseJson } from './ordered-json.ts';
import { Output } from './output.ts';

export interface Block {
  /** With namespace; `null`: text between blocks. */
  readonly name: string | null;
  /** The attributes as written; '' if there are none. */
  readonly json: string;
  readonly parts: readonly (string | Block)[];
}

interface Building extends Block {
  parts: (string | Block)[];
}

interface BlockToken {
  readonly type: 'opener' | 'closer' | 'void';
  /** With namespace, such as `core/paragraph`. */
  readonly name: string;
  readonly json: string;
  readonly start: number;
  readonly end: number;
}

/** Shared; never changed. */
const NONE: JsonMap = new Map();
const NO_PARTS: (string | Block)[] = [];
const HEAD = /(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)/y;

/** Whether a text has block markup and is therefore rendered without automatic paragraphs. */
export function hasBlocks(text: string): boolean {
  return text.includes('<!-- wp:');
}

/** Whether a text may have delimiters of blocks, also where they make no block markup: an end alone, or with more blanks. */
export function hasDelimiters(text: string): boolean {
  return /<!--\s+\/?wp:/.test(text);
}

/** Parses a text. Unclosed blocks end with the text; everything after a stray end delimiter is a single text. */
export function parseBlocks(text: string): Block[] {
  const root: Building = { name: null, json: '', parts: [] };
  const open = [root];
  const next = tokenReader(text);
  let at = 0;
  for (let token = next(); token !== null; token = next()) {
    if (token.type === 'closer' && open.length === 1) break;
    const parent = open.at(-1) ?? root;
    addText(parent, text.slice(at, token.start));
    at = token.end;
    if (token.type === 'closer') open.pop();
    else open.push(...addBlock(parent, token));
  }
  addText(open.at(-1) ?? root, text.slice(at));
  return root.parts.map((part) => (typeof part === 'string' ? { name: null, json: '', parts: [part] } : part));
}

/** The stored form of a text with block markup; any other text is unchanged. */
export function normaliseBlocks(text: string): string {
  return hasBlocks(text) ? mapBlocks(text, (attributes) => attributes) : text;
}

/**
 * Writes the blocks of a text again, with compact attributes changed by `change`; attributes that are invalid JSON are dropped. Does not
 * build blocks: millions of them would take seconds of garbage collection.
 */
export function mapBlocks(text: string, change: (attributes: JsonMap) => JsonMap): string {
  const out = new Output();
  const names: string[] = [];
  const next = tokenReader(text);
  /** The innermost open block while it is empty. */
  let empty: BlockToken | null = null;
  let at = 0;
  const addText = (end: number): void => {
    if (at === end) return;
    fill();
    out.add(text, at, end);
  };
  const fill = (): void => {
    if (empty !== null) out.add(`<!-- ${headOf(empty, change)}-->`);
    empty = null;
  };
  const close = (): void => {
    const name = names.pop();
    out.add(empty === null ? `<!-- /wp:${name} -->` : `<!-- ${headOf(empty, change)}/-->`);
    empty = null;
  };
  for (let token = next(); token !== null; token = next()) {
    if (token.type === 'closer' && names.length === 0) break;
    addText(token.start);
    at = token.end;
    if (token.type === 'closer') {
      close();
      continue;
    }
    fill();
    names.push(shortName(token));
    empty = token;
    if (token.type === 'void') close();
  }
  addText(text.length);
  while (names.length > 0) close();
  return out.finish();
}

/** The attributes of a block; empty if they are not a JSON object. */
export function attributesOf({ json }: Pick<Block, 'json'>): JsonMap {
  if (json === '') return NONE;
  const value = parseJson(json);
  return value instanceof Map ? value : NONE;
}

function addText(parent: Building, text: string): void {
  if (text !== '') addPart(parent, text);
}

/** Adds a block to its parent. Returns it in an array if it is still open. */
function addBlock(parent: Building, { type, name, json }: BlockToken): Building[] {
  const block: Building = { name, json, parts: NO_PARTS };
  addPart(parent, block);
  return type === 'opener' ? [block] : [];
}

/** Most blocks have one part, while an array that grows has room for 17. */
function addPart(parent: Building, part: string | Block): void {
  if (parent.parts.length === 0) parent.parts = [part];
  else parent.parts.push(part);
}

function headOf(token: BlockToken, change: (attributes: JsonMap) => JsonMap): string {
  const attributes = token.json === '' ? NONE : change(attributesOf(token));
  const json = attributes.size === 0 ? '' : `${encodeBlockAttributes(attributes)} `;
  return `wp:${shortName(token)} ${json}`;
}

function shortName({ name }: BlockToken): string {
  return name.startsWith('core/') ? name.slice(5) : name;
}

/** Returns a reader of successive block delimiters, which examines each character a bounded number of times. */
function tokenReader(text: string): () => BlockToken | null {
  let at = 0;
  const jsonEnd = jsonEndFinder(text);
  return () => {
    for (let start = text.indexOf('<!--', at); start >= 0; start = text.indexOf('<!--', start + 4)) {
      const token = readToken(text, start, jsonEnd);
      if (token === null) continue;
      at = token.end;
      return token;
    }
    at = text.length;
    return null;
  };
}

function readToken(text: string, start: number, jsonEnd: (from: number) => number): BlockToken | null {
  HEAD.lastIndex = skipBlanks(text, start + 4);
  if (HEAD.lastIndex === start + 4) return null;
  const head = HEAD.exec(text);
  if (head === null) return null;
  let at = skipBlanks(text, HEAD.lastIndex);
  if (at === HEAD.lastIndex) return null;
  let json = '';
  if (text[at] === '{') {
    const end = jsonEnd(at);
    if (end < 0) return null;
    json = text.slice(at, end);
    at = skipBlanks(text, end);
  }
  const empty = text[at] === '/';
  if (empty) at++;
  if (!text.startsWith('-->', at)) return null;
  const [, slash, namespace = 'core/', name = ''] = head;
  const type = empty ? 'void' : slash === undefined ? 'opener' : 'closer';
  return { type, name: namespace + name, json, start, end: at + 3 };
}

/**
 * Attributes end at the first `}` followed by white space and the end of the comment. A found end is reused for all earlier offsets, so
 * that a text of many openers is not searched for each of them.
 */
function jsonEndFinder(text: string): (from: number) => number {
  const ending = /\}[ \t\n\v\f\r]+\/?-->/g;
  let known = 0;
  let brace = -1;
  return (from) => {
    if (brace < from && known >= 0) {
      ending.lastIndex = from;
      const found = ending.exec(text);
      brace = found?.index ?? -1;
      if (brace < 0) known = -1;
    }
    return brace < from ? -1 : brace + 1;
  };
}
