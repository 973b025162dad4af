import { allTermKinds, type TermKind, termKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { termLink } from '#site/addresses/terms.ts';
import { methodsForTerm } from '#site/rights/terms.ts';
import { asciiJson } from '#text/json.ts';
import { listIn, ordered } from '../../engine/listing.ts';
import type { Call } from '../../engine/types.ts';
import { byName, namedLike } from '../terms/collection.ts';
import type { Hit, HitSearch } from './hit.ts';
import { cut } from './page.ts';

/** Taxonomies that are searched: those whose terms have pages. */
export const searchedTaxonomies: readonly TermKind[] = allTermKinds.filter(({ type }) => type.viewable);

/** Terms by name, including those that no post has. Without subtypes: of all taxonomies. */
export const searchInTerms: HitSearch = (call, subtypes) => {
  const { params, model } = call;
  const named = searchedTaxonomies.filter(({ name }) => subtypes.includes(name));
  const [include, exclude = []] = [listIn<number>(call, 'include'), listIn<number>(call, 'exclude')];
  const fits = namedLike(String(params['search'] ?? ''));
  const found = (named.length === 0 ? searchedTaxonomies : named)
    .flatMap(({ name }) => model.terms(name))
    .filter((row) => fits(row) && (include === undefined ? !exclude.includes(row.id) : include.includes(row.id)));
  const hits = cut(ordered(found, { key: byName, descending: false }), call);
  return { hits: hits.map((row) => hitOf(row, call)), total: found.length };
};

function hitOf(row: TermRow, { viewer, model }: Call<Model>): Hit {
  const kind = termKinds[row.taxonomy];
  return {
    ...{ id: row.id, title: asciiJson(row.name), url: termLink(row, model), type: row.taxonomy },
    record: {
      path: `/${kind.base}/${row.id}`,
      about: `/taxonomies/${row.taxonomy}`,
      allow: methodsForTerm(viewer, { kind, term: row, model }),
    },
  };
}
