import { decodeReferences } from '#blocks/references.ts';
import { renderComment } from '#blocks/render-comment.ts';
import { stripMarkup } from '#blocks/strip.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { atStore } from '#site/addresses/interface.ts';
import { urlThen, userLink } from '#site/addresses/items.ts';
import { segmentsOf } from '#site/addresses/place.ts';
import { commentHostOf, isOpenToComments } from '#site/comments.ts';
import { newest } from '#site/entries/newest.ts';
import { type Item, itemAt, plainTitle, publicItem } from '#site/items/item.ts';
import { latestComments, authorOf as writerOf } from '#site/rendering/comments.ts';
import { plain } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';
import { type PageReply, redirectReply } from '../server/page-reply.ts';
import { chosenAt } from './chosen.ts';
import { commentAddress } from './discussion.ts';
import { type FeedEntry, type FeedFormat, feedFormats, feedReply, type PageFeed } from './feed-xml.ts';
import { siteLanguage } from './layout.ts';
import { type ListingPage, latest, listingAt, pageAddress } from './listing.ts';

/** Maximum entries of a feed. */
const MOST = 20;

/**
 * The feed at an address, in RSS 2.0 at `feed/` and `feed/rss2/`, in Atom at `feed/atom/`, or as `?feed=atom` names it: of any list of posts, of
 * the comments on an item, or of all comments; with what the query chooses (`?tag=red&paged=2`). Null: the address is not that of a
 * feed; undefined: it is that of one that is not there.
 */
export function feedPageAt(path: string, query: string, model: Model): PageReply | null | undefined {
  const asked = feedAsked(path, query);
  if (asked === null) return null;
  const { base, format, isOld, parameters } = asked;
  const page = pageIn(parameters);
  const chosen = parameters === '' ? null : chosenAt(base, without(parameters, 'paged'), model);
  if (format === undefined || page === undefined || chosen === undefined) return undefined;
  if (chosen !== null && 'address' in chosen) {
    const { address } = chosen;
    return address.includes('?') ? undefined : redirectReply(numbered(feedAddress({ address }, model, format), page));
  }
  const feed = chosen === null ? feedOf(base, page, model) : listFeed(chosen.listing, page, model);
  if (feed === null) return undefined;
  const isRight = !isOld && path.endsWith('/');
  return isRight ? feedReply(feed, format) : redirectReply(numbered(feed.address(format), page));
}

interface AskedFeed {
  /** Path of the page whose feed it is. */
  readonly base: string;
  /** Undefined: one that nobody has. */
  readonly format: FeedFormat | undefined;
  /** Whether it is asked for in another format than it is answered in. */
  readonly isOld: boolean;
  readonly parameters: string;
}

function feedAsked(path: string, query: string): AskedFeed | null {
  const named = query.includes('feed=') ? parseQuery(query)['feed'] : undefined;
  if (typeof named === 'string' && named !== '') {
    const [, comments, name = ''] = /^(comments-)?(.*)$/.exec(named.toLowerCase()) ?? [];
    const parameters = without(query, 'feed');
    const base = comments === undefined ? path.replace(/(?<!\/)\/+$/, '') : '/comments';
    return {
      base: base || '/',
      format: formatNamed(name === 'feed' ? 'rss2' : name),
      isOld: name === 'rdf',
      parameters,
    };
  }
  const segments = segmentsOf(path);
  const last = segments.at(-1)?.toLowerCase() ?? '';
  const format = formatNamed(last);
  const rest = format === undefined ? segments : segments.slice(0, -1);
  if (rest.at(-1)?.toLowerCase() !== 'feed') return null;
  const base = `/${rest.slice(0, -1).join('/')}`;
  return { base, format: format ?? 'rss', isOld: last === 'rdf', parameters: query };
}

/** The format that a word names. RDF is answered in RSS. */
function formatNamed(word: string): FeedFormat | undefined {
  return ['rss2', 'rdf'].includes(word) ? 'rss' : feedFormats.find((format) => format === word);
}

/** The number of a page of a feed; undefined: what is sent is none. */
function pageIn(query: string): number | undefined {
  const paged = query.includes('paged=') ? parseQuery(query)['paged'] : undefined;
  if (paged === undefined || paged === '') return 1;
  return typeof paged === 'string' && /^0*[1-9]\d{0,6}$/.test(paged) ? Number(paged) : undefined;
}

function without(query: string, name: string): string {
  return query
    .split('&')
    .filter((part) => part.split('=', 1)[0] !== name)
    .join('&');
}

function numbered(address: string, page: number): string {
  if (page === 1) return address;
  return `${address}${address.includes('?') ? '&' : '?'}paged=${page}`;
}

export function feedAddress(
  { address, feed = address, parameters }: Pick<ListingPage, 'address' | 'feed' | 'parameters'>,
  model: Model,
  format: FeedFormat = 'rss',
): string {
  const path = `${atStore(feed, model.site())}feed/${format === 'atom' ? 'atom/' : ''}`;
  return parameters === undefined ? path : `${path}?${parameters}`;
}

