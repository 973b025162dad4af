import { addSeconds } from '#domain/time/local.ts';
import type { Model } from '#projections/reading/model.ts';
import { published } from '#site/entries/newest.ts';
import { type Item, plainTitle, publicItem } from '#site/items/item.ts';
import { type Html, html } from '#text/html.ts';

/** Maximum pages in the menu: top-level ones, in their order. */
const MOST = 20;
/** Maximum posts of one second among which neighbours are found. */
const MAX_AT_ONCE = 100;

/** Navigation to the pages of the site; null if there are none. `here`: the address being shown. */
export function pageMenu(model: Model, here: string | null): Html | null {
  const { ids } = published({ kind: 'page', parents: [0], orderBy: 'menu_order', order: 'asc', limit: MOST }, model);
  const items = ids.flatMap((id) => publicItem(id, model) ?? []);
  if (items.length === 0) return null;
  return html`<nav aria-label="Pages"><ul>
${items.map((item) => html`<li>${link(item, here)}</li>\n`)}</ul></nav>`;
}

/** Links to the ancestors of a page, from the top; null for a page at the top. */
export function breadcrumbs(item: Item, model: Model): Html | null {
  const above = item.parent === 0 ? [] : model.lineage(item.parent).toReversed();
  const items = above.flatMap((id) => publicItem(id, model) ?? []);
  if (items.length === 0) return null;
  return html`<nav aria-label="Breadcrumbs"><ol>
${items.map((one) => html`<li>${link(one, null)}</li>\n`)}<li aria-current="page">${plainTitle(item)}</li>
</ol></nav>`;
}

/** Links to the posts before and after a post; null if there are none. */
export function neighbours(item: Item, model: Model): Html | null {
  if (item.type !== 'post') return null;
  // Several posts may have been published in one second.
  const next = (query: Parameters<typeof published>[0]) => {
    const { ids } = published({ limit: MAX_AT_ONCE, ...query }, model);
    const id = ids[ids.indexOf(item.id) + 1];
    return id === undefined ? undefined : publicItem(id, model);
  };
  const older = next({ before: addSeconds(item.date, 1), order: 'desc' });
  const newer = next({ after: addSeconds(item.date, -1), order: 'asc' });
  if (older === undefined && newer === undefined) return null;
  const to = (rel: string, one: Item | undefined, mark: (title: string) => string) =>
    one === undefined ? html`<span></span>` : html`<a rel="${rel}" href="${one.address}">${mark(plainTitle(one))}</a>`;
  return html`<nav class="more" aria-label="Posts">
${to('prev', older, (title) => `← ${title}`)}
${to('next', newer, (title) => `${title} →`)}
</nav>`;
}

function link(item: Item, here: string | null): Html {
  const current = item.address === here ? html` aria-current="page"` : null;
  return html`<a href="${item.address}"${current}>${plainTitle(item)}</a>`;
}
