import { category, tag } from '#domain/term/kinds.ts';
import { tools } from '#domain/tools/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { frontPage } from '#site/addresses/front.ts';
import { termLink, userLink } from '#site/addresses/items.ts';
import { published } from '#site/entries/newest.ts';
import { plainExcerpt, plainTitle, publicItem } from '#site/items/item.ts';
import { type Html, html } from '#text/html.ts';
import { xmlCharacters } from '#text/xml.ts';
import type { PageReply } from '../server/page-reply.ts';

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

/** Path of the site's contents in Markdown, for language models. */
const llmsPath = '/llms.txt';
/** Maximum pages, and maximum posts: the newest. */
const maxListed = 500;

/** Maximum addresses per file: few enough that reading them does not delay other requests. */
const MOST = 1000;
/** Maximum files that an index may name. */
const MAX_FILES = 50_000;

/** Serves `/robots.txt`, which excludes crawlers from everything during maintenance. Null for any other path. */
export function robotsText(path: string, model: Model): PageReply | null {
  if (path !== '/robots.txt') return null;
  const { storeUrl } = model.site();
  const isClosed = model.plugin(tools).switches.maintenance_mode;
  const { pathname } = new URL(`${storeUrl}/`);
  const rules = isClosed ? [`Disallow: ${pathname}`] : [`Disallow: ${pathname}cms-audit/`, `Disallow: ${pathname}?s=`];
  const lines = ['User-agent: *', ...rules, ...(isClosed ? [] : ['', `Sitemap: ${storeUrl}/sitemap.xml`])];
  const headers = { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-cache' };
  return { status: 200, headers, body: [`${lines.join('\n')}\n`] };
}

/** Responds to automatic requests for an icon with a cacheable 204, because there is none. */
export function iconAt(path: string): PageReply | null {
  if (path !== '/favicon.ico') return null;
  return { status: 204, headers: { 'Cache-Control': 'public, max-age=86400' }, body: [] };
}

/** A list of everything published, for programs; null for other paths, or if it is switched off. */
export function llmsText(path: string, model: Model): PageReply | null {
  if (path !== llmsPath || !model.plugin(tools).switches.enable_llms_txt) return null;
  const { name, description } = model.site();
  const parts = [
    `# ${line(name)}`,
    ...(description === '' ? [] : [`> ${line(description)}`]),
    ...section('Pages', 'page', model),
    ...section('Posts', 'post', model),
  ];
  const headers = {
    'Content-Type': 'text/markdown; charset=UTF-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
  return { status: 200, headers, body: [`${parts.join('\n\n')}\n`] };
}

function section(title: string, kind: 'page' | 'post', model: Model): readonly string[] {
  const { ids } = model.present().find({
    kind,
    statuses: [{ status: 'publish' }],
    orderBy: 'date',
    order: 'desc',
    offset: 0,
    limit: maxListed,
  });
  const items = ids.flatMap((id) => publicItem(id, model) ?? []);
  if (items.length === 0) return [];
  const lines = items.map((item) => {
    const excerpt = line(plainExcerpt(item));
    return `- [${line(plainTitle(item))}](${item.address})${excerpt === '' ? '' : `: ${excerpt}`}`;
  });
  return [`## ${title}`, lines.join('\n')];
}

function line(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#]/g, '\\$&')
    .trim();
}

/** The address of the site, unless a page is shown there, which is among the pages. */
const home: Section = {
  name: 'home',
  count: (model) => (frontPage(model) === undefined ? 1 : 0),
  addresses: (model, from) => (from > 0 || frontPage(model) !== undefined ? [] : [{ address: `${model.site().url}/` }]),
};

const entries = (name: string, kind: 'post' | 'page'): Section => ({
  name,
  count: (model) => published({ kind, limit: 1 }, model).total,
  addresses: (model, offset) =>
    published({ kind, orderBy: 'id', order: 'asc', offset, limit: MOST }, model)
      .ids.flatMap((id) => publicItem(id, model) ?? [])
      .map(({ address, updatedGmt }) => ({ address, modified: updatedGmt })),
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
  home,
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
  const { storeUrl } = model.site();
  const files = sections.flatMap(({ name, count }) =>
    Array.from({ length: Math.ceil(count(model) / MOST) }, (_, i) => `${storeUrl}/sitemap-${name}-${i + 1}.xml`),
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
  return {
    status: 200,
    headers,
    body: ['<?xml version="1.0" encoding="UTF-8"?>\n', ...content.pieces.map(xmlCharacters)],
  };
}
