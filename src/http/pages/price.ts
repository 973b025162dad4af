import { isOnSale, type Product, plainProduct } from '#domain/entry/product.ts';
import { type Html, html } from './html.ts';

/** What a product costs and, while it is on sale, what it cost before; null when nobody said. */
export function priceMarkup(product: Product | null): Html | null {
  const { regularPrice, salePrice } = product ?? plainProduct;
  if (product !== null && isOnSale(product)) return html`<del>${regularPrice}</del> <ins>${salePrice}</ins>`;
  return regularPrice === '' ? null : html`<span>${regularPrice}</span>`;
}
