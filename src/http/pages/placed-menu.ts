import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { published } from '#site/entries/newest.ts';
import { type ShownItem, shownItem } from '#site/menus/items.ts';
import { menuIn, menuPlaces } from '#site/menus/places.ts';
import { type Html, html, plain } from '#text/html.ts';

/** Maximum items of a menu that are shown. */
const MOST = 100;
/** Addresses that an item may link to; items with others are not shown. */
const ADDRESS = /^(?:https?:|mailto:|tel:|[/?#])/i;

interface Shown {
  readonly row: EntryRow;
  readonly item: ShownItem;
}

/** The menu in the first location of the site that has one, reduced to its public items; null if there is none. */
export function placedMenu(model: Model, here: string | null): Html | null {
  const menu = menuPlaces(model)
    .map((place) => menuIn(place, model))
    .find((id) => id !== 0);
  if (menu === undefined) return null;
  const { ids } = published(
    {
      ...{ kind: 'nav_menu_item', orderBy: 'menu_order', order: 'asc', limit: MOST },
      taxonomies: [{ by: 'term', mode: 'any', terms: [menu] }],
    },
    model,
  );
  const all = ids.flatMap((id) => {
    const row = model.entry(id);
    if (row === undefined) return [];
    const item = shownItem(row, { model, viewer: anonymous });
    return item.invalid || item.isHidden || !ADDRESS.test(item.url) ? [] : [{ row, item }];
  });
  const known = new Set(all.map(({ row }) => row.id));
  const list = (parent: number): Html | null => {
    const own = all.filter(({ row }) => (known.has(row.parent) ? row.parent : 0) === parent);
    if (own.length === 0) return null;
    return html`<ul>
${own.map((one) => html`<li>${link(one, here)}${list(one.row.id)}</li>\n`)}</ul>`;
  };
  const shown = list(0);
  return shown && html`<nav aria-label="Menu">${shown}</nav>`;
}

function link({ item }: Shown, here: string | null): Html {
  const { url, target, xfn, titleJson } = item;
  const rel = [...xfn, ...(target === '' ? [] : ['noopener'])].join(' ').trim();
  const attributes = [
    url === here ? html` aria-current="page"` : null,
    rel === '' ? null : html` rel="${rel}"`,
    target === '' ? null : html` target="${target}"`,
  ];
  return html`<a href="${url}"${attributes}>${plain(String(JSON.parse(titleJson)))}</a>`;
}
