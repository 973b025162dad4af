import { type Product, plainProduct, productPart, stockStatuses } from '#domain/entry/product.ts';
import type { SourceMeta } from '#wxr/records.ts';

/** Members of a product by the names of their meta: as shops of the family keep them, or as the interface shows them. */
const texts = {
  _regular_price: 'regularPrice',
  _sale_price: 'salePrice',
  _sku: 'sku',
  _stock_status: 'stockStatus',
} as const;
const values = {
  featured: 'featured',
  average_rating: 'averageRating',
  total_sales: 'totalSales',
  attributes: 'attributes',
} as const;
const AMOUNT = /^\d{1,12}(?:\.\d{1,6})?$/;

/** Whether meta says something of a product that a product has. */
export function isOfProduct({ key }: SourceMeta): boolean {
  return Object.hasOwn(texts, key) || Object.hasOwn(texts, `_${key}`) || Object.hasOwn(values, key);
}

/** The product that meta describes; null: it describes none. What does not fit is left out. */
export function productFrom(meta: readonly SourceMeta[]): Product | null {
  const said: Record<string, unknown> = {};
  for (const { key, value } of meta) {
    const text = texts[(key.startsWith('_') ? key : `_${key}`) as keyof typeof texts];
    if (text !== undefined && fits(text, value)) said[text] = value;
    const name = values[key as keyof typeof values];
    const read = name === undefined ? undefined : parsedAs(typeof plainProduct[name], value);
    if (name !== undefined && read !== undefined) said[name] = read;
  }
  return Object.keys(said).length === 0 ? null : productPart.of({ ...plainProduct, ...said });
}

export function metaOfProduct(product: Product): SourceMeta[] {
  const differs = (name: keyof Product) => JSON.stringify(product[name]) !== JSON.stringify(plainProduct[name]);
  return [
    ...Object.entries(texts).flatMap(([key, name]) => (differs(name) ? [{ key, value: product[name] }] : [])),
    ...Object.entries(values).flatMap(([key, name]) =>
      differs(name) ? [{ key, value: JSON.stringify(product[name]) }] : [],
    ),
  ];
}

function fits(name: (typeof texts)[keyof typeof texts], value: string): boolean {
  if (name === 'sku') return value.length <= 100;
  if (name === 'stockStatus') return stockStatuses.some((status) => status === value);
  return value === '' || AMOUNT.test(value);
}

function parsedAs(type: string, value: string): unknown {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === type ? read : undefined;
  } catch {
    return undefined;
  }
}
