import { type Html, html } from '#text/html.ts';
import { xmlCharacters } from '#text/xml.ts';
import type { PageReply } from '../server/page-reply.ts';

export const feedFormats = ['rss', 'atom'] as const;

export type FeedFormat = (typeof feedFormats)[number];

export interface PageFeed {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** Identifies it for ever. */
  readonly id: string;
  /** Address of the page with the same content. */
  readonly home: string;
  /** Its address in a format. */
  readonly address: (format: FeedFormat) => string;
  /** When its content changed last; null: it never had any. Never goes back. */
  readonly updated: Date | null;
  readonly entries: readonly FeedEntry[];
  /** Nothing that it shows, also of names and titles, has changed since. */
  readonly checked: Date | null;
}

export interface FeedEntry {
  readonly title: string;
  readonly link: string;
  /** Permanent identifier, whatever happens to the entry. */
  readonly guid: string;
  readonly published: Date;
  readonly updated: Date;
  readonly author: string;
  /** Address of the author's page; null: there is none. */
  readonly authorAddress: string | null;
  readonly categories: readonly string[];
  /** HTML; null: it is protected. */
  readonly summary: string | null;
  readonly content: string | null;
  /** The discussion of a post; null: there is none. */
  readonly comments: { readonly address: string; readonly feed: string; readonly count: number } | null;
}

const TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml; charset=UTF-8',
  atom: 'application/atom+xml; charset=UTF-8',
};
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';
const PROTECTED = 'This content is protected.';

/** A feed as RSS 2.0 or Atom. */
export function feedReply(feed: PageFeed, format: FeedFormat): PageReply {
  const headers = {
    'Content-Type': TYPES[format],
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
    ...(feed.checked === null ? {} : { 'Last-Modified': feed.checked.toUTCString() }),
  };
  const { pieces } = format === 'rss' ? rss(feed) : atom(feed);
  return { status: 200, headers, body: [PROLOGUE, ...pieces.map(xmlCharacters)] };
}

function rss({ title, description, language, home, address, updated, entries }: PageFeed): Html {
  return html`<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:wfw="http://wellformedweb.org/CommentAPI/">
<channel>
<title>${title}</title>
<link>${home}</link>
<atom:link href="${address('rss')}" rel="self" type="application/rss+xml"/>
<description>${description}</description>
<language>${language}</language>
${updated === null ? null : html`<lastBuildDate>${updated.toUTCString()}</lastBuildDate>\n`}${entries.map(
  (one) => html`<item>
<title>${one.title}</title>
<link>${one.link}</link>
<guid isPermaLink="false">${one.guid}</guid>
<pubDate>${one.published.toUTCString()}</pubDate>
<dc:creator>${one.author}</dc:creator>
${one.comments === null ? null : html`<comments>${one.comments.address}</comments>\n`}${one.categories.map((name) => html`<category>${name}</category>\n`)}<description>${one.summary ?? PROTECTED}</description>
<content:encoded>${one.content ?? PROTECTED}</content:encoded>
${one.comments === null ? null : html`<wfw:commentRss>${one.comments.feed}</wfw:commentRss>\n<slash:comments>${one.comments.count}</slash:comments>\n`}</item>
`,
)}</channel>
</rss>
`;
}

function atom({ title, description, language, id, home, address, updated, entries }: PageFeed): Html {
  return html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<title>${title}</title>
${description === '' ? null : html`<subtitle>${description}</subtitle>\n`}<id>${id}</id>
<link href="${home}"/>
<link href="${address('atom')}" rel="self" type="application/atom+xml"/>
<updated>${(updated ?? new Date(0)).toISOString()}</updated>
${entries.map(
  (one) => html`<entry>
<title>${one.title}</title>
<link href="${one.link}"/>
${one.comments === null ? null : html`<link rel="replies" type="text/html" href="${one.comments.address}"/>\n`}<id>${one.guid}</id>
<published>${one.published.toISOString()}</published>
<updated>${one.updated.toISOString()}</updated>
<author><name>${one.author}</name>${one.authorAddress === null ? null : html`<uri>${one.authorAddress}</uri>`}</author>
${one.categories.map((name) => html`<category term="${name}"/>\n`)}<summary type="html">${one.summary ?? PROTECTED}</summary>
<content type="html">${one.content ?? PROTECTED}</content>
</entry>
`,
)}</feed>
`;
}
