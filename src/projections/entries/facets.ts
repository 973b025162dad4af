import { allTerms } from '#domain/entry/classification.ts';
import { partOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import type { Entry } from '#domain/entry/state.ts';
import type { EntryFacets } from '../collection/types.ts';
import { goodsOf } from './columns.ts';

type Shown = Omit<Entry, 'content' | 'excerpt' | 'footnotes'> & { readonly ord: number };

/** What collections know of an entry. */
export function facetsOf(entry: Shown): EntryFacets {
  const { ord, id, kind, status, author, slug, date, modified, title, parent, menuOrder, format, sticky } = entry;
  const product = partOf(productPart, entry);
  return {
    ...{ ord, id, kind, status, author, slug, date, modified, title, parent, menuOrder, format, sticky },
    protected: entry.password !== '',
    terms: allTerms(entry),
    ...(product === null ? {} : { goods: goodsOf(product) }),
  };
}
