import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { formatNames } from '#domain/entry/vocabulary.ts';
import type { Model } from '#projections/reading/model.ts';
import { usedFormats } from '#projections/site/formats.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { isScalar, listOf } from '#text/shapes.ts';
import { slugify } from '#text/slug.ts';
import { notInEnum, wrongType } from '../../engine/faults.ts';
import type { Answer, Args, Call, Context, Fault, Route } from '../../engine/types.ts';
import { pagingHeaders } from '../records/listing.ts';
import { excludeArg, includeArg, inSecondPass, pagingArgs } from '../records/usual-args.ts';
import {
  cut,
  type HitSearch,
  hitFields,
  hitSchema,
  type SearchedHit,
  searchEntries,
  searched,
  searchedKinds,
  searchedTaxonomies,
  searchInTerms,
} from './reads.ts';

const everything = 'any';
const taxonomies = searchedTaxonomies.map(({ name }) => name);

const searchFormats: HitSearch = (call) => {
  const { params, model } = call;
  const words = String(params['search'] ?? '').toLowerCase();
  const used = new Set(model.present().of(usedFormats).all());
  const found = Object.entries(formatNames).filter(
    ([format, name]) => used.has(format) && (format.includes(words) || name.toLowerCase().includes(words)),
  );
  const { url } = model.site();
  const hits = cut(found, call).map(([format, name]) => ({
    id: format,
    title: asciiJson(name),
    url: `${url}/type/${format}/`,
    type: 'post-format',
    record: null,
  }));
  return { hits, total: found.length };
};

const searches: Readonly<Record<SearchedHit, HitSearch>> = {
  post: searchEntries,
  term: searchInTerms,
  'post-format': searchFormats,
};

/** The search over everything that has a page (interface behaviour, section 34). */
export function searchRoutes(): readonly Route<Model, Session>[] {
  return [
    {
      namespace: CONTENT,
      pattern: `/${CONTENT}/search`,
      schema: hitSchema,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'Search posts, pages, terms or formats',
          args: searchArgs,
          permission: () => null,
          query: search,
          listed: true,
          depends: () => ['entries', 'terms', 'site', 'plugins'],
        },
      ],
    },
  ];
}

function search(call: Call<Model>): Answer {
  const { params, model } = call;
  const type = params['type'] as SearchedHit;
  const { hits, total } = searches[type](call, subtypesIn(call));
  const fields = hitFields(type);
  const site = model.site();
  const place = { page: Number(params['page']), total, pages: Math.ceil(total / Number(params['per_page'])) };
  const url = `${namespaceUrl(site, CONTENT)}/search`;
  return {
    body: { kind: 'list', records: hits.map((hit) => fields.record(params['context'] as Context, hit, model)) },
    headers: pagingHeaders(call, { ...place, url, prefix: site.names.headers, unbounded: true }),
  };
}

const searchArgs: Args<Model> = {
  ...pagingArgs,
  context: {
    schema: z
      .enum(['view', 'embed'])
      .default('view')
      .describe('Scope under which the request is made; determines fields present in response.'),
  },
  type: inSecondPass(z.enum(searched).default('post').describe('Limit results to items of an object type.')),
  subtype: {
    ...inSecondPass(
      z.array(z.enum(['post', 'page', ...taxonomies, everything])).meta({
        default: everything,
        description: 'Limit results to items of one or more object subtypes.',
      }),
    ),
    check: checkSubtypes,
  },
  exclude: excludeArg,
  include: includeArg,
};

/** The requested subtypes of the type; `any` replaces all others. */
function subtypesIn({ params, model }: Call<Model>): readonly string[] {
  const named = (listOf(params['subtype']) ?? []).map((one) => slugify(String(one)));
  if (named.includes(everything)) return [everything];
  const own: readonly string[] =
    params['type'] === 'post' ? searchedKinds(model) : params['type'] === 'term' ? taxonomies : [];
  return own.filter((one) => named.includes(one));
}

function checkSubtypes(value: unknown, { model }: Call<Model>): Fault | null {
  const list = listOf(value);
  if (list === null) return wrongType('subtype', 'array');
  const known = [...searchedKinds(model), ...taxonomies, everything];
  const place = (index: number) => `subtype[${index}]`;
  for (const [index, one] of list.entries()) {
    if (!isScalar(one)) return wrongType(place(index), 'string');
    if (!known.includes(slugify(String(one)))) return notInEnum(place(index), known);
  }
  return null;
}
