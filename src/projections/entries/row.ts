import { isOnSale, type Product } from '#domain/entry/product.ts';
import type { Entry } from '#domain/entry/state.ts';
import type { EntryStatus, Format } from '#domain/entry/vocabulary.ts';
import type { Goods } from '../collection/types.ts';
import { checkSum, sumOf, sumOfTexts } from '../sums.ts';
import type { TextPlaces } from '../text-places.ts';

/** An entry as it is read: its state without the long texts, and what is sent of those. */
export interface EntryRow extends Omit<Entry, keyof Texts>, Rendered {
  /** Dense number in order of creation. */
  readonly ord: number;
  /** Position of the last event that concerned it. */
  readonly touched: number;
  /** Position of the last event that changed it: what is kept beside it, an autosave say, does not count. */
  readonly version: number;
}

/** The long texts as they were written. */
export type Texts = Pick<Entry, 'content' | 'excerpt'>;

/** What is sent of the texts: JSON strings in ASCII; empty while a replay has not come to rendering. */
export interface Rendered {
  readonly titleJson: string;
  readonly excerptJson: string;
  readonly contentJson: string;
}

/** The long texts, and where in the log all of the entry's texts are. */
export interface Written {
  readonly texts: Texts;
  readonly places: TextPlaces;
}

export type SqlValue = string | number | null;

/** Columns in the order in which `toValues` and `fromValues` have them. */
export const entryColumns = [
  'id, ord, touched, version, kind, status, slug, author, date, date_gmt, modified, modified_gmt, title, password',
  'comment_status, ping_status, format, sticky, template, parent, menu_order, featured_media, categories, tags',
  'trashed_status, trashed_slug, revisions, latest_revision, latest_revision_gmt, footnotes',
  'title_json, excerpt_json, content_json, product, goods, facets_sum, state_sum, shown_sum',
]
  .join(', ')
  .split(', ');

/** Columns that collections know; they have a checksum of their own, as they are also read alone. */
export const facetColumns = [
  'ord, id, kind, status, slug, author, date, modified, title, password, format, sticky, parent, menu_order',
  'categories, tags, goods, featured_media, touched, version',
]
  .join(', ')
  .split(', ');

const places = new Map(entryColumns.map((name, i) => [name, i]));
const placeOf = (name: string): number => places.get(name) ?? -1;
const shownColumns = ['title_json', 'excerpt_json', 'content_json'];
const facetPlaces = facetColumns.map(placeOf);
const statePlaces = entryColumns
  .filter((name) => !facetColumns.includes(name) && !shownColumns.includes(name) && !name.endsWith('_sum'))
  .map(placeOf);
const sumPlaces = ['facets_sum', 'state_sum', 'shown_sum'].map(placeOf);

/** Checksum of what is sent of an entry's texts. */
export function shownSum(id: number, { titleJson, excerptJson, contentJson }: Rendered): number {
  return sumOfTexts(id, [titleJson, excerptJson, contentJson]);
}

/** Checksums of a row: facets, state, what is sent of its texts. */
function sumsOf(values: readonly SqlValue[], row: EntryRow): readonly number[] {
  const facets = facetPlaces.map((i) => values[i] as SqlValue);
  const state = statePlaces.map((i) => values[i] as SqlValue);
  return [sumOf(facets), sumOf([row.id, ...state]), shownSum(row.id, row)];
}

export function toValues(row: EntryRow): SqlValue[] {
  const values = stateValues(row);
  return [...values, ...sumsOf(values, row)];
}

function stateValues(row: EntryRow): SqlValue[] {
  return [
    row.id,
    row.ord,
    row.touched,
    row.version,
    row.kind,
    row.status,
    row.slug,
    row.author,
    row.date,
    row.dateGmt,
    row.modified,
    row.modifiedGmt,
    row.title,
    row.password,
    row.commentStatus,
    row.pingStatus,
    row.format,
    row.sticky ? 1 : 0,
    row.template,
    row.parent,
    row.menuOrder,
    row.featuredMedia,
    row.categories.join(),
    row.tags.join(),
    row.trashed?.status ?? null,
    row.trashed?.slug ?? null,
    row.revisions,
    row.latestRevision,
    row.latestRevisionGmt,
    row.footnotes,
    row.titleJson,
    row.excerptJson,
    row.contentJson,
    row.product === null ? null : JSON.stringify(row.product),
    row.product === null ? null : JSON.stringify(goodsOf(row.product)),
  ];
}

/** What collections know of a product. */
export function goodsOf(product: Product): Goods {
  const { featured, averageRating: rating, totalSales: sales } = product;
  return { onSale: isOnSale(product), featured, rating, sales };
}

/** Throws `ProjectionsDamaged` where a row is not what was written. */
export function fromValues(v: readonly SqlValue[]): EntryRow {
  const row = rowOf(v);
  for (const [i, sum] of sumsOf(v, row).entries()) checkSum(v[sumPlaces[i] as number], sum, 'entries', row.id);
  return row;
}

function rowOf(v: readonly SqlValue[]): EntryRow {
  return {
    id: v[0] as number,
    ord: v[1] as number,
    touched: v[2] as number,
    version: v[3] as number,
    kind: v[4] as string,
    status: v[5] as EntryStatus,
    slug: v[6] as string,
    author: v[7] as number,
    date: v[8] as string,
    dateGmt: v[9] as string | null,
    modified: v[10] as string,
    modifiedGmt: v[11] as string,
    title: v[12] as string,
    password: v[13] as string,
    commentStatus: v[14] as 'open' | 'closed',
    pingStatus: v[15] as 'open' | 'closed',
    format: v[16] as Format,
    sticky: v[17] === 1,
    template: v[18] as string,
    parent: v[19] as number,
    menuOrder: v[20] as number,
    featuredMedia: v[21] as number,
    categories: toIds(v[22] as string),
    tags: toIds(v[23] as string),
    trashed: v[24] === null ? null : { status: v[24] as EntryStatus, slug: v[25] as string | null },
    revisions: v[26] as number,
    latestRevision: v[27] as number,
    latestRevisionGmt: v[28] as string,
    footnotes: v[29] as string,
    titleJson: v[30] as string,
    excerptJson: v[31] as string,
    contentJson: v[32] as string,
    product: v[33] === null ? null : (JSON.parse(v[33] as string) as Product),
  };
}

/** A list of ids as it is stored. */
export function toIds(list: string): readonly number[] {
  return list === '' ? [] : list.split(',').map(Number);
}
