import { addSeconds } from '#domain/time/local.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { published } from '#site/entries/newest.ts';
import { type Item, plainTitle, publicItem } from '#site/items/item.ts';
import { leadsToPublic, menuIn, menuPlaces, type ShownItem, shownItem } from '#site/menus.ts';
import { type Html, html, plain } from '#text/html.ts';

interface Shown {
  readonly row: EntryRow;
  readonly item: ShownItem;
}

/** Maximum items of a menu that are shown. */
const MOST_PLACED = 100;

/** Maximum pages in the menu: top-level ones, in their order. */
const MOST = 20;
/** Maximum posts of one second among which neighbours are found. */
const MAX_AT_ONCE = 100;

/** The menu in the first location of the site that has one, reduced to its public items; null if there is none. */
export function placedMenu(model: Model, here: string | null): Html | null {
  const menu = menuPlaces(model)
    .map((place) => menuIn(place, model))
    .find((id) => id !== 0);
  if (menu === undefined) return null;
  const { ids } = published(
    {
      kind: 'nav_menu_item',
      orderBy: 'menu_order',
      order: 'asc',
      limit: MOST_PLACED,
      taxonomies: [{ by: 'term', mode: 'any', terms: [menu] }],
    },
    model,
  );
  const all = ids.flatMap((id) => {
    const row = model.entry(id);
    if (row === undefined) return [];
    const item = shownItem(row, { model, viewer: anonymous });
    return leadsToPublic(item) ? [{ row, item }] : [];
  });
  const known = new Set(all.map(({ row }) => row.id));
  const list = (parent: number): Html | null => {
    const own = all.filter(({ row }) => (known.has(row.parent) ? row.parent : 0) === parent);
    if (own.length === 0) return null;
    return html`<ul>
${own.map((one) => html`<li>${placedLink(one, here)}${list(one.row.id)}</li>\n`)}</ul>`;
  };
  const shown = list(0);
  return shown && html`<nav aria-label="Menu">${shown}</nav>`;
}

function placedLink({ item }: Shown, here: string | null): Html {
  const { url, target, xfn, titleJson } = item;
  const rel = [...xfn, ...(target === '' ? [] : ['noopener'])].join(' ').trim();
  const attributes = [
    url === here ? html` aria-current="page"` : null,
    rel === '' ? null : html` rel="${rel}"`,
    target === '' ? null : html` target="${target}"`,
  ];
  return html`<a href="${url}"${attributes}>${plain(String(JSON.parse(titleJson)))}</a>`;
}

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
