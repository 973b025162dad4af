import type { Model } from '#projections/model.ts';
import { type Html, html } from './html.ts';
import { type Item, plainTitle, publicItem } from './item.ts';
import { published } from './newest.ts';

/** Pages in the menu: those at the top, in their order. */
const MOST = 20;

/** The way to the pages of the site; null where there are none. `here`: the address that is shown. */
export function menu(model: Model, here: string | null): Html | null {
  const { ids } = published({ kind: 'page', parents: [0], orderBy: 'menu_order', order: 'asc', limit: MOST }, model);
  const items = ids.flatMap((id) => publicItem(id, model) ?? []);
  if (items.length === 0) return null;
  return html`<nav aria-label="Pages"><ul>
${items.map((item) => html`<li>${link(item, here)}</li>\n`)}</ul></nav>`;
}

/** The pages above a page, from the top; null for what is at the top itself. */
export function breadcrumbs(item: Item, model: Model): Html | null {
  const above = item.parent === 0 ? [] : model.lineage(item.parent).toReversed();
  const items = above.flatMap((id) => publicItem(id, model) ?? []);
  if (items.length === 0) return null;
  return html`<nav aria-label="Breadcrumbs"><ol>
${items.map((one) => html`<li>${link(one, null)}</li>\n`)}<li aria-current="page">${plainTitle(item)}</li>
</ol></nav>`;
}

/** The posts before and after a post; null where there are none. */
export function neighbours(item: Item, model: Model): Html | null {
  if (item.type !== 'post') return null;
  const near = (query: Parameters<typeof published>[0]) =>
    published({ limit: 1, ...query }, model).ids.flatMap((id) => publicItem(id, model) ?? [])[0];
  const older = near({ before: item.date, order: 'desc' });
  const newer = near({ after: item.date, order: 'asc' });
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
