import { isOnSale, type Product, priceOf } from '#domain/entry/product.ts';
import { type Html, html } from '#text/html.ts';

/** The price of a product and, during a sale, its former price; null if none is given. */
export function priceMarkup(product: Product | null): Html | null {
  if (product === null) return null;
  const price = priceOf(product);
  if (isOnSale(product)) return html`<del>${product.regularPrice}</del> <ins>${price}</ins>`;
  return price === '' ? null : html`<span>${price}</span>`;
}
