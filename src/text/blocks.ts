import { type BlockToken, tokenReader } from './block-tokens.ts';
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

/** Shared; never changed. */
const NONE: JsonMap = new Map();
const NO_PARTS: (string | Block)[] = [];

/** Whether a text has block markup and is therefore rendered without automatic paragraphs. */
export function hasBlocks(text: string): boolean {
  return text.includes('<!-- wp:');
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
