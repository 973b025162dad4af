import { allTerms } from '#domain/entry/classification.ts';
import { filterableValues } from '#domain/entry/fields.ts';
import { partOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import type { Entry, Losable } from '#domain/entry/state.ts';
import type { EntryFacets, Goods } from '../kernel/collection-query.ts';
import { filterableIn, goodsOf, type SqlValue } from './columns.ts';

type Shown = Omit<Entry, 'content' | 'excerpt' | 'footnotes'> & { readonly ord: number };

export function facetsOf(entry: Shown): EntryFacets {
  const { ord, id, kind, status, author, slug, date, modified, title, parent, menuOrder, sticky } = entry;
  const product = partOf(productPart, entry);
  return {
    ord,
    id,
    kind,
    status,
    author,
    slug,
    date,
    modified,
    title,
    parent,
    menuOrder,
    sticky,
    values: filterableValues(entry),
    protected: entry.password !== '',
    terms: allTerms(entry),
    ...(product === null ? {} : { goods: goodsOf(product) }),
  };
}

/** `facetsOf` from values of `facetColumns`. */
export function toFacets(
  v: readonly SqlValue[],
  { ord, current }: { readonly ord: number; readonly current: Losable },
): EntryFacets {
  const facets = {
    ord,
    id: v[1] as number,
    kind: current.kind,
    status: current.status,
    slug: current.slug,
    author: current.author,
    date: v[6] as string,
    modified: v[7] as string,
    title: v[8] as string,
    protected: v[9] !== '',
    values: filterableIn(v),
    sticky: current.sticky,
    parent: current.parent,
    menuOrder: v[13] as number,
    terms: allTerms(current),
  };
  return v[16] === null ? facets : { ...facets, goods: JSON.parse(v[16] as string) as Goods };
}
