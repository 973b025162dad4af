import { html, type PluginCall, type PluginProduct, type PluginReader } from 'palimpsest/plugin';
import { attributesIn, imageMarkup } from './blog-posts.ts';
import { findListed, type GoodsQuery, type QueryAttributes } from './query.ts';
import { failure, success } from './values.ts';

type Call = PluginCall<PluginReader>;

const maxListed = 1000;

/** Products by id; only the newest if there are very many. */
export function listProducts({ model, view }: Call) {
  const { ids } = model.find({ kind: 'product', limit: maxListed });
  if (ids.length === 0) return failure('There are no products.');
  const shown = ids.map((id) => {
    const product = model.entry(id)?.product;
    return [id, { title: view.entry(id)?.title ?? '', addToCartText: product ? cartText(product) : '' }] as const;
  });
  return success(Object.fromEntries(shown));
}

export function queryProducts(call: Call) {
  const attributes = attributesIn(call);
  const { ids, pages } = findListed('product', attributes, { model: call.model, goods: goodsQuery(attributes) });
  if (pages === 0) return success({ maxNumPages: 0 });
  return success({ maxNumPages: pages, queriedProductsData: ids.flatMap((id) => itemOf(id, attributes, call)) });
}

function goodsQuery({ filterBy = '', inheritGlobalQuery = false }: QueryAttributes): GoodsQuery {
  if (inheritGlobalQuery) return {};
  switch (filterBy) {
    case 'on_sale':
      return { only: 'onSale' };
    case 'featured':
      return { only: 'featured' };
    case 'top_rated':
      return { orderBy: 'rating', order: 'desc' };
    case 'best_selling':
      return { orderBy: 'sales', order: 'desc' };
    default:
      return {};
  }
}

function itemOf(id: number, attributes: QueryAttributes, call: Call) {
  const [entry, shown] = [call.model.entry(id), call.view.entry(id)];
  const sold = entry?.product;
  if (entry === undefined || shown === undefined || !sold) return [];
  const link = shown.address;
  const isOut = sold.stockStatus === 'outofstock';
  return {
    title: html`${shown.title}`.markup,
    productItemClasses: shown.classes,
    mark: [...(isOut ? ['out-of-stock'] : []), ...(sold.isOnSale ? ['sale'] : [])],
    productImage: imageMarkup(entry.image, attributes, call),
    productLink: link,
    productPriceHTML: shown.price?.markup ?? '',
    productCategoryHTML: shown.categories.markup,
    productRatingHTML: ratingMarkup(sold),
    addToCartButtonParams: {
      custom_attrs: { rel: 'nofollow' },
      button_link: { url: isOut ? link : `${link}?add-to-cart=${id}` },
      buttonText: cartText(sold),
      button_classes: ['button', `product-${sold.stockStatus}`],
      icon_classes: [],
      data_attrs: { product_id: id, product_sku: sold.sku, quantity: 1 },
    },
  };
}

const cartTexts: Readonly<Record<PluginProduct['stockStatus'], string>> = {
  instock: 'Add to cart',
  onbackorder: 'Order',
  outofstock: 'Read more',
};

function cartText({ stockStatus }: PluginProduct): string {
  return cartTexts[stockStatus];
}

function ratingMarkup({ averageRating }: PluginProduct): string {
  if (averageRating === 0) return '';
  const label = `Rated ${averageRating} out of 5`;
  return html`<span class="rating" role="img" aria-label="${label}">${averageRating}</span>`.markup;
}
