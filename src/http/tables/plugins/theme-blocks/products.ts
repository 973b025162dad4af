import { partOf, product } from '#domain/entry/kinds.ts';
import { isOnSale, type Product, plainProduct, productPart, type StockStatus } from '#domain/entry/product.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/items.ts';
import { classList } from '#site/entries/classes.ts';
import { html } from '#site/markup/html.ts';
import { priceMarkup } from '#site/markup/price.ts';
import { categoryLinks, pictureMarkup, titleOf } from '#site/rendering/fragments.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { failure, success } from '../kit/envelopes.ts';
import { imageSize } from './blog-posts.ts';
import { findListed, type GoodsQuery, type QueryAttributes, queryAttributes } from './query.ts';

const maxListed = 1000;

/** Products by id; only the newest if there are very many. */
export function listProducts({ model }: Call<Model>): Answer {
  const statuses = [{ status: 'publish' }];
  const query = { kind: product.name, statuses, orderBy: 'date', order: 'desc', offset: 0, limit: maxListed } as const;
  const rows = model
    .present()
    .find(query)
    .ids.flatMap((id) => model.entry(id) ?? []);
  if (rows.length === 0) return failure('There are no products.');
  const shown = rows.map((row) => [row.id, { title: titleOf(row), addToCartText: cartText(productOf(row)) }] as const);
  return success(Object.fromEntries(shown));
}

export function queryProducts(call: Call<Model>): Answer {
  const attributes = queryAttributes.of(call) ?? {};
  const { rows, pages } = findListed(product, attributes, { model: call.model, goods: goodsQuery(attributes) });
  if (pages === 0) return success({ maxNumPages: 0 });
  return success({ maxNumPages: pages, queriedProductsData: rows.map((row) => itemOf(row, attributes, call)) });
}

function goodsQuery({ filterBy = '', inheritGlobalQuery = false }: QueryAttributes): GoodsQuery {
  if (inheritGlobalQuery) return {};
  switch (filterBy) {
    case 'on_sale':
      return { goods: 'onSale' };
    case 'featured':
      return { goods: 'featured' };
    case 'top_rated':
      return { orderBy: 'rating', order: 'desc' };
    case 'best_selling':
      return { orderBy: 'sales', order: 'desc' };
    default:
      return {};
  }
}

function itemOf(row: EntryRow, attributes: QueryAttributes, { model, viewer }: Call<Model>): Record<string, unknown> {
  const sold = productOf(row);
  const link = permalink(row, model);
  const isOut = sold.stockStatus === 'outofstock';
  return {
    title: html`${titleOf(row)}`.markup,
    productItemClasses: classList(row, model),
    mark: [...(isOut ? ['out-of-stock'] : []), ...(isOnSale(sold) ? ['sale'] : [])],
    productImage: pictureMarkup(row.featuredMedia, imageSize(attributes), { model, viewer })?.markup ?? '',
    productLink: link,
    productPriceHTML: priceMarkup(partOf(productPart, row))?.markup ?? '',
    productCategoryHTML: categoryLinks(row, model).markup,
    productRatingHTML: ratingMarkup(sold),
    addToCartButtonParams: {
      custom_attrs: { rel: 'nofollow' },
      button_link: { url: isOut ? link : `${link}?add-to-cart=${row.id}` },
      buttonText: cartText(sold),
      button_classes: ['button', `product-${sold.stockStatus}`],
      icon_classes: [],
      data_attrs: { product_id: row.id, product_sku: sold.sku, quantity: 1 },
    },
  };
}

const cartTexts: Readonly<Record<StockStatus, string>> = {
  instock: 'Add to cart',
  onbackorder: 'Order',
  outofstock: 'Read more',
};

function cartText({ stockStatus }: Product): string {
  return cartTexts[stockStatus];
}

function ratingMarkup({ averageRating }: Product): string {
  if (averageRating === 0) return '';
  const label = `Rated ${averageRating} out of 5`;
  return html`<span class="rating" role="img" aria-label="${label}">${averageRating}</span>`.markup;
}

function productOf(row: EntryRow): Product {
  return partOf(productPart, row) ?? plainProduct;
}
