import { noTerms, type TermIds } from '#domain/entry/classification.ts';
import { type DetailName, detailNames, detailSchemas, filterableNames } from '#domain/entry/fields.ts';
import { partOf } from '#domain/entry/kinds.ts';
import type { Part } from '#domain/entry/parts.ts';
import { isOnSale, type Product, productPart } from '#domain/entry/product.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import type { FacetValue, FacetValues, Goods } from '../kernel/collection-query.ts';
import type { EntryRow } from './row.ts';

export type SqlValue = string | number | null;

export interface EntryColumn {
  readonly name: string;
  readonly sql: string;
  /** Absent: the value is not read into a row. */
  readonly member?: keyof EntryRow;
  /** Absent: the member is written unchanged. */
  readonly write?: (row: EntryRow) => SqlValue;
  /** Reads the member; `at` is the index of the column. Absent: the value is used unchanged. */
  readonly read?: (values: readonly SqlValue[], at: number) => unknown;
}

const text = (name: string, member: TextMember): EntryColumn => plain(name, 'TEXT NOT NULL', member);
const integer = (name: string, member: IntegerMember): EntryColumn => plain(name, 'INTEGER NOT NULL', member);
const list = (member: 'categories' | 'tags'): EntryColumn => ({
  name: member,
  sql: 'TEXT NOT NULL',
  member,
  write: (row) => row[member].join(),
  read: (values, at) => toIds(values[at] as string),
});

/** Every column except the checksums. */
export const columns: readonly EntryColumn[] = [
  plain('id', 'INTEGER PRIMARY KEY', 'id'),
  integer('ord', 'ord'),
  integer('touched', 'touched'),
  integer('version', 'version'),
  text('kind', 'kind'),
  text('status', 'status'),
  text('slug', 'slug'),
  integer('author', 'author'),
  text('date', 'date'),
  plain('date_gmt', 'TEXT', 'dateGmt'),
  text('modified', 'modified'),
  text('modified_gmt', 'modifiedGmt'),
  text('title', 'title'),
  text('password', 'password'),
  truth('sticky', 'sticky'),
  integer('parent', 'parent'),
  ...detailNames.map(detailColumn),
  list('categories'),
  list('tags'),
  {
    name: 'other_terms',
    sql: 'TEXT NOT NULL',
    member: 'otherTerms',
    write: ({ otherTerms }) => fromTerms(otherTerms),
    read: (values, at) => toTerms(values[at] as string),
  },
  {
    name: 'trashed_status',
    sql: 'TEXT',
    member: 'trashed',
    write: ({ trashed }) => trashed?.status ?? null,
    read: (values, at) =>
      values[at] === null ? null : { status: values[at] as EntryStatus, slug: values[at + 1] as string | null },
  },
  { name: 'trashed_slug', sql: 'TEXT', write: ({ trashed }) => trashed?.slug ?? null },
  integer('revisions', 'revisions'),
  integer('latest_revision', 'latestRevision'),
  text('latest_revision_gmt', 'latestRevisionGmt'),
  text('footnotes', 'footnotes'),
  // Rendered texts: JSON strings in ASCII. Empty until rendered (during a rebuild).
  text('title_json', 'titleJson'),
  text('excerpt_json', 'excerptJson'),
  text('content_json', 'contentJson'),
  // Data specific to the kind, as JSON, and what collections need of it.
  {
    name: 'part',
    sql: 'TEXT',
    member: 'part',
    write: ({ part }) => (part === null ? null : JSON.stringify(part)),
    read: (values, at) => (values[at] === null ? null : (JSON.parse(values[at] as string) as Part)),
  },
  { name: 'goods', sql: 'TEXT', write: goodsColumn },
];

const fixedFacets = [
  'ord, id, kind, status, slug, author, date, modified, title, password, format, sticky, parent, menu_order',
  'categories, tags, goods, featured_media, touched, version, other_terms',
]
  .join(', ')
  .split(', ');

/** Columns for collections; they have a checksum of their own, as they are also read separately. */
export const facetColumns = [...new Set([...fixedFacets, ...filterableNames.map(columnOf)])];

const filterablePlaces = filterableNames.map((name) => ({
  name,
  at: facetColumns.indexOf(columnOf(name)),
  read: detailColumn(name).read ?? ((values: readonly SqlValue[], at: number) => values[at]),
}));

/** Reads the filterable values from values of `facetColumns`. */
export function filterableIn(values: readonly SqlValue[]): FacetValues {
  const found: Record<string, FacetValue> = {};
  for (const { name, at, read } of filterablePlaces) found[name] = read(values, at) as FacetValue;
  return found;
}

export function goodsOf(product: Product): Goods {
  const { featured, averageRating: rating, totalSales: sales } = product;
  return { onSale: isOnSale(product), featured, rating, sales };
}

/** Parses stored terms: `nav_menu,7;wp_pattern_category,3,4`. */
export function toTerms(stored: string): TermIds {
  if (stored === '') return noTerms;
  const lists = stored.split(';').map((list) => list.split(','));
  return Object.fromEntries(lists.map(([taxonomy = '', ...ids]) => [taxonomy, ids.map(Number)]));
}

export function toIds(list: string): readonly number[] {
  return list === '' ? [] : list.split(',').map(Number);
}

export function fromTerms(terms: TermIds): string {
  if (terms === noTerms) return '';
  return Object.entries(terms)
    .map(([taxonomy, ids]) => [taxonomy, ...ids].join())
    .join(';');
}

function goodsColumn(row: EntryRow): SqlValue {
  const product = partOf(productPart, row);
  return product === null ? null : JSON.stringify(goodsOf(product));
}

type MembersOf<V> = { [N in keyof EntryRow]: EntryRow[N] extends V ? N : never }[keyof EntryRow];
type TextMember = MembersOf<string>;
type IntegerMember = MembersOf<number>;

function plain(name: string, sql: string, member: keyof EntryRow): EntryColumn {
  return { name, sql, member };
}

function truth(name: string, member: MembersOf<boolean>): EntryColumn {
  const write = (row: EntryRow) => (row[member] ? 1 : 0);
  return { name, sql: 'INTEGER NOT NULL', member, write, read: (values, at) => values[at] === 1 };
}

function columnOf(detail: DetailName): string {
  return detail.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function detailColumn(member: DetailName): EntryColumn {
  const name = columnOf(member);
  const { type } = detailSchemas[member];
  if (type === 'boolean') return truth(name, member as MembersOf<boolean>);
  return plain(name, type === 'number' ? 'INTEGER NOT NULL' : 'TEXT NOT NULL', member);
}
