import type { EntryPart } from './part.ts';

export interface Product {
  /** Amounts as decimal text; `''` for none. */
  readonly regularPrice: string;
  readonly salePrice: string;
  readonly sku: string;
  readonly stockStatus: StockStatus;
  readonly featured: boolean;
  /** 0 to 5. */
  readonly averageRating: number;
  readonly totalSales: number;
  readonly attributes: readonly ProductAttribute[];
}

export interface ProductAttribute {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
}

export const stockStatuses = ['instock', 'outofstock', 'onbackorder'] as const;
export type StockStatus = (typeof stockStatuses)[number];

export const plainProduct: Product = {
  regularPrice: '',
  salePrice: '',
  sku: '',
  stockStatus: 'instock',
  featured: false,
  averageRating: 0,
  totalSales: 0,
  attributes: [],
};

export function isOnSale({ regularPrice, salePrice }: Product): boolean {
  return salePrice !== '' && regularPrice !== '' && Number(salePrice) < Number(regularPrice);
}

/** The effective price; `''` if none is set. */
export function priceOf({ regularPrice, salePrice }: Product): string {
  return salePrice === '' ? regularPrice : salePrice;
}

export const productPart: EntryPart<Product> = { event: 'EntryProductChanged', plain: plainProduct, of: productOf };

function productOf(from: Product): Product {
  const attributes = from.attributes.map(({ name, label, options }) => ({ name, label, options }));
  return {
    regularPrice: from.regularPrice,
    salePrice: from.salePrice,
    sku: from.sku,
    stockStatus: from.stockStatus,
    featured: from.featured,
    averageRating: from.averageRating,
    totalSales: from.totalSales,
    attributes,
  };
}
