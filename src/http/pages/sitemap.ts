import { category, tag } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { termLink } from '#site/addresses/terms.ts';
import { userLink } from '#site/addresses/users.ts';
import { published } from '#site/entries/newest.ts';
import { publicItem } from '#site/items/item.ts';
import { type Html, html } from '#text/html.ts';
import type { PageReply } from '../server/page-reply.ts';

/** Maximum addresses per file: few enough that reading them does not delay other requests. */
const MOST = 1000;
/** Maximum files that an index may name. */
const MAX_FILES = 50_000;

interface Section {
  readonly name: string;
  readonly count: (model: Model) => number;
  readonly addresses: (model: Model, from: number) => readonly Address[];
}

interface Address {
  readonly address: string;
  /** Time of its last change, UTC. */
  readonly modified?: string | null;
}

const entries = (name: string, kind: 'post' | 'page'): Section => ({
  name,
  count: (model) => published({ kind, limit: 1 }, model).total,
  addresses: (model, offset) =>
    published({ kind, orderBy: 'id', order: 'asc', offset, limit: MOST }, model)
      .ids.flatMap((id) => publicItem(id, model) ?? [])
      .map(({ address, modifiedGmt }) => ({ address, modified: modifiedGmt })),
});

const terms = (name: string, kind: typeof category): Section => {
  const used = (model: Model) => model.terms(kind.name).filter((term) => term.published > 0);
  return {
    name,
    count: (model) => used(model).length,
    addresses: (model, offset) =>
      used(model)
        .slice(offset, offset + MOST)
        .map((term) => ({ address: termLink(term, model) })),
  };
};

const authors: Section = {
  name: 'authors',
  count: (model) => writers(model).length,
  addresses: (model, offset) =>
    writers(model)
      .slice(offset, offset + MOST)
      .map((user) => ({ address: userLink(user, model.site().url) })),
};

const sections: readonly Section[] = [
  entries('posts', 'post'),
  entries('pages', 'page'),
  terms('categories', category),
  terms('tags', tag),
  authors,
];

/** The list of public addresses for search engines: an index, and the files it names; null for any other path. */
export function sitemapAt(path: string, model: Model): PageReply | null {
  if (path === '/sitemap.xml') return xmlReply(indexOf(model));
  const [, name, number = '0'] = /^\/sitemap-([a-z]+)-([1-9]\d{0,4})\.xml$/.exec(path) ?? [];
  const section = sections.find((one) => one.name === name);
  if (section === undefined) return null;
  const addresses = section.addresses(model, (Number(number) - 1) * MOST);
  return addresses.length === 0 ? null : xmlReply(listOf(addresses));
}

function indexOf(model: Model): Html {
  const { url } = model.site();
  const files = sections.flatMap(({ name, count }) =>
    Array.from({ length: Math.ceil(count(model) / MOST) }, (_, i) => `${url}/sitemap-${name}-${i + 1}.xml`),
  );
  return html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${files.slice(0, MAX_FILES).map((file) => html`<sitemap><loc>${file}</loc></sitemap>\n`)}</sitemapindex>
`;
}

function listOf(addresses: readonly Address[]): Html {
  return html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map(
  ({ address, modified }) =>
    html`<url><loc>${address}</loc>${modified ? html`<lastmod>${modified}+00:00</lastmod>` : null}</url>\n`,
)}</urlset>
`;
}

function writers(model: Model) {
  return model.users().filter((user) => user.published > 0);
}

function xmlReply(content: Html): PageReply {
  const headers = {
    'Content-Type': 'application/xml; charset=UTF-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
    'X-Robots-Tag': 'noindex',
  };
  return { status: 200, headers, body: ['<?xml version="1.0" encoding="UTF-8"?>\n', ...content.pieces] };
}
