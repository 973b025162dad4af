import { selectAll, selectOne } from 'css-select';
import { type ChildNode, Document, type Element, type ParentNode } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { isNumber } from '#blocks/attributes.ts';
import { blockTypes } from '#blocks/block-types/all.ts';
import type { BlockAttribute, BlockAttributeTypes } from '#blocks/block-types/block-type.ts';
import type { JsonMap, JsonValue } from '#blocks/ordered-json.ts';
import type { OutlinedBlock } from '#blocks/outline.ts';
import { htmlFragment } from './bounded-document.ts';

/** A block as data, as JSON. */
export interface BlockData {
  /** With namespace; null: text between blocks. */
  readonly name: string | null;
  /** Those that are stored, those that the markup contains, and the defaults of the type of block. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly innerBlocks: readonly BlockData[];
  /** The part of the rendered content that the block makes. */
  readonly rendered: string;
}

/** Attributes for editors alone. */
const OF_EDITORS = ['lock', 'metadata'];

/** The blocks of a text as data. `isEdit`: with the attributes that are for editors. */
export function blockData(blocks: readonly OutlinedBlock[], isEdit: boolean): readonly BlockData[] {
  return blocks.map((block) => ({
    name: block.name,
    attributes: attributesIn(block, isEdit),
    innerBlocks: blockData(block.inner, isEdit),
    rendered: block.rendered,
  }));
}

function attributesIn({ name, attributes, markup }: OutlinedBlock, isEdit: boolean): BlockData['attributes'] {
  const types = blockTypes.get(name ?? '')?.attributes ?? {};
  const stored = objectOf(attributes);
  const all = { ...stored, ...valuesOf(types, stored, new Markup(markup)) };
  return isEdit ? all : Object.fromEntries(Object.entries(all).filter(([key]) => !OF_EDITORS.includes(key)));
}

function valuesOf(
  types: BlockAttributeTypes,
  stored: Readonly<Record<string, unknown>>,
  markup: Markup,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, type] of Object.entries(types)) {
    const value = (type.source === undefined ? undefined : markup.read(type)) ?? stored[key] ?? type.default;
    if (value !== undefined) values[key] = value;
  }
  return values;
}

/** The markup of a block, or an element in it. It is parsed when something is read of it. */
class Markup {
  readonly #html: string;
  #root: ParentNode | undefined;

  constructor(html: string, root?: Element) {
    this.#html = html;
    this.#root = root;
  }

  /** The value of an attribute that the markup contains; undefined if it does not. */
  read(type: BlockAttribute): unknown {
    if (this.#html === '') return undefined;
    if (type.source === 'raw') return this.#html;
    this.#root ??= htmlFragment(this.#html) ?? new Document([]);
    if (type.source === 'query') return this.#each(type, this.#root);
    const found =
      type.selector === undefined ? this.#root : selectOne<ChildNode, Element>(type.selector, this.#root.children);
    if (found === null) return undefined;
    if (type.source === 'tag') return nameOf(found);
    if (type.source === 'text') return DomUtils.textContent(found.children);
    if (type.source !== 'attribute') return this.#inside(found);
    const value = 'attribs' in found ? (found as Element).attribs[type.attribute ?? ''] : undefined;
    return type.type === 'boolean' ? value !== undefined : value;
  }

  #each({ selector = '*', query = {} }: BlockAttribute, root: ParentNode): unknown {
    const found = selectAll<ChildNode, Element>(selector, root.children);
    if (found.length === 0) return undefined;
    return found.map((element) => valuesOf(query, {}, new Markup(this.#html, element)));
  }

  /** The markup within an element, as written. */
  #inside({ children }: ParentNode): string {
    const [first, last] = [children[0], children.at(-1)];
    return first === undefined || last === undefined ? '' : this.#html.slice(startOf(first), endOf(last));
  }
}

function nameOf(found: ParentNode): string | undefined {
  return 'name' in found ? String(found.name) : undefined;
}

const startOf = ({ startIndex }: ChildNode): number => startIndex ?? 0;
const endOf = ({ endIndex }: ChildNode): number => (endIndex ?? -1) + 1;

function objectOf(map: JsonMap): Record<string, unknown> {
  return Object.fromEntries([...map].map(([key, value]) => [key, plainValue(value)]));
}

function plainValue(value: JsonValue): unknown {
  if (isNumber(value)) return Number(value.number);
  if (Array.isArray(value)) return value.map(plainValue);
  return value instanceof Map ? objectOf(value) : value;
}
