import { z } from 'zod';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { allTermKinds, type TermKind, termKinds } from '#domain/term/kinds.ts';
import { searchFor } from '#projections/collection/fitting.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { type LinkParts, linkParts } from '#site/addresses/interface.ts';
import { permalink, termLink } from '#site/addresses/items.ts';
import { methodsForEntry, methodsForTerm } from '#site/rights.ts';
import { presentKinds } from '#site/types.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import type { Call, Context } from '../../engine/types.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../records/field.ts';
import { listIn, ordered } from '../records/listing.ts';
import { byName, namedLike } from '../terms/reads.ts';

export type SearchedHit = (typeof searched)[number];

interface Hit {
  readonly id: number | string;
  readonly title: JsonText;
  readonly url: string;
  /** Of terms: their taxonomy. */
  readonly type: string;
  /** Of entries: their kind. */
  readonly subtype?: string;
  /** Paths of its record and of the type of the record below the namespace; null: it has none. */
  readonly record: { readonly path: string; readonly about: string; readonly allow: readonly string[] } | null;
}

export interface Page {
  readonly hits: readonly Hit[];
  readonly total: number;
}

/** Carries out a search. `subtypes`: the requested ones of the type, or `any`. */
export type HitSearch = (call: Call<Model>, subtypes: readonly string[]) => Page;

interface HitTypes {
  readonly kind: SearchedHit;
  readonly row: Hit;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

/** What can be searched: the values of `type`. */
export const searched = ['post', 'term', 'post-format'] as const;

const context: readonly Context[] = ['view', 'embed'];

/** Taxonomies that are searched: those whose terms have pages. */
export const searchedTaxonomies: readonly TermKind[] = allTermKinds.filter(({ type }) => type.viewable);

const { field, text } = fieldConstructors<HitTypes>({ readonly: true });

/** Every field of search results, in the order in which records have them. */
const fields: readonly Field<HitTypes>[] = [
  field('id', context, 'Unique identifier for the object.', {
    schema: () => z.union([z.int(), z.string()]),
    json: ({ id }) => asciiJson(id),
  }),
  text('title', context, 'The title for the object.', { json: ({ title }) => title }),
  text('url', context, 'URL to the object.', { schema: () => z.string().meta({ format: 'uri' }) }),
  text('type', context, 'Object type.'),
  text('subtype', context, 'Object subtype.', {
    when: (kind) => kind === 'post',
    read: ({ subtype = '' }) => subtype,
  }),
  { name: '_links', context, json: (hit, model) => linksJson(hit, linkParts(model.site())) },
];

export const hitFields = defineFields<HitTypes>(fields);

export const hitSchema = (): unknown => recordSchema('search-result', hitFields('post').properties());

function linksJson({ record }: Hit, { rest }: LinkParts): JsonText {
  const collection = `"collection":[{"href":"${rest}/search"}]`;
  if (record === null) return `{${collection}}`;
  const { path, about, allow } = record;
  const hints = allow.length === 0 ? '' : `,"targetHints":{"allow":${JSON.stringify(allow)}}`;
  const self = `"self":[{"embeddable":true,"href":"${rest}${path}"${hints}}]`;
  return `{${self},"about":[{"href":"${rest}${about}"}],${collection}}`;
}

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
    kind,
    alsoKinds,
    statuses: [{ status: 'publish' }],
    ...words,
    ...listed(call),
    orderBy: words.search === undefined ? 'date' : 'relevance',
    order: 'desc',
    offset: (Number(params['page']) - 1) * perPage,
    limit: perPage,
  });
  const hits = ids.flatMap((id) => {
    const row = model.entry(id);
    return row === undefined ? [] : [entryHit(row, call)];
  });
  // Beyond the end the total is 0.
  return { hits, total: hits.length === 0 ? 0 : total };
};

function listed(call: Call<Model>): { include?: readonly number[]; exclude?: readonly number[] } {
  const [include, exclude] = [listIn<number>(call, 'include'), listIn<number>(call, 'exclude')];
  return { ...(include === undefined ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) };
}

function entryHit(row: EntryRow, { viewer, model }: Call<Model>): Hit {
  const kind: EntryKind = kindOf(row.kind);
  return {
    id: row.id,
    title: row.titleJson,
    url: permalink(row, model),
    type: 'post',
    subtype: row.kind,
    record: { path: `/${kind.base}/${row.id}`, about: `/types/${row.kind}`, allow: methodsForEntry(viewer, row) },
  };
}

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
  return { hits: hits.map((row) => termHit(row, call)), total: found.length };
};

function termHit(row: TermRow, { viewer, model }: Call<Model>): Hit {
  const kind = termKinds[row.taxonomy];
  return {
    id: row.id,
    title: asciiJson(row.name),
    url: termLink(row, model),
    type: row.taxonomy,
    record: {
      path: `/${kind.base}/${row.id}`,
      about: `/taxonomies/${row.taxonomy}`,
      allow: methodsForTerm(viewer, { kind, term: row, model }),
    },
  };
}

export function cut<T>(list: readonly T[], { params }: Call<Model>): readonly T[] {
  const perPage = Number(params['per_page']);
  const start = (Number(params['page']) - 1) * perPage;
  return list.slice(start, start + perPage);
}
