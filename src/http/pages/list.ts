import type { Model } from '#projections/model.ts';
import { byline } from './byline.ts';
import { type Html, html } from './html.ts';
import { type Item, plainExcerpt, plainTitle, publicItem } from './item.ts';
import { pageDocument, paging } from './layout.ts';
import type { Listing } from './listing.ts';
import { type PageReply, pageReply } from './reply.ts';

const POSTS_PER_PAGE = 10;

/** One page of a list of published posts, newest first; null when it does not reach that far. */
export function listPage(listing: Listing, page: number, model: Model): PageReply | null {
  const site = model.site();
  const found = model.present().find({
    kind: 'post',
    statuses: [{ status: 'publish' }],
    orderBy: 'date',
    order: 'desc',
    offset: (page - 1) * POSTS_PER_PAGE,
    limit: POSTS_PER_PAGE,
    ...listing.query,
  });
  const pages = Math.max(1, Math.ceil(found.total / POSTS_PER_PAGE));
  if (page > pages) return null;
  const items = found.ids.flatMap((id) => publicItem(id, model) ?? []);
  const { title, description } = listing;
  const main = html`<h1>${title}</h1>
${description === '' ? null : html`<p>${description}</p>\n`}${
  items.length === 0 ? html`<p>Nothing has been published here yet.</p>` : items.map((item) => summary(item, model))
}
${paging({
  newer: page === 1 ? null : pageAddress(listing, page - 1),
  older: page === pages ? null : pageAddress(listing, page + 1),
})}`;
  const isFront = listing.address === `${site.url}/`;
  const windowTitle = isFront ? '' : title;
  const body = pageDocument({ site, title: windowTitle, canonical: pageAddress(listing, page), main });
  return pageReply(body, { site });
}

function summary(item: Item, model: Model): Html {
  const excerpt = plainExcerpt(item);
  return html`<article>
<h2><a rel="bookmark" href="${item.address}">${plainTitle(item)}</a></h2>
${byline(item, model)}
${excerpt === '' ? null : html`<p>${excerpt}</p>`}
</article>
`;
}

/** Address of a page of a list. */
export function pageAddress({ address }: Listing, page: number): string {
  return page === 1 ? address : `${address}page/${page}/`;
}