function feedOf(path: string, page: number, model: Model): PageFeed | null {
  if (path === '/') return listFeed(latest(model), page, model);
  const found = listingAt(path, model);
  if (found !== null && !isPostsPage(found.listing, model)) {
    return found.number === 1 ? listFeed(found.listing, page, model) : null;
  }
  if (page > 1) return null;
  if (path.toLowerCase() === '/comments') return commentsFeed(model);
  const item = itemAt(path, model);
  // Comments are as protected as the item they are on.
  return item === undefined || item.password !== '' || item.address.includes('?') ? null : itemFeed(item, model);
}

function isPostsPage({ address }: ListingPage, model: Model): boolean {
  return address === latest(model).address && address !== `${model.site().url}/`;
}

function listFeed(listing: ListingPage, page: number, model: Model): PageFeed | null {
  const { name, url, description } = model.site();
  const ids = newest({ ...listing.query, offset: (page - 1) * MOST }, MOST, model);
  const items = ids.flatMap((id) => publicItem(id, model) ?? []);
  if (items.length === 0 && page > 1) return null;
  const entries = items.map((item) => postEntry(item, model));
  return {
    ...aboutSite(model),
    title:
      listing.address === latest(model).address && listing.parameters === undefined
        ? name
        : `${listing.title} – ${name}`,
    description: listing.description || description,
    id: `${firstUrl(model)}/feed/atom/${listing.lasting ?? listing.address.slice(url.length + 1)}${listing.parameters === undefined ? '' : `?${listing.parameters}`}`,
    home: pageAddress(listing, 1),
    address: (format) => feedAddress(listing, model, format),
    updated: latestOf([...entries.map(({ updated }) => updated), leftAt('posts', model)]),
    entries,
  };
}

function commentsFeed(model: Model): PageFeed {
  const { name, url } = model.site();
  return {
    ...aboutSite(model),
    title: `Comments – ${name}`,
    description: `The latest comments on ${name}`,
    id: `${firstUrl(model)}/comments/feed/atom/`,
    home: `${url}/`,
    address: (format) => feedAddress({ address: `${url}/comments/` }, model, format),
    ...ofComments(latestComments(MOST, model), true, model),
  };
}

function itemFeed(item: Item, model: Model): PageFeed {
  const title = plainTitle(item);
  return {
    ...aboutSite(model),
    title: `Comments on ${title} – ${model.site().name}`,
    description: `The latest comments on ${title}`,
    id: `${urlThen(item.id, model)}/feed/atom/?p=${item.id}`,
    home: item.address,
    address: (format) => feedAddress(item, model, format),
    ...ofComments(latestComments(MOST, model, item.id), false, model),
  };
}

function ofComments(
  comments: readonly CommentRow[],
  isAmongOthers: boolean,
  model: Model,
): Pick<PageFeed, 'entries' | 'updated'> {
  const entries = comments.map((comment) => commentEntry(comment, model, isAmongOthers));
  return { entries, updated: latestOf([...entries.map(({ updated }) => updated), leftAt('comments', model)]) };
}

function aboutSite(model: Model): Pick<PageFeed, 'language' | 'checked'> {
  const at = model.lastCommitAt();
  return { language: siteLanguage(model.site()), checked: at === null ? null : new Date(at) };
}

/** The first address of the site. */
function firstUrl(model: Model): string {
  return urlThen(0, model);
}

/** When something public was last changed or taken away, of posts or comments. */
function leftAt(what: 'posts' | 'comments', model: Model): Date | null {
  const at = model.leftAt(what);
  return at === null ? null : new Date(at);
}

function latestOf(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce((latest, date) => (latest === null || (date !== null && date > latest) ? date : latest), null);
}

function postEntry(item: Item, model: Model): FeedEntry {
  const { id, password, author, updatedGmt, date, dateGmt } = item;
  const isProtected = password !== '';
  const writer = model.user(author);
  return {
    title: plainTitle(item),
    link: item.address,
    guid: `${urlThen(id, model)}/?p=${id}`,
    published: new Date(`${dateGmt ?? date}Z`),
    updated: new Date(`${updatedGmt}Z`),
    author: writer?.displayName ?? '',
    authorAddress: writer === undefined ? null : userLink(writer, model.site().url),
    categories: categoriesOf(item, model),
    summary: isProtected ? null : item.excerpt(),
    content: isProtected ? null : item.content(),
    comments: isProtected ? null : discussionOf(item, model),
  };
}

function discussionOf(item: Item, model: Model): FeedEntry['comments'] {
  const count = model.comments.count(item.id);
  const host = count > 0 ? null : commentHostOf(item.id, model);
  if (count === 0 && (host === null || !isOpenToComments(host))) return null;
  return { address: `${item.address}#comments`, feed: feedAddress(item, model), count };
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
    guid: `${urlThen(comment.id, model, 'comments')}/?p=${comment.post}#comment-${comment.id}`,
    published,
    updated: published,
    author,
    authorAddress: null,
    categories: [],
    summary: plain(content),
    content,
    comments: null,
  };
}

function categoriesOf({ categories, tags }: Item, model: Model): readonly string[] {
  return [...categories, ...tags].flatMap((id) => {
    const term = model.term(id);
    return term === undefined ? [] : plain(term.name);
  });
}
