import type { Session } from '#commands/session.ts';
import { formatNames } from '#domain/entry/format-names.ts';
import type { Model } from '#projections/reading/model.ts';
import { usedFormats } from '#projections/site/formats.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { pagingHeaders } from '../../engine/paging.ts';
import type { Answer, Call, Context, Route } from '../../engine/types.ts';
import { searchArgs, subtypesIn } from './args.ts';
import { searchEntries } from './entries.ts';
import { type HitSearch, hitFields, hitSchema, type SearchedHit } from './hit.ts';
import { cut } from './page.ts';
import { searchInTerms } from './terms.ts';

const searchFormats: HitSearch = (call) => {
  const { params, model } = call;
  const words = String(params['search'] ?? '').toLowerCase();
  const used = new Set(model.present().of(usedFormats).all());
  const found = Object.entries(formatNames).filter(
    ([format, name]) => used.has(format) && (format.includes(words) || name.toLowerCase().includes(words)),
  );
  const { url } = model.site();
  const hits = cut(found, call).map(([format, name]) => ({
    ...{ id: format, title: asciiJson(name), url: `${url}/type/${format}/`, type: 'post-format', record: null },
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
      ...{ namespace: CONTENT, pattern: `/${CONTENT}/search`, schema: hitSchema },
      endpoints: [
        {
          ...{ methods: ['GET'], summary: 'Search posts, pages, terms or formats', args: searchArgs },
          ...{ permission: () => null, query: search, listed: true },
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
