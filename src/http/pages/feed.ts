import { decodeReferences } from '#blocks/references.ts';
import { renderComment } from '#blocks/render-comment.ts';
import { stripMarkup } from '#blocks/strip.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { segmentsOf } from '#site/addresses/place.ts';
import { newest } from '#site/entries/newest.ts';
import { type Item, itemAt, plainTitle, publicItem } from '#site/items/item.ts';
import { latestComments, authorOf as writerOf } from '#site/rendering/comments.ts';
import { type Html, html, plain } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';
import { xmlCharacters } from '#text/xml.ts';
import type { PageReply } from '../server/page-reply.ts';
import { commentAddress } from './discussion.ts';
import { type ListingPage, listingAt } from './listing.ts';

type FeedFormat = (typeof feedFormats)[number];

interface PageFeed {
  readonly title: string;
  readonly description: string;
  /** Address of the page with the same content. */
  readonly home: string;
  /** Address of the feed in RSS. */
  readonly address: string;
  readonly entries: readonly FeedEntry[];
}

interface FeedEntry {
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

/** Maximum entries of a feed. */
const MOST = 20;

const feedFormats = ['rss', 'atom'] as const;

const TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml; charset=UTF-8',
  atom: 'application/atom+xml; charset=UTF-8',
};
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';
const PROTECTED = 'This content is protected.';

/**
 * The feed at a path, in RSS 2.0 at `feed/` and `feed/rss2/`, in Atom at `feed/atom/`: of any list of posts, of the comments on an item, or of
 * all comments; null if there is none.
 */
export function feedPageAt(path: string, model: Model): PageReply | null {
  const segments = segmentsOf(path);
  const named = namedFormat(segments.at(-1));
  const rest = named === undefined ? segments : segments.slice(0, -1);
  if (rest.at(-1)?.toLowerCase() !== 'feed') return null;
  const feed = feedOf(`/${rest.slice(0, -1).join('/')}`, model);
  return feed && feedReply(feed, named ?? 'rss');
}

/** The path of the feed that a query names (`?feed=atom`); null: it names none. */
export function feedPath(path: string, query: string): string | null {
  const asked = query.includes('feed=') ? parseQuery(query)['feed'] : undefined;
  const format = asked === 'feed' ? 'rss' : namedFormat(asked);
  return format === undefined ? null : `${path.replace(/\/$/, '')}/feed/${format}/`;
}

function namedFormat(name: unknown): FeedFormat | undefined {
  const word = typeof name === 'string' ? name.toLowerCase() : '';
  return word === 'rss2' ? 'rss' : feedFormats.find((format) => format === word);
}

export function feedAddress({ address }: { readonly address: string }, format: FeedFormat = 'rss'): string {
  return `${address}feed/${format === 'atom' ? 'atom/' : ''}`;
}

function feedOf(path: string, model: Model): PageFeed | null {
  const found = listingAt(path, model);
  if (found !== null) return found.number === 1 ? listFeed(found.listing, model) : null;
  if (path.toLowerCase() === '/comments') return commentsFeed(model);
  const item = itemAt(path, model);
  // Comments are as protected as the item they are on.
  return item === undefined || item.password !== '' || item.address.includes('?') ? null : itemFeed(item, model);
}

function listFeed(listing: ListingPage, model: Model): PageFeed {
  const { name, url, description } = model.site();
  const items = newest(listing.query, MOST, model).flatMap((id) => publicItem(id, model) ?? []);
  return {
    title: listing.address === `${url}/` ? name : `${listing.title} – ${name}`,
    description: listing.description || description,
    home: listing.address,
    address: feedAddress(listing),
    entries: items.map((item) => postEntry(item, model)),
  };
}

function commentsFeed(model: Model): PageFeed {
  const { name, url } = model.site();
  return {
    title: `Comments – ${name}`,
    description: `The latest comments on ${name}`,
    home: `${url}/`,
    address: feedAddress({ address: `${url}/comments/` }),
    entries: latestComments(MOST, model).map((comment) => commentEntry(comment, model, true)),
  };
}

function itemFeed(item: Item, model: Model): PageFeed {
  const title = plainTitle(item);
  return {
    title: `Comments on ${title} – ${model.site().name}`,
    description: `The latest comments on ${title}`,
    home: item.address,
    address: feedAddress(item),
    entries: latestComments(MOST, model, item.id).map((comment) => commentEntry(comment, model, false)),
  };
}

function postEntry(item: Item, model: Model): FeedEntry {
  const { id, password, author, modifiedGmt, date, dateGmt } = item;
  const isProtected = password !== '';
  return {
    title: plainTitle(item),
    link: item.address,
    guid: `${model.site().url}/?p=${id}`,
    published: new Date(`${dateGmt ?? date}Z`),
    updated: new Date(`${modifiedGmt}Z`),
    author: model.user(author)?.displayName ?? '',
    categories: categoriesOf(item, model),
    summary: isProtected ? null : item.excerpt(),
    content: isProtected ? null : item.content(),
  };
}

function commentEntry(comment: CommentRow, model: Model, isAmongOthers: boolean): FeedEntry {
  const { url } = model.site();
  const on = isAmongOthers ? publicItem(comment.post, model) : undefined;
  const author = decodeReferences(stripMarkup(writerOf(comment, model)));
  const content = renderComment(comment.content, new URL(url).hostname);
  const published = new Date(`${comment.dateGmt}Z`);
  return {
    title: on === undefined ? author : `${author} on ${plainTitle(on)}`,
    link: commentAddress(comment, model),
    guid: `${url}/?p=${comment.post}#comment-${comment.id}`,
    published,
    updated: published,
    author,
    categories: [],
    summary: plain(content),
    content,
  };
}

function categoriesOf({ categories, tags }: Item, model: Model): readonly string[] {
  return [...categories, ...tags].flatMap((id) => {
    const term = model.term(id);
    return term === undefined ? [] : plain(term.name);
  });
}

function feedReply(feed: PageFeed, format: FeedFormat): PageReply {
  const headers = { 'Content-Type': TYPES[format], 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' };
  const { pieces } = format === 'rss' ? rss(feed) : atom(feed);
  return { status: 200, headers, body: [PROLOGUE, ...pieces.map(xmlCharacters)] };
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
${one.categories.map((name) => html`<category>${name}</category>\n`)}<description>${one.summary ?? PROTECTED}</description>
<content:encoded>${one.content ?? PROTECTED}</content:encoded>
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
${one.categories.map((name) => html`<category term="${name}"/>\n`)}<summary type="html">${one.summary ?? PROTECTED}</summary>
<content type="html">${one.content ?? PROTECTED}</content>
</entry>
`,
)}</feed>
`;
}
