import { isNumber, mapAt, textAt } from './attributes.ts';
import { startTags } from './block-tags.ts';
import { blockTypes } from './block-types/all.ts';
import type { BlockAttribute } from './block-types/block-type.ts';
import type { Block } from './blocks.ts';
import { escapeAddress } from './escape-address.ts';
import { filterMarkup } from './filter.ts';
import type { JsonMap, JsonValue } from './ordered-json.ts';
import { encodeAttribute } from './references.ts';
import type { Scope } from './server-blocks.ts';
import { endOfElement, nextToken, type Tag } from './tags.ts';

/** Scope key of a post's replacements for parts of a pattern, by the names of the pattern's blocks. */
export const OVERRIDES = 'pattern/overrides';

const SOURCE = 'core/pattern-overrides';
/** The one field of posts that blocks can be bound to. */
const META = { source: 'core/post-meta', key: 'footnotes' } as const;
/** Represents all replaceable attributes. */
const EVERY = '__default';

const REPLACED: Readonly<Record<string, readonly string[]>> = {
  'core/paragraph': ['content'],
  'core/heading': ['content'],
  'core/image': ['id', 'url', 'title', 'alt', 'caption'],
  'core/button': ['url', 'text', 'linkTarget', 'rel'],
  'core/post-date': ['datetime'],
  'core/navigation-link': ['url'],
  'core/navigation-submenu': ['url'],
};
const ADDRESSES: readonly string[] = ['href', 'src'];

export interface Overridden {
  readonly block: Block;
  readonly attributes: JsonMap;
}

interface Values {
  readonly scope: Scope;
  /** Those of the post, as stored. */
  readonly footnotes: string;
}

/** A block with the values that it is bound to: the post's replacements in a pattern, and its footnotes; null if there are none. */
export function overridden(block: Block, attributes: JsonMap, { scope, footnotes }: Values): Overridden | null {
  const bindings = mapAt(attributes, 'metadata', 'bindings');
  if (bindings === undefined) return null;
  const said = replacements(attributes, scope);
  const values = (REPLACED[block.name ?? ''] ?? []).flatMap((key) => {
    const value = isOfPost(key, bindings) ? footnotes : isBound(key, bindings) ? (said.get(key) ?? null) : null;
    return value === null ? [] : [[key, value] as const];
  });
  if (values.length === 0) return null;
  const types = blockTypes.get(block.name ?? '')?.attributes ?? {};
  let { parts } = block;
  for (const [key, value] of values) {
    const type = types[key];
    if (type?.source !== undefined)
      parts = parts.map((part) => (typeof part === 'string' ? put(part, type, value) : part));
  }
  return { block: { ...block, parts }, attributes: new Map([...attributes, ...values]) };
}

function replacements(attributes: JsonMap, scope: Scope): JsonMap {
  const [all, name] = [scope.get(OVERRIDES), textAt(attributes, 'metadata', 'name')];
  return (all instanceof Map && name !== undefined ? mapAt(all, name) : undefined) ?? new Map();
}

function isOfPost(key: string, bindings: JsonMap): boolean {
  return textAt(bindings, key, 'source') === META.source && textAt(bindings, key, 'args', 'key') === META.key;
}

function isBound(key: string, bindings: JsonMap): boolean {
  const own = textAt(bindings, key, 'source');
  return (own ?? textAt(bindings, EVERY, 'source')) === SOURCE;
}

function put(html: string, { source, selector = '', attribute = '' }: BlockAttribute, value: JsonValue): string {
  const tag = find(html, selector);
  if (tag === null) return html;
  if (source !== 'attribute') return withInside(html, tag, filterMarkup(written(value)));
  if (value === false) return html;
  return withAttribute(html, tag, { name: attribute, value: value === true ? '' : written(value) });
}

function find(html: string, selector: string): Tag | null {
  const tags = [...startTags(html)];
  for (const name of selector.split(',')) {
    const found = tags.find((tag) => tag.name === name.trim());
    if (found !== undefined) return found;
  }
  return null;
}

function withInside(html: string, tag: Tag, inside: string): string {
  let depth = 1;
  for (let token = nextToken(html, tag.end); token !== null; token = nextToken(html, endOfElement(html, token))) {
    if (token.name !== tag.name) continue;
    depth += token.closing ? -1 : 1;
    if (depth === 0) return html.slice(0, tag.end) + inside + html.slice(token.start);
  }
  return html;
}

function withAttribute(
  html: string,
  tag: Tag,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  const text = `${name}="${ADDRESSES.includes(name) ? escapeAddress(value) : encodeAttribute(value)}"`;
  const found = tag.attributes.find((one) => one.name === name);
  if (found === undefined) return `${html.slice(0, tag.nameEnd)} ${text}${html.slice(tag.nameEnd)}`;
  return html.slice(0, found.start) + text + html.slice(found.end);
}

function written(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isNumber(value)) return value.number;
  return value === true ? '1' : '';
}
