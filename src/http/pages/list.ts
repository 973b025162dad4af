import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { permalink } from '../tables/entries/links.ts';
import { canRead } from '../tables/entries/policy.ts';
import { byline } from './byline.ts';
import { plainExcerpt, plainTitle } from './entry-text.ts';
import { type Html, html } from './html.ts';
import { pageDocument, paging } from './layout.ts';
import type { Listing } from './listing.ts';
import { type PageReply, pageReply } from './reply.ts';

const POSTS_PER_PAGE = 10;

/** One page of a list of published posts, newest first; null when it does not reach that far. */
export function listPage(listing: Listing, page: number, model: Model): PageReply | null {
  const site = model.site();
  const found = model.find({
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
  const rows = found.ids.flatMap((id) => model.entry(id) ?? []).filter((row) => canRead(anonymous, row));
  const { title, description } = listing;
  const main = html`<h1>${title}</h1>
${description === '' ? null : html`<p>${description}</p>\n`}${
  rows.length === 0 ? html`<p>Nothing has been published here yet.</p>` : rows.map((row) => summary(row, model))
}
${paging({
  newer: page === 1 ? null : pageAddress(listing, page - 1),
  older: page === pages ? null : pageAddress(listing, page + 1),
})}`;
  const isFront = listing.address === `${site.url}/`;
  const windowTitle = isFront ? '' : title;
  const body = pageDocument({ site, title: windowTitle, canonical: pageAddress(listing, page), main });
  return pageReply(body, { site: site.url });
}

function summary(row: EntryRow, model: Model): Html {
  const excerpt = plainExcerpt(row);
  return html`<article>
<h2><a rel="bookmark" href="${permalink(row, model)}">${plainTitle(row)}</a></h2>
${byline(row, model)}
${excerpt === '' ? null : html`<p>${excerpt}</p>`}
</article>
`;
}

/** Address of a page of a list. */
export function pageAddress({ address }: Listing, page: number): string {
  return page === 1 ? address : `${address}page/${page}/`;
}
