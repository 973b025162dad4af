import { termKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { type LinkParts, linkParts } from '#site/addresses/interface.ts';
import { placesOf } from '#site/menus/places.ts';
import { methodsForTerm } from '#site/rights/terms.ts';
import { asciiJson, type JsonText } from '#text/json.ts';

import type { TermShowing } from './showing.ts';

export function termLinksJson(row: TermRow, { viewer, model }: TermShowing): JsonText {
  const kind = termKinds[row.taxonomy];
  const { rest, prefix, curies } = linkParts(model.site());
  const collection = `${rest}/${kind.base}`;
  const allow = JSON.stringify(methodsForTerm(viewer, { kind, term: row, model }));
  const parent = row.parent === 0 ? undefined : model.term(row.parent);
  const links = [
    `"self":[{"href":"${collection}/${row.id}","targetHints":{"allow":${allow}}}]`,
    `"collection":[{"href":"${collection}"}]`,
    `"about":[{"href":"${rest}/taxonomies/${row.taxonomy}"}]`,
    ...(parent === undefined ? [] : [`"up":[{"embeddable":true,"href":"${collection}/${parent.id}"}]`]),
    ...places(row, model, { rest, prefix }),
    `"${prefix}:post_type":[{"href":"${rest}/${kind.entries}?${kind.base}=${row.id}"}]`,
    curies,
  ];
  return `{${links.join()}}`;
}

function places(row: TermRow, model: Model, { rest, prefix }: Pick<LinkParts, 'rest' | 'prefix'>): string[] {
  const links = placesOf(row, model).map(
    (name) => `{"href":${asciiJson(`${rest}/menu-locations/${name}`)},"embeddable":true}`,
  );
  return links.length === 0 ? [] : [`"${prefix}:menu-location":[${links}]`];
}
