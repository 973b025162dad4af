import { z } from 'zod';
import { type EntryKind, partOf } from '#domain/entry/kinds.ts';
import type { EntryPart } from '#domain/entry/part.ts';
import { patternPart, syncStatuses } from '#domain/entry/pattern.ts';
import { type Product, plainProduct, productPart, stockStatuses } from '#domain/entry/product.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { isRecord } from '#text/shapes.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import type { Fault } from '../../engine/types.ts';
import { coerce, validate } from '../../engine/validate.ts';
import { everywhere } from '../records/property.ts';
import { checkMeta, noText } from './checks.ts';
import type { EntryField, PartMeta } from './showing.ts';

/** Product data, and whether a pattern is synced (interface behaviour, section 27), as members of `meta`. */

const amount = (what: string) =>
  z
    .string()
    .max(20)
    .regex(/^(?:\d{1,12}(?:\.\d{1,4})?)?$/)
    .describe(`${what}, a decimal number; empty for none.`);
const name = z.string().min(1).max(200);

const attribute = z.object({
  name,
  label: z.string().max(200).optional(),
  options: z.array(z.string().max(200)).max(100).optional(),
});

const members = {
  regular_price: amount('Price'),
  sale_price: amount('Price while it is on sale'),
  sku: z.string().max(100).describe('Number under which the shop keeps it.'),
  stock_status: z.enum(stockStatuses).describe('Whether it can be had.'),
  featured: z.boolean().describe('Whether it is shown in front of others.'),
  average_rating: z.number().min(0).max(5).describe('What customers think of it.'),
  total_sales: z.int().min(0).describe('How often it was sold.'),
  attributes: z.array(attribute).max(50).describe('What there is to choose from.'),
};

const productMeta: PartMeta = {
  properties: members,
  check: checkProductMeta,
  read: productFields,
  json: productMetaJson,
};

const syncStatus = 'wp_pattern_sync_status';
const writtenStatuses = syncStatuses.filter((status) => status !== '');

const patternMeta: PartMeta = {
  properties: { [syncStatus]: z.enum(writtenStatuses).describe('Whether the pattern is synced; null: it is.') },
  refusal: (meta) => refusalOf(sentStatus(meta)),
  read: (meta) => {
    const sent = sentStatus(meta);
    if (sent === null) return { syncStatus: '' };
    const syncStatus = writtenStatuses.find((status) => status === sent);
    return syncStatus && { syncStatus };
  },
};

const metas: ReadonlyMap<EntryPart, PartMeta> = new Map<EntryPart, PartMeta>([
  [productPart, productMeta],
  [patternPart, patternMeta],
]);

export const syncStatusField: EntryField = {
  name: syncStatus,
  context: everywhere,
  when: ({ part }) => part === patternPart,
  readonly: true,
  description: 'Whether the pattern is synced: empty, `unsynced` or `partial`.',
  schema: () => z.enum(syncStatuses),
  // In context embed it is empty, as in the reference system.
  json: (row, { showing }) => `"${showing.context === 'embed' ? '' : (partOf(patternPart, row)?.syncStatus ?? '')}"`,
};

/** How the part of a kind appears in `meta`; undefined if it does not. */
export function partMetaOf({ part }: Pick<EntryKind, 'part'>): PartMeta | undefined {
  return part === null ? undefined : metas.get(part);
}

function sentStatus(meta: unknown): unknown {
  return isRecord(meta) ? meta[syncStatus] : undefined;
}

function refusalOf(sent: unknown): Refusal | null {
  if (sent === undefined || sent === null) return null;
  if (typeof sent !== 'string') return noText(`meta.${syncStatus}`);
  if (writtenStatuses.some((status) => status === sent)) return null;
  return {
    ...refuse('rest_not_in_enum', `meta.${syncStatus} is not one of ${writtenStatuses.join(' and ')}.`),
    about: 'input',
  };
}

const descriptor = descriptorOf(z.object(members).partial());

function checkProductMeta(value: unknown): Fault | null {
  const fault = checkMeta(value);
  return fault ?? validate(ownMembers(value), descriptor, 'meta');
}

function productFields(meta: unknown): Partial<Product> | undefined {
  const sent = Object.entries(coerce(ownMembers(meta), descriptor) as Record<string, unknown>);
  if (sent.length === 0) return undefined;
  return Object.fromEntries(
    sent.map(([key, value]) => [names[key as Member], key === 'attributes' ? labelled(value) : value]),
  );
}

/** The members of `meta` as JSON, each preceded by a comma. */
export function productMetaJson(row: EntryRow): JsonText {
  const shown = partOf(productPart, row) ?? plainProduct;
  return Object.entries(names)
    .map(([key, field]) => `,"${key}":${asciiJson(shown[field])}`)
    .join('');
}

type Member = keyof typeof members;

const names = {
  regular_price: 'regularPrice',
  sale_price: 'salePrice',
  sku: 'sku',
  stock_status: 'stockStatus',
  featured: 'featured',
  average_rating: 'averageRating',
  total_sales: 'totalSales',
  attributes: 'attributes',
} as const satisfies Record<Member, keyof Product>;

function ownMembers(meta: unknown): Record<string, unknown> {
  if (typeof meta !== 'object' || meta === null) return {};
  // Null stands for "not sent", as with every other field that has no empty value.
  return Object.fromEntries(Object.entries(meta).filter(([key, value]) => Object.hasOwn(names, key) && value !== null));
}

function labelled(attributes: unknown): Product['attributes'] {
  const list = attributes as readonly { name: string; label?: string; options?: readonly string[] }[];
  return list.map(({ name, label, options = [] }) => ({ name, label: label || name, options }));
}
