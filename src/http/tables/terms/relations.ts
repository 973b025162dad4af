import { termKinds } from '#domain/term/kinds.ts';
import type { TermRow } from '#projections/terms.ts';
import type { JsonText } from '../../engine/types.ts';
import { curies, restRoot } from '../entries/relations.ts';
import { allowedMethods } from './policy.ts';
import type { Showing } from './showing.ts';

/** The links of a term, as JSON text. */
export function linksJson(row: TermRow, { viewer, model }: Showing): JsonText {
  const kind = termKinds[row.taxonomy];
  const rest = restRoot(model.site().url);
  const collection = `${rest}/${kind.base}`;
  const allow = JSON.stringify(allowedMethods(viewer, { kind, term: row, model }));
  const parent = row.parent === 0 ? undefined : model.term(row.parent);
  const links = [
    `"self":[{"href":"${collection}/${row.id}","targetHints":{"allow":${allow}}}]`,
    `"collection":[{"href":"${collection}"}]`,
    `"about":[{"href":"${rest}/taxonomies/${row.taxonomy}"}]`,
    ...(parent === undefined ? [] : [`"up":[{"embeddable":true,"href":"${collection}/${parent.id}"}]`]),
    `"cms:post_type":[{"href":"${rest}/posts?${kind.base}=${row.id}"}]`,
    curies,
  ];
  return `{${links.join()}}`;
}
