import { kindOf, partOf } from '#domain/entry/kinds.ts';
import { isOnSale, type Product, plainProduct, productPart } from '#domain/entry/product.ts';
import { allowedTypes } from '#domain/media/types.ts';
import { cacheAssets } from '#domain/plugins/page-assets/area.ts';
import type { EntryQuery, PluginEntry, PluginMedia, PluginProduct, PluginReader, PluginUser } from '#plugin/reader.ts';
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

function collectionQuery({ terms, only, ...query }: EntryQuery, model: Model): CollectionQuery {
  return {
    ...{ ...newest, statuses: [{ status: 'publish' }], ...query },
    ...(terms && { taxonomies: [{ by: 'term', mode: 'any', terms: withTermsBelow(terms, model) }] }),
    ...(only && { goods: only }),
  };
}

/** 0 is no term, though those at the top have it as their parent. */
function withTermsBelow(terms: readonly number[], model: Model): readonly number[] {
  const found = withDescendants(
    terms.filter((id) => id > 0),
    model,
  );
  return found.length === 0 ? [0] : found;
}

export function termsOf(model: Model): Pick<PluginReader, 'term' | 'termBySlug'> {
  return {
    term: (id) => model.namedTerm(id),
    termBySlug: (taxonomy, slug) => model.termBySlug(taxonomy, slug),
  };
}

export function userForPlugin({ id, slug, displayName, registered }: UserRow): PluginUser {
  return { id, slug, displayName, registered };
}

export function entryForPlugin(id: number, model: Model): PluginEntry | undefined {
  const entry = model.entry(id);
  if (entry === undefined) return undefined;
  const { kind, status, slug, title, author, password, date, modified, featuredMedia, commentStatus } = entry;
  return {
    ...{ id, kind, status, slug, title, author, isProtected: password !== '', date, modified },
    ...{ image: featuredMedia, takesComments: commentStatus === 'open', product: shownProduct(entry) },
  };
}

function shownProduct(row: EntryRow): PluginProduct | null {
  if (kindOf(row.kind).part !== productPart) return null;
  const product: Product = partOf(productPart, row) ?? plainProduct;
  const { regularPrice, salePrice, sku, stockStatus, averageRating } = product;
  return { regularPrice, salePrice, sku, stockStatus, isOnSale: isOnSale(product), averageRating };
}

function shownMedia(id: number, model: Model): PluginMedia | undefined {
  const item = model.media(id);
  return item && { id, type: item.type, slug: item.slug, title: item.title, author: item.author };
}
