import type { Entry } from '#domain/entry/state.ts';
import type { EntryFacets } from '../collection/types.ts';
import { goodsOf } from './columns.ts';

type Shown = Omit<Entry, 'content' | 'excerpt' | 'footnotes'> & { readonly ord: number };

/** What collections know of an entry. */
export function facetsOf(entry: Shown): EntryFacets {
  const { ord, id, kind, status, author, slug, date, modified, title, parent, menuOrder, format, sticky } = entry;
  return {
    ...{ ord, id, kind, status, author, slug, date, modified, title, parent, menuOrder, format, sticky },
    protected: entry.password !== '',
    terms: entry.categories.concat(entry.tags),
    ...(entry.product === null ? {} : { goods: goodsOf(entry.product) }),
  };
}
