import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { searchFor } from '#projections/collection/search-query.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/entries.ts';
import { methodsForEntry } from '#site/rights/entries.ts';
import { presentKinds } from '#site/types.ts';
import { listIn } from '../../engine/listing.ts';
import type { Call } from '../../engine/types.ts';
import type { Hit, HitSearch } from './hit.ts';

/** Kinds of entries that are searched: those with pages of their own. */
export function searchedKinds(model: Model): readonly string[] {
  return presentKinds(model).flatMap(({ name, type }) => (type.viewable ? [name] : []));
}

/** Published entries: those with the words in their titles first, then the newest. Without subtypes: posts. */
export const searchEntries: HitSearch = (call, subtypes) => {
  const { params, viewer, model } = call;
  const [kind = 'post', ...alsoKinds] = subtypes.includes('any') ? searchedKinds(model) : subtypes;
  const perPage = Number(params['per_page']);
  const words = searchFor(String(params['search'] ?? ''), { skipProtected: viewer.id === 0 });
  const { ids, total } = model.present().find({
    ...{ kind, alsoKinds, statuses: [{ status: 'publish' }], ...words, ...listed(call) },
    orderBy: words.search === undefined ? 'date' : 'relevance',
    order: 'desc',
    offset: (Number(params['page']) - 1) * perPage,
    limit: perPage,
  });
  const hits = ids.flatMap((id) => {
    const row = model.entry(id);
    return row === undefined ? [] : [hitOf(row, call)];
  });
  // Beyond the end the total is 0.
  return { hits, total: hits.length === 0 ? 0 : total };
};

function listed(call: Call<Model>): { include?: readonly number[]; exclude?: readonly number[] } {
  const [include, exclude] = [listIn<number>(call, 'include'), listIn<number>(call, 'exclude')];
  return { ...(include === undefined ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) };
}

function hitOf(row: EntryRow, { viewer, model }: Call<Model>): Hit {
  const kind: EntryKind = kindOf(row.kind);
  return {
    ...{ id: row.id, title: row.titleJson, url: permalink(row, model), type: 'post', subtype: row.kind },
    record: { path: `/${kind.base}/${row.id}`, about: `/types/${row.kind}`, allow: methodsForEntry(viewer, row) },
  };
}
