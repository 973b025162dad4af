import type { Taxonomy } from '#domain/term/events.ts';
import type { CollectionQuery, OrderBy } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { listOf, numberOf } from '#text/shapes.ts';
import type { PictureSize } from '../rendering/fragments.ts';

export interface BlockAttributes {
  readonly kind: string;
  readonly numberOfItems: number;
  readonly orderBy: OrderBy;
  readonly order: 'asc' | 'desc';
  readonly taxonomy: Taxonomy;
  readonly terms: readonly number[];
  readonly mode: 'any' | 'none';
  readonly postOffset: number;
  readonly exclude: readonly number[];
  readonly include: readonly number[];
  readonly excludesItself: boolean;
  readonly imageSize: PictureSize;
  readonly excerptLength: number;
  readonly readmoreText: string;
  readonly separator: string;
  readonly categoryHighlighted: boolean;
}

type Attributes = Readonly<Record<string, unknown>>;

const kinds = ['post', 'page', 'product'];
const orders: readonly OrderBy[] = ['date', 'modified', 'id', 'author', 'title', 'slug', 'parent', 'menu_order'];
const separators = new Map([
  ['dot', '·'],
  ['space', ' '],
  ['comma', ','],
  ['dash', '-'],
  ['pipe', '|'],
]);

/** Reads the attributes that were written into a content; invalid ones count as absent. */
export function queryAttributesOf(attributes: Attributes): BlockAttributes {
  const [type, orderBy] = [textIn(attributes, 'type', 'post'), textIn(attributes, 'orderBy', 'date').toLowerCase()];
  return {
    kind: kinds.find((kind) => kind === type) ?? 'post',
    numberOfItems: wholeIn(attributes, 'numberOfItems', { usual: 6, min: 1, max: 100 }),
    orderBy: orders.find((order) => order === orderBy) ?? 'date',
    order: textIn(attributes, 'order', 'desc').toLowerCase() === 'asc' ? 'asc' : 'desc',
    taxonomy: textIn(attributes, 'taxonomyType', 'category').endsWith('tag') ? 'post_tag' : 'category',
    terms: idsIn(attributes, 'taxonomy'),
    mode: textIn(attributes, 'taxonomyFilterType', '__in').endsWith('__not_in') ? 'none' : 'any',
    postOffset: wholeIn(attributes, 'postOffset', { usual: 0, min: 0, max: 1_000_000 }),
    exclude: idsIn(attributes, 'postExclude'),
    include: idsIn(attributes, 'postInclude'),
    excludesItself: attributes['excludeCurrentPost'] === true,
    imageSize: textIn(attributes, 'imageSize', 'full'),
    excerptLength: wholeIn(attributes, 'excerptLength', { usual: 55, min: 0, max: 10_000 }),
    readmoreText: textIn(attributes, 'readmoreText', ''),
    separator: separators.get(textIn(attributes, 'metaSeparator', 'dot')) ?? '·',
    categoryHighlighted: attributes['categoryHighlighted'] === true,
  };
}

function textIn(attributes: Attributes, name: string, usual: string): string {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : usual;
}

interface Range {
  readonly usual: number;
  readonly min: number;
  readonly max: number;
}

function wholeIn(attributes: Attributes, name: string, { usual, min, max }: Range): number {
  const number = Object.hasOwn(attributes, name) ? numberOf(attributes[name]) : null;
  if (number === null || !Number.isInteger(number)) return usual;
  return Math.min(Math.max(number, min), max);
}

function idsIn(attributes: Attributes, name: string): readonly number[] {
  const list = Object.hasOwn(attributes, name) ? (listOf(attributes[name]) ?? []) : [];
  return list.map(numberOf).filter((id) => id !== null && Number.isSafeInteger(id) && id > 0) as number[];
}

/** The query that a block's attributes stand for; `entry`: the one that shows the block. */
export function listedBy(
  wanted: BlockAttributes,
  entry: number,
  model: Model,
): Omit<CollectionQuery, 'offset' | 'limit'> {
  const { taxonomy, mode, exclude, include } = wanted;
  // A term of another taxonomy finds nothing.
  const terms = wanted.terms.map((id) => (model.term(id)?.taxonomy === taxonomy ? id : 0));
  const left = wanted.excludesItself ? [...exclude, entry] : exclude;
  return {
    kind: wanted.kind,
    statuses: [{ status: 'publish' }],
    orderBy: wanted.orderBy,
    order: wanted.order,
    ...(terms.length === 0 ? {} : { taxonomies: [{ by: 'term', mode, terms }] }),
    ...(include.length === 0 ? {} : { include: include.filter((id) => !left.includes(id)) }),
    ...(left.length === 0 ? {} : { exclude: left }),
  };
}
