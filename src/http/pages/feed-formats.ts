import { asHtml, type Html, html } from '#text/html.ts';
import { resultOf } from '#text/suspended.ts';
import type { PageReply } from '../server/page-reply.ts';

export const feedFormats = ['rss', 'atom'] as const;
export type FeedFormat = (typeof feedFormats)[number];

export interface PageFeed {
  readonly title: string;
  readonly description: string;
  /** Address of the page with the same content. */
  readonly home: string;
  /** Address of the feed in RSS. */
  readonly address: string;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly title: string;
  readonly link: string;
  /** Permanent identifier, whatever happens to the entry. */
  readonly guid: string;
  readonly published: Date;
  readonly updated: Date;
  readonly author: string;
  readonly categories: readonly string[];
  /** HTML; null: it is protected. */
  readonly summary: string | null;
  readonly content: string | null;
}

const TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml; charset=UTF-8',
  atom: 'application/atom+xml; charset=UTF-8',
};
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function feedReply(feed: PageFeed, format: FeedFormat): PageReply {
  const headers = { 'Content-Type': TYPES[format], 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' };
  return { status: 200, headers, body: [PROLOGUE, ...(format === 'rss' ? rss(feed) : atom(feed)).pieces] };
}

function rss({ title, description, home, address, entries: [...entries] }: PageFeed): Html {
  const [latest] = entries;
  return html`<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${title}</title>
<link>${home}</link>
<atom:link href="${address}" rel="self" type="application/rss+xml"/>
<description>${description}</description>
${latest === undefined ? null : html`<lastBuildDate>${latest.published.toUTCString()}</lastBuildDate>\n`}${entries.map(
  (one) => html`<item>
<title>${one.title}</title>
<link>${one.link}</link>
<guid isPermaLink="false">${one.guid}</guid>
<pubDate>${one.published.toUTCString()}</pubDate>
<dc:creator>${one.author}</dc:creator>
${one.categories.map((name) => html`<category>${name}</category>\n`)}<description>${shown(one.summary)}</description>
<content:encoded>${shown(one.content)}</content:encoded>
</item>
`,
)}</channel>
</rss>
`;
}

function atom({ title, home, address, entries: [...entries] }: PageFeed): Html {
  const [latest] = entries;
  const own = `${address}atom/`;
  return html`<feed xmlns="http://www.w3.org/2005/Atom">
<title>${title}</title>
<id>${own}</id>
<link href="${home}"/>
<link href="${own}" rel="self" type="application/atom+xml"/>
<updated>${(latest?.published ?? new Date(0)).toISOString()}</updated>
${entries.map(
  (one) => html`<entry>
<title>${one.title}</title>
<link href="${one.link}"/>
<id>${one.guid}</id>
<published>${one.published.toISOString()}</published>
<updated>${one.updated.toISOString()}</updated>
<author><name>${one.author}</name></author>
${one.categories.map((name) => html`<category term="${name}"/>\n`)}<summary type="html">${shown(one.summary)}</summary>
<content type="html">${shown(one.content)}</content>
</entry>
`,
)}</feed>
`;
}

function shown(text: string | null): Html {
  if (text === null) return asHtml('This content is protected.');
  return asHtml(resultOf('escapeXml', text));
}
