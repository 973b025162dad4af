import { type BlockToken, tokenReader } from './block-tokens.ts';
import { encodeBlockAttributes, type JsonMap, parseJson } from './ordered-json.ts';
import { Output } from './output.ts';

export interface Block {
  /** With namespace; `null`: text between blocks. */
  readonly name: string | null;
  /** The attributes as written; '' if there are none. */
  readonly json: string;
  readonly parts: (string | Block)[];
}

const NONE: JsonMap = new Map();

/** Whether a text has block markup and is therefore rendered without automatic paragraphs. */
export function hasBlocks(text: string): boolean {
  return text.includes('<!-- wp:');
}

/** Parses a text. Unclosed blocks end with the text; everything after a stray end delimiter is a single text. */
export function parseBlocks(text: string): Block[] {
  const root: Block = { name: null, json: '', parts: [] };
  const open: Block[] = [root];
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

/** Serialises blocks, with attributes as compact JSON; attributes that are invalid JSON are dropped. */
export function serializeBlocks(blocks: readonly Block[]): string {
  return serialize(blocks, (attributes) => attributes);
}

/** As `serializeBlocks`, with the attributes of every block replaced. */
export function serialize(blocks: readonly Block[], replace: (attributes: JsonMap) => JsonMap): string {
  const out = new Output();
  const rest: (string | Block)[] = [...blocks].reverse();
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (typeof part === 'string') out.add(part);
    else if (part.name === null) rest.push(...part.parts);
    else out.add(openDelimiter(part, replace, rest));
  }
  return out.finish();
}

/** The stored form of a text with block markup; any other text is unchanged. */
export function normaliseBlocks(text: string): string {
  return hasBlocks(text) ? serializeBlocks(parseBlocks(text)) : text;
}

/** The attributes of a block; empty if they are not a JSON object. */
export function attributesOf(block: Block): JsonMap {
  const value = block.json === '' ? undefined : parseJson(block.json);
  return value instanceof Map ? value : new Map();
}

function addText(parent: Block, text: string): void {
  if (text !== '') parent.parts.push(text);
}

/** Adds a block to its parent. Returns it in an array if it is still open. */
function addBlock(parent: Block, { type, name, json }: BlockToken): Block[] {
  const block: Block = { name, json, parts: [] };
  parent.parts.push(block);
  return type === 'opener' ? [block] : [];
}

function openDelimiter(block: Block, replace: (attributes: JsonMap) => JsonMap, rest: (string | Block)[]): string {
  const name = block.name?.startsWith('core/') ? block.name.slice(5) : block.name;
  const attributes = block.json === '' ? NONE : replace(attributesOf(block));
  const json = attributes.size === 0 ? '' : `${encodeBlockAttributes(attributes)} `;
  if (block.parts.length === 0) return `<!-- wp:${name} ${json}/-->`;
  rest.push(`<!-- /wp:${name} -->`);
  for (let i = block.parts.length - 1; i >= 0; i--) rest.push(block.parts[i] ?? '');
  return `<!-- wp:${name} ${json}-->`;
}
