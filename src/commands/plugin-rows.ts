import { kindOf, partOf } from '#domain/entry/kinds.ts';
import { isOnSale, type Product, plainProduct, productPart } from '#domain/entry/product.ts';
import { allowedTypes } from '#domain/media/types.ts';
import { cacheAssets } from '#domain/page-assets/area.ts';
import type { EntryQuery, PluginEntry, PluginMedia, PluginProduct, PluginReader, PluginUser } from '#plugin/reader.ts';
import { searchFor } from '#projections/collection/fitting.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import { assetQueue } from '#projections/plugins/asset-queue.ts';
import type { Model } from '#projections/reading/model.ts';
import { withDescendants } from '#projections/terms/descendants.ts';
import type { UserRow } from '#projections/users/definition.ts';

export function listsOf(model: Model): Pick<PluginReader, 'find' | 'media' | 'mediaIds' | 'waitingAssets' | 'assets'> {
  return {
    find: (query) => model.present().find(collectionQuery(query, model)),
    media({ type, limit }) {
      const formats = allowedTypes.filter((one) => one.startsWith(type));
      const query = { ...newest, kind: mediaKind, statuses: [{ status: mediaStatus }], limit };
      const { ids } = model.present().find({ ...query, taxonomies: [{ by: 'format', formats }] });
      return ids.flatMap((id) => shownMedia(id, model) ?? []);
    },
    mediaIds(types) {
      const query = { kind: mediaKind, statuses: [{ status: mediaStatus }], orderBy: 'id', order: 'asc' } as const;
      const all = { ...query, offset: 0, limit: Number.MAX_SAFE_INTEGER };
      return model.present().find({ ...all, taxonomies: [{ by: 'format', formats: types }] }).ids;
    },
    waitingAssets: (kind) =>
      model
        .present()
        .of(assetQueue)
        .of(kind)
        .map((slot) => ({ ...slot, kind })),
    assets: (entry) => model.plugin(cacheAssets, String(entry)),
  };
}

const newest = { orderBy: 'date', order: 'desc', offset: 0 } as const;

function collectionQuery({ terms = [], only, search, ...query }: EntryQuery, model: Model): CollectionQuery {
  const taxonomies = terms.map(({ mode, terms: own, below }) => {
    // 0 is no term, though those at the top have it as their parent.
    const above = below === true ? own.filter((id) => id > 0) : [];
    return { by: 'term', mode, terms: [...new Set([...own, ...withDescendants(above, model)])] } as const;
  });
  return {
    ...newest,
    statuses: [{ status: 'publish' }],
    ...query,
    ...(taxonomies.length > 0 && { taxonomies }),
    ...(search &&
      searchFor(search.text, { columns: search.columns ?? [], skipProtected: search.skipProtected === true })),
    ...(only && { goods: only }),
  };
}

export function termsOf(model: Model): Pick<PluginReader, 'term' | 'terms' | 'termBySlug'> {
  return {
    terms: (taxonomy) => model.terms(taxonomy),
    term: (id) => model.term(id),
    termBySlug: (taxonomy, slug) => model.termBySlug(taxonomy, slug),
  };
}

export function userForPlugin({ id, slug, displayName, registered, published }: UserRow): PluginUser {
  return { id, slug, displayName, registered, published };
}

export function entryForPlugin(id: number, model: Model): PluginEntry | undefined {
  const entry = model.entry(id);
  if (entry === undefined) return undefined;
  const { kind, status, slug, title, author, password, date, dateGmt, modified, modifiedGmt } = entry;
  const { featuredMedia, commentStatus, pingStatus, parent, menuOrder } = entry;
  return {
    id,
    kind,
    status,
    slug,
    title,
    author,
    isProtected: password !== '',
    date,
    dateGmt,
    modified,
    modifiedGmt,
    image: featuredMedia,
    commentStatus,
    pingStatus,
    parent,
    menuOrder,
    product: shownProduct(entry),
  };
}

function shownProduct(row: EntryRow): PluginProduct | null {
  if (kindOf(row.kind).part !== productPart) return null;
  const product: Product = partOf(productPart, row) ?? plainProduct;
  const { regularPrice, salePrice, sku, stockStatus, averageRating } = product;
  const attributes = product.attributes.map(({ name, label }) => ({ name, label }));
  return { regularPrice, salePrice, sku, stockStatus, isOnSale: isOnSale(product), averageRating, attributes };
}

function shownMedia(id: number, model: Model): PluginMedia | undefined {
  const item = model.media(id);
  return item && { id, type: item.type, slug: item.slug, title: item.title, author: item.author };
}
