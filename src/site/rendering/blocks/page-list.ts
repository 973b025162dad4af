import { flagAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { filterMarkup } from '#blocks/filter.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { permalink } from '../../addresses/items.ts';
import { idIn, rowsOf } from '../listing.ts';
import { wrapped } from '../pieces.ts';
import type { Make, Rendering } from '../types.ts';
import { itemLook, type Look, menuColours, SUBMENU_ICON, submenuToggle } from './navigation-items.ts';

/** Maximum pages in the list. */
const max = 2000;

interface Style {
  readonly rendering: Rendering;
  readonly pages: ReadonlyMap<number, readonly EntryRow[]>;
  readonly inMenu: boolean;
  readonly opensOnClick: boolean;
  readonly showsIcon: boolean;
  readonly isNested: boolean;
  readonly below: Look;
}

export const pageList: Make = (block, { rendering }) => {
  const { attributes, scope } = block;
  const parent = idIn(attributes.get('parentPageID')) ?? 0;
  const isNested = flagAt(attributes, 'isNested') === true;
  const inherited = (name: string) => scope.get(name);
  const items = itemsBelow(parent, 0, {
    rendering,
    pages: pagesByParent(rendering),
    isNested,
    inMenu: scope.has('showSubmenuIcon'),
    opensOnClick: scope.get('openSubmenusOnClick') === true,
    showsIcon: scope.get('showSubmenuIcon') === true,
    below: menuColours(inherited, 'overlay'),
  });
  if (items === '' || isNested) return items;
  const [colours, size] = [menuColours(inherited), itemLook(scope)];
  return wrapped('ul', block, items, {
    classes: [...colours.classes, ...size.classes],
    style: colours.style + size.style,
  });
};

function pagesByParent(rendering: Rendering): ReadonlyMap<number, readonly EntryRow[]> {
  return rendering.kept('pages by parent', () => {
    const rows = rowsOf(
      { kind: 'page', statuses: [{ status: 'publish' }], orderBy: 'menu_order', order: 'asc', offset: 0, limit: max },
      rendering,
    );
    const ordered = rows.toSorted(
      (a, b) => a.menuOrder - b.menuOrder || byTitle.compare(a.title, b.title) || a.id - b.id,
    );
    return Map.groupBy(ordered, ({ parent }) => parent);
  });
}

const byTitle = new Intl.Collator('en', { sensitivity: 'base' });

function itemsBelow(parent: number, depth: number, style: Style): string {
  const rows = depth > 100 ? [] : (style.pages.get(parent) ?? []);
  return rows.map((row) => itemOf(row, depth, style)).join('');
}

function itemOf(row: EntryRow, depth: number, style: Style): string {
  const { rendering, inMenu, opensOnClick, showsIcon, isNested, below } = style;
  const { model } = rendering;
  const inner = itemsBelow(row.id, depth + 1, style);
  const isBelow = depth > 0 || isNested;
  const classes = [
    'wp-block-pages-list__item',
    ...(inner === '' ? [] : ['has-child']),
    ...(inMenu ? ['wp-block-navigation-item'] : []),
    ...(inMenu && (opensOnClick || showsIcon) ? [opensOnClick ? 'open-on-click' : 'open-on-hover-click'] : []),
    ...(isBelow ? [below.classes.join(' ')] : []),
    ...(row.id === model.site().pageOnFront ? ['menu-item-home'] : []),
  ];
  const look = isBelow && below.style !== '' ? ` style="${escapeAttribute(below.style)}"` : '';
  const title = filterMarkup(row.title) || '(no title)';
  const content = inMenu ? ' wp-block-navigation-item__content' : '';
  const link = `<a class="wp-block-pages-list__item__link${content}" href="${escapeAddress(permalink(row, model))}">${title}</a>`;
  const isToggle = inMenu && opensOnClick && inner !== '';
  const toggle = isToggle ? pageToggle(title) : link;
  const opener = inMenu && showsIcon && !opensOnClick ? submenuToggle(title) : '';
  const list = inner === '' ? '' : `${opener}<ul class="wp-block-navigation__submenu-container">${inner}</ul>`;
  return `<li class="${escapeAttribute(classes.join(' '))}"${look}>${toggle}${list}</li>`;
}

function pageToggle(title: string): string {
  const name = escapeAttribute(`${stripMarkup(title)} submenu`);
  const classes = ' wp-block-navigation-item__content wp-block-navigation-submenu__toggle';
  return `<button aria-label="${name}" class="${classes}" aria-expanded="false">${escapeAttribute(title)}</button><span class="wp-block-page-list__submenu-icon wp-block-navigation__submenu-icon">${SUBMENU_ICON}</span>`;
}
