import { DYNAMIC } from '#blocks/dynamic.ts';
import type { Model } from '#projections/reading/model.ts';
import { movedTo } from '#site/addresses/former.ts';
import { frontPage } from '#site/addresses/front.ts';
import { atStore } from '#site/addresses/interface.ts';
import { frameAddress, pathOfFramed } from '#site/addresses/place.ts';
import { type Item, itemAt, itemInQuery } from '#site/items/item.ts';
import { presentCost } from '#text/cost.ts';
import { type Html, html } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';
import type { PostAttempt } from '../engine/types.ts';
import { headerNames } from '../message/headers.ts';
import { type PageReply, pageReply, redirectReply } from '../server/page-reply.ts';
import { chosenAt } from './chosen.ts';
import { iconAt, llmsText, robotsText, sitemapAt } from './crawler-files.ts';
import {
  commentPageAddress,
  type DiscussionPlace,
  pageShown,
  pagesOfComments,
  type RefusedComment,
} from './discussion.ts';
import { embedPage, missingEmbed } from './embed.ts';
import { feedPageAt } from './feed.ts';
import { hiddenPageAt } from './hidden.ts';
import { itemPage, type Tried } from './item-page.ts';
import { pageDocument } from './layout.ts';
import { listPage } from './list.ts';
import { latest, listingAt, pageAddress } from './listing.ts';
import { type ThemeFonts, withTheme } from './themes/fonts.ts';

export interface PageRequest {
  readonly url: string;
  /** The password in the request; null if there is none. */
  readonly password: string | null;
  readonly attempt: PostAttempt;
  /** Milliseconds since 1970; absent: pages that exist for a limited time are not found. */
  readonly now?: number;
  /** Whether visitors without an account may comment. */
  readonly takesComments?: boolean;
  readonly refused?: RefusedComment | null;
  /** Fonts of the site's themes. Default: those that visitors have. */
  readonly fonts?: ThemeFonts | undefined;
}

/**
 * The pages that the interface links to. There are no logins here: pages show what is public, and protected items to requests with
 * the password. Everything else is not found.
 */
/** Feeds and frames are here, wherever pages are. */
const OF_STORE = /\/(?:feed(?:\/atom)?|embed)\/$/;

export function answerPage(request: PageRequest, model: Model): PageReply {
  const { fonts, ...asked } = request;
  const found = pageAt(asked, model);
  const moved = found.status === 404 ? movedTo(request.url.split('?', 1)[0] ?? '', model) : null;
  const reply = moved === null ? found : redirectReply(OF_STORE.test(moved) ? atStore(moved, model.site()) : moved);
  const body = withDelivery(reply.body, model);
  const headers = presentCost().isCut
    ? { ...reply.headers, [headerNames(model.site().names.headers).truncated]: 'true' }
    : reply.headers;
  return { ...reply, headers, body: fonts === undefined ? body : withTheme(body, fonts, model) };
}

/** Whether a page takes long: its content is rendered for each answer, or it lists all addresses of the site. */
export function isLongPage(url: string, model: Model): boolean {
  const [path = ''] = url.split('?');
  const row = model.entry(itemAt(path, model)?.id ?? 0);
  return row?.contentJson === DYNAMIC || path.startsWith('/sitemap');
}

function pageAt({ url, password, attempt, now, ...comments }: PageRequest, model: Model): PageReply {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const tried = { password, attempt, query, talk: talkIn(query, comments) };
  return (
    llmsText(path, model) ??
    robotsText(path, model) ??
    iconAt(path) ??
    sitemapAt(path, model) ??
    feed(path, query, model) ??
    (now === undefined ? null : hiddenPageAt(path, model, now)) ??
    chosen(path, query, model) ??
    plainlyLinked(path, { query, tried }, model) ??
    list(path, model) ??
    page(path, tried, model) ??
    frame(path, model) ??
    missingPage(model)
  );
}

/** What the query chooses; null if it chooses nothing. */
function chosen(path: string, query: string, model: Model): PageReply | null {
  const found = query === '' ? null : chosenAt(path, query, model);
  if (found === null) return null;
  if (found === undefined) return missingPage(model);
  if ('address' in found) return redirectReply(pageAddress(found, found.page));
  return listPage(found.listing, found.page, model) ?? missingPage(model);
}

