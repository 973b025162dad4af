import type { Model } from '#projections/model.ts';
import { asHtml, type Html, html } from './html.ts';
import { type Item, plain, plainTitle, publicItem } from './item.ts';
import { type Listing, listingAt } from './listing.ts';
import { segmentsOf } from './locate.ts';
import { newest } from './newest.ts';
import { contentWithLists } from './post-lists.ts';
import type { PageReply } from './reply.ts';

/** Entries of a feed. */
const MOST = 20;

type Format = 'rss' | 'atom';
const TYPES: Readonly<Record<Format, string>> = {
  rss: 'application/rss+xml; charset=UTF-8',
  atom: 'application/atom+xml; charset=UTF-8',
};

/** The feed at a path: that of any list of posts, in RSS 2.0 at `feed/` and in Atom at `feed/atom/`; null when there is none. */
export function feedAt(path: string, model: Model): PageReply | null {
  const segments = segmentsOf(path);
  const format: Format = segments.at(-1)?.toLowerCase() === 'atom' ? 'atom' : 'rss';
  const rest = format === 'atom' ? segments.slice(0, -1) : segments;
  if (rest.at(-1)?.toLowerCase() !== 'feed') return null;
  const found = listingAt(`/${rest.slice(0, -1).join('/')}`, model);
  if (found === null || found.number !== 1) return null;
  const { listing } = found;
  const items = newest(listing.query, MOST, model).flatMap((id) => publicItem(id, model) ?? []);
  const feed = { listing, items, model, address: feedAddress(listing, format) };
  const headers = { 'Content-Type': TYPES[format], 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' };
  return { status: 200, headers, body: format === 'rss' ? rss(feed) : atom(feed) };
}

export function feedAddress({ address }: Listing, format: Format = 'rss'): string {
  return `${address}feed/${format === 'atom' ? 'atom/' : ''}`;
}

interface Feed {
  readonly listing: Listing;
  readonly items: readonly Item[];
  readonly model: Model;
  readonly address: string;
}

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';

function rss({ listing, items, model, address }: Feed): string {
  const [latest] = items;
  return (
    PROLOGUE +
    html`<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${titleOf(listing, model)}</title>
<link>${listing.address}</link>
<atom:link href="${address}" rel="self" type="application/rss+xml"/>
<description>${listing.description || model.site().description}</description>
${latest === undefined ? null : html`<lastBuildDate>${dateOf(latest).toUTCString()}</lastBuildDate>\n`}${items.map(
  (item) => html`<item>
<title>${plainTitle(item)}</title>
<link>${item.address}</link>
<guid isPermaLink="false">${guidOf(item, model)}</guid>
<pubDate>${dateOf(item).toUTCString()}</pubDate>
<dc:creator>${authorOf(item, model)}</dc:creator>
${categoriesOf(item, model).map((name) => html`<category>${name}</category>\n`)}<description>${shown(item, item.excerpt)}</description>
<content:encoded>${shown(item, () => contentWithLists(item, model, ''))}</content:encoded>
</item>
`,
)}</channel>
</rss>
`.markup
  );
}

function atom({ listing, items, model, address }: Feed): string {
  const [latest] = items;
  return (
    PROLOGUE +
    html`<feed xmlns="http://www.w3.org/2005/Atom">
<title>${titleOf(listing, model)}</title>
<id>${address}</id>
<link href="${listing.address}"/>
<link href="${address}" rel="self" type="application/atom+xml"/>
<updated>${(latest === undefined ? new Date(0) : dateOf(latest)).toISOString()}</updated>
${items.map(
  (item) => html`<entry>
<title>${plainTitle(item)}</title>
<link href="${item.address}"/>
<id>${guidOf(item, model)}</id>
<published>${dateOf(item).toISOString()}</published>
<updated>${new Date(`${item.modifiedGmt}Z`).toISOString()}</updated>
<author><name>${authorOf(item, model)}</name></author>
${categoriesOf(item, model).map((name) => html`<category term="${name}"/>\n`)}<summary type="html">${shown(item, item.excerpt)}</summary>
<content type="html">${shown(item, () => contentWithLists(item, model, ''))}</content>
</entry>
`,
)}</feed>
`.markup
  );
}

function titleOf(listing: Listing, model: Model): string {
  const { name, url } = model.site();
  return listing.address === `${url}/` ? name : `${listing.title} – ${name}`;
}

function shown({ password }: Item, text: () => string): Html {
  if (password !== '') return asHtml('This content is protected.');
  return html`${text().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')}`;
}

function dateOf({ date, dateGmt }: Item): Date {
  return new Date(`${dateGmt ?? date}Z`);
}

function guidOf({ id }: Item, model: Model): string {
  return `${model.site().url}/?p=${id}`;
}

function authorOf({ author }: Item, model: Model): string {
  return model.user(author)?.displayName ?? '';
}

function categoriesOf({ categories, tags }: Item, model: Model): readonly string[] {
  return [...categories, ...tags].flatMap((id) => {
    const term = model.term(id);
    return term === undefined ? [] : plain(term.name);
  });
}
