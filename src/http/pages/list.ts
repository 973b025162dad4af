import { anonymous } from '#domain/user/roles.ts';
import type { Model, ShownSite } from '#projections/reading/model.ts';
import { published } from '#site/entries/newest.ts';
import { type Item, plainExcerpt, plainTitle, publicItem } from '#site/items/item.ts';
import { paging } from '#site/markup/paging.ts';
import { imageElement } from '#site/media/image.ts';
import { canReadMedia } from '#site/rights.ts';
import { asHtml, type Html, html } from '#text/html.ts';
import { type PageReply, pageReply } from '../server/page-reply.ts';
import { byline } from './byline.ts';
import { feedAddress } from './feed.ts';
import { languageOf, pageDocument, searchForm } from './layout.ts';
import { type ListingPage, latest, pageAddress } from './listing.ts';

/** Posts on a page of a list. */
export const POSTS_PER_PAGE = 10;

/** Number of pages of a list, at least 1. */
export function pagesOfListing({ query }: ListingPage, model: Model): number {
  return pagesFor(published({ limit: 1, ...query }, model).total);
}

function pagesFor(total: number): number {
  return Math.max(1, Math.ceil(total / POSTS_PER_PAGE));
}

/** One page of a list of published posts, newest first; null if the list has fewer pages. */
export function listPage(listing: ListingPage, page: number, model: Model): PageReply | null {
  const site = model.site();
  const found = published({ offset: (page - 1) * POSTS_PER_PAGE, limit: POSTS_PER_PAGE, ...listing.query }, model);
  const pages = pagesFor(found.total);
  if (page > pages) return null;
  const items = found.ids.flatMap((id) => publicItem(id, model) ?? []);
  const { title, description, words } = listing;
  const empty =
    words === undefined ? 'Nothing has been published here yet.' : 'Nothing was found. Try fewer or other words.';
  const isFront = listing.address === latest(model).address && listing.parameters === undefined;
  const main = html`<div class="list">
<h1>${title}</h1>
${words === undefined ? null : searchForm(model, words)}${description === '' ? null : html`<p>${description}</p>\n`}${
  items.length === 0
    ? html`<p>${words === '' ? 'What are you looking for?' : empty}</p>`
    : html`<div class="posts${isFront && page === 1 ? ' first' : ''}">\n${items.map((item, i) => summary(item, model, i === 0))}</div>`
}
${paging({
  newer: page === 1 ? null : pageAddress(listing, page - 1),
  older: page === pages ? null : pageAddress(listing, page + 1),
})}
</div>`;
  const windowTitle = listing.address === `${site.url}/` && isFront ? '' : title;
  const canonical = pageAddress(listing, page);
  const about = {
    title: windowTitle || site.name,
    description: description || (isFront ? site.description : ''),
    address: canonical,
  };
  const head =
    listing.parameters === undefined
      ? [...describedBy(about, site), feedLinks(listing, model), isFront ? commentsFeed(model) : null]
      : html`<meta name="robots" content="noindex">\n`;
  const body = pageDocument({ model, title: windowTitle, canonical, head, main, searches: words !== undefined });
  return pageReply(body, { site });
}

interface About {
  readonly title: string;
  readonly description: string;
  readonly address: string;
}

/** What search engines and social networks show of a list. */
function describedBy(
  { title, description, address }: About,
  { name }: Pick<ShownSite, 'name'>,
): readonly (Html | null)[] {
  return [
    description === ''
      ? null
      : html`<meta name="description" content="${description}">\n<meta property="og:description" content="${description}">\n`,
    html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${name}">
<meta name="twitter:card" content="summary">
`,
  ];
}

function summary(item: Item, model: Model, isFirst: boolean): Html {
  const excerpt = plainExcerpt(item);
  return html`<article${languageOf(item, null)}>
<h2><a rel="bookmark" href="${item.address}">${plainTitle(item)}</a>${item.sticky ? html` <small>Featured</small>` : null}</h2>
${byline(item, model)}
${excerpt === '' ? null : html`<p>${excerpt}</p>`}
${picture(item, model, isFirst) ?? html`<span class="initial" aria-hidden="true">${initial(item)}</span>`}
</article>
`;
}

/** The featured image; it is hidden from assistive technology, as the title beside it leads to the same place. */
function picture({ image, password }: Item, model: Model, isFirst: boolean): Html | null {
  const row = image === 0 || password !== '' ? undefined : model.media(image);
  if (row === undefined || !canReadMedia(anonymous, row, model)) return null;
  const element = imageElement(row, model, {
    size: 'medium_large',
    alt: '',
    more: isFirst ? { fetchpriority: 'high' } : { loading: 'lazy' },
  });
  return element === '' ? null : asHtml(element.replace(/ sizes="[^"]*"/, ' sizes="(width < 40rem) 100vw, 40rem"'));
}

/** The first letter or digit of the title. */
function initial(item: Item): string {
  return /[\p{L}\p{N}]/u.exec(plainTitle(item))?.[0].toLocaleUpperCase() ?? '¶';
}

function commentsFeed(model: Model): Html {
  const address = feedAddress({ address: `${model.site().url}/comments/` }, model);
  return html`<link rel="alternate" type="application/rss+xml" title="Comments" href="${address}">\n`;
}

function feedLinks(listing: ListingPage, model: Model): Html {
  return html`<link rel="alternate" type="application/rss+xml" title="RSS" href="${feedAddress(listing, model)}">
<link rel="alternate" type="application/atom+xml" title="Atom" href="${feedAddress(listing, model, 'atom')}">
`;
}