/** Reads from the query whether a comment is held, which comment to reply to, and the page of comments. */
function talkIn(
  query: string,
  { takesComments = false, refused = null }: Pick<PageRequest, 'takesComments' | 'refused'>,
): DiscussionPlace {
  const { comment, replytocom, cpage } = parseQuery(query);
  const answers = typeof replytocom === 'string' && /^\d{1,15}$/.test(replytocom) ? Number(replytocom) : 0;
  const page = typeof cpage === 'string' && /^[1-9]\d{0,6}$/.test(cpage) ? Number(cpage) : null;
  const shown = typeof comment === 'string' && /^\d{1,15}$/.test(comment) ? Number(comment) : 0;
  return { isOpen: takesComments, answers, isHeld: comment === 'held', page, comment: shown, refused };
}

export function missingPage(model: Model): PageReply {
  const main = html`<h1>Not found</h1>
<p>This page does not exist or is not public. You can search this site, or go to the <a href="${latest(model).address}">latest posts</a>.</p>`;
  return plainPage('Not found', { main, status: 404, model });
}

export function faultPage(status: number, model: Model): PageReply {
  const main = html`<h1>Something went wrong</h1>
<p>The page cannot be shown at the moment. Please try again later.</p>`;
  return plainPage('Fault', { main, status, model });
}

/** An item without an address of its own. */
function plainlyLinked(
  path: string,
  { query, tried }: { readonly query: string; readonly tried: Tried },
  model: Model,
): PageReply | null {
  const item = path === '/' ? itemInQuery(query, model) : null;
  if (item === null) return null;
  if (item === undefined) return missingPage(model);
  return /(?:^|&)embed=/.test(query) ? embedPage(item, model) : shownItem(item, model, tried);
}

function shownItem(item: Item, model: Model, tried: Tried): PageReply {
  const page = pageShown(item, tried.talk, model);
  if (page !== null && page > pagesOfComments(item, model)) return missingPage(model);
  return itemPage(item, model, { ...tried, talk: { ...tried.talk, page } });
}

function list(path: string, model: Model): PageReply | null {
  const found = listingAt(path, model);
  if (found === null) return null;
  const { listing, number } = found;
  const reply = listPage(listing, number, model);
  // The first page has one address.
  const isRight = path.endsWith('/') && !(number === 1 && /\/page\/1\/$/.test(path));
  return reply === null || isRight ? reply : redirectReply(pageAddress(listing, number));
}

function page(path: string, tried: Tried, model: Model): PageReply | null {
  const item = itemAt(path, model);
  if (item === undefined) return commentPage(path, tried, model);
  const { url } = model.site();
  const isRight = path.endsWith('/') && (path === '/' || item.address !== `${url}/`);
  return isRight ? shownItem(item, model, tried) : redirectReply(item.address);
}

function commentPage(path: string, tried: Tried, model: Model): PageReply | null {
  const [, of = '', number = ''] = /^(.*)\/comment-page-([1-9]\d{0,6})\/?$/.exec(path) ?? [];
  const item = number === '' ? undefined : itemAt(of, model);
  if (item === undefined) return null;
  const page = Number(number);
  if (path.endsWith('/')) return shownItem(item, model, { ...tried, talk: { ...tried.talk, page } });
  return redirectReply(commentPageAddress(item.address, page, pagesOfComments(item, model)));
}

function feed(path: string, query: string, model: Model): PageReply | null {
  const reply = feedPageAt(path, query, model);
  return reply === undefined ? missingPage(model) : reply;
}

function frame(path: string, model: Model): PageReply | null {
  const framed = pathOfFramed(path);
  // Unless a page is shown there, the root is not an item.
  if (framed === null || (framed === '' && frontPage(model) === undefined)) return null;
  const item = itemAt(framed, model);
  if (item === undefined) return missingEmbed(model);
  return path.endsWith('/') ? embedPage(item, model) : redirectReply(frameAddress(item, model));
}

function plainPage(title: string, { main, status, model }: PlainPage): PageReply {
  const site = model.site();
  return pageReply(pageDocument({ model, title, canonical: null, main }), { site, status });
}

interface PlainPage {
  readonly main: Html;
  readonly status: number;
  readonly model: Model;
}

/** Points the media addresses of a page to where media are currently delivered, whatever editors wrote into contents before. */
function withDelivery(body: PageReply['body'], model: Model): PageReply['body'] {
  const { storeUrl, network, mediaUrl } = model.site();
  if (network === null) return body;
  const [from, to] = mediaUrl === network ? [storeUrl, network] : [network, storeUrl];
  return body.map((piece) => piece.replaceAll(`${from}/uploads/`, `${to}/uploads/`));
}
