import { flagAt, isSet, numberAt, textAt } from '#blocks/attributes.ts';
import { hasClass, startTags } from '#blocks/block-tags.ts';
import { type Block, parseBlocks } from '#blocks/blocks.ts';
import type { Counters } from '#blocks/counters.ts';
import { OpenTag } from '#blocks/open-tag.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { Scope, ServerBlock } from '#blocks/server-blocks.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import { publishedIn } from '../listing.ts';
import type { Here, Make } from '../types.ts';
import { menuColours, menuLook } from './navigation-items.ts';

/** A menu: its blocks, its name, and the mark that prevents it from being shown within itself. */
interface Menu {
  readonly blocks: readonly Block[];
  readonly name: string;
  readonly showing?: string;
}

type Hooks = Readonly<Record<string, string>>;

const TOLD = [
  ...['textColor', 'customTextColor', 'backgroundColor', 'customBackgroundColor'],
  ...['overlayTextColor', 'customOverlayTextColor', 'overlayBackgroundColor', 'customOverlayBackgroundColor'],
  ...['fontSize', 'customFontSize', 'style'],
];

const PAGE_LIST: Block = { name: 'core/page-list', json: '', parts: [] };
/** Blocks that are wrapped in an item of the list. */
const ITEMS: readonly (string | null)[] = ['core/site-title', 'core/site-logo', 'core/social-links'];

const OVERLAY_CONTEXT =
  '{"overlayOpenedBy":{"click":false,"hover":false,"focus":false},"type":"overlay","roleAttribute":"","ariaLabel":"Menu"}';

/** Attributes of the outer element of a menu that opens as an overlay. */
const OVERLAY_HOOKS = `
		 data-wp-interactive="core/navigation" data-wp-context='${OVERLAY_CONTEXT}'`;

const CONTEXT =
  '{ "submenuOpenedBy": { "click": false, "hover": false, "focus": false }, "type": "submenu", "modal": null, "previousFocus": null }';

export const navigationBlock: Make = (block, here) => {
  const { name, attributes } = block;
  const menu = menuOf(block, here);
  if (holdsMenu(menu.blocks)) return '';
  const look = menuLook(attributes);
  const label = labelOf(menu, attributes, here);
  const own = { classes: look.classes, style: look.style };
  const isOverlay =
    (textAt(attributes, 'overlayMenu') ?? 'mobile') !== 'never' || flagAt(attributes, 'isResponsive') === true;
  const wrapper = wrapperAttributes(name, attributes, {
    ...own,
    ...(label === '' ? {} : { more: { 'aria-label': label } }),
  });
  const given = textAt(attributes, 'ariaLabel') ?? '';
  const list = wrapperAttributes(name, attributes, {
    classes: ['wp-block-navigation__container', ...look.classes],
    style: look.style,
    ...(given === '' ? {} : { more: { 'aria-label': given } }),
  });
  const inside = withSubmenuHooks(itemsOf(menu, { list, scope: scopeWithin(block) }, here), attributes);
  if (!isOverlay) return `<nav ${wrapper}>${inside}</nav>`;
  return `<nav ${wrapper} ${OVERLAY_HOOKS}>${dialog(inside, attributes, here.rendering.counters)}</nav>`;
};

function menuOf({ block, attributes }: ServerBlock, here: Here): Menu {
  const ref = Math.trunc(numberAt(attributes, 'ref') ?? 0);
  if (ref !== 0) return storedMenu(ref, here);
  const blocks = block.parts.filter((part) => typeof part !== 'string');
  if (blocks.length > 0) return { blocks, name: '' };
  const [latest] = here.rendering.found(publishedIn('wp_navigation', 1)).ids;
  const stored = latest === undefined ? undefined : storedMenu(latest, here);
  return stored !== undefined && stored.blocks.length > 0 ? stored : { blocks: [PAGE_LIST], name: '' };
}

function storedMenu(id: number, { rendering: { model }, within }: Here): Menu {
  const row = model.entry(id);
  const showing = `menu ${id}`;
  const isOpen = row?.kind === 'wp_navigation' && row.status === 'publish' && row.password === '';
  if (!isOpen || within.has(showing)) {
    return { blocks: [], name: '' };
  }
  const blocks = parseBlocks(model.texts(id)?.content ?? '').filter((block) => block.name !== null);
  return { blocks, name: row.title, showing };
}

function labelOf({ name }: Menu, attributes: JsonMap, { rendering: { counters } }: Here): string {
  const given = textAt(attributes, 'ariaLabel') ?? '';
  if (isSet(given) || name === '') return given;
  const number = counters.next(`menu ${name}`);
  return number === 1 ? name : `${name} ${number}`;
}

function scopeWithin({ attributes, scope }: ServerBlock): Scope {
  const within = new Map(scope);
  for (const name of TOLD) within.set(name, attributes.get(name) ?? null);
  within.set('showSubmenuIcon', flagAt(attributes, 'showSubmenuIcon') ?? true);
  within.set('openSubmenusOnClick', flagAt(attributes, 'openSubmenusOnClick') ?? false);
  return within;
}

function itemsOf(
  { blocks, showing }: Menu,
  { list, scope }: { readonly list: string; readonly scope: Scope },
  here: Here,
): string {
  let html = '';
  let isOpen = false;
  for (const block of blocks) {
    const made = here.inside([block], { scope, ...(showing === undefined ? {} : { showing }) });
    const item = ITEMS.includes(block.name) && made !== '' ? `<li class="wp-block-navigation-item">${made}</li>` : made;
    const isItem = [...startTags(item)].some((tag) => tag.name === 'li');
    if (isItem !== isOpen) html += isItem ? `<ul ${list}>` : '</ul>';
    isOpen = isItem;
    html += item;
  }
  return isOpen ? `${html}</ul>` : html;
}

function holdsMenu(blocks: readonly Block[]): boolean {
  const rest: (string | Block)[] = [...blocks];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (typeof part === 'string') continue;
    if (part.name === 'core/navigation') return true;
    for (const inner of part.parts) rest.push(inner);
  }
  return false;
}

function dialog(inside: string, attributes: JsonMap, counters: Counters): string {
  const id = `modal-${counters.next('modal')}`;
  const isAlways = textAt(attributes, 'overlayMenu') === 'always';
  const hasIcon = flagAt(attributes, 'hasIcon') ?? true;
  const overlay = menuColours((name) => attributes.get(name), 'overlay');
  const container = [isAlways ? 'hidden-by-default' : '', ...overlay.classes].filter((name) => name !== '');
  const classes = ['wp-block-navigation__responsive-container', ...container].join(' ');
  const style = overlay.style === '' ? '' : `style="${escapeAttribute(overlay.style.replace(/;$/, ''))}"`;
  const opener = `wp-block-navigation__responsive-container-open${isAlways ? ' always-shown' : ''}`;
  const icon = textAt(attributes, 'icon') === 'menu' ? LINES_ICON : OPEN_ICON;
  return `<button aria-haspopup="dialog" ${hasIcon ? 'aria-label="Open menu"' : ''} class="${opener}" 
				data-wp-on--click="actions.openMenuOnClick"
				data-wp-on--keydown="actions.handleMenuKeydown"
			>${hasIcon ? icon : 'Menu'}</button>
				<div class="${escapeAttribute(classes)}" ${style} id="${id}" 
				data-wp-class--has-modal-open="state.isMenuOpen"
				data-wp-class--is-menu-open="state.isMenuOpen"
				data-wp-watch="callbacks.initMenu"
				data-wp-on--keydown="actions.handleMenuKeydown"
				data-wp-on--focusout="actions.handleMenuFocusout"
				tabindex="-1"
			>
					<div class="wp-block-navigation__responsive-close" tabindex="-1">
						<div class="wp-block-navigation__responsive-dialog" 
				data-wp-bind--aria-modal="state.ariaModal"
				data-wp-bind--aria-label="state.ariaLabel"
				data-wp-bind--role="state.roleAttribute"
			>
							<button ${hasIcon ? 'aria-label="Close menu"' : ''} class="wp-block-navigation__responsive-container-close" 
				data-wp-on--click="actions.closeMenuOnClick"
			>${hasIcon ? CLOSE_ICON : 'Close'}</button>
							<div class="wp-block-navigation__responsive-container-content" 
				data-wp-watch="callbacks.focusFirstElement"
			 id="${id}-content">
								${inside}
								
							</div>
						</div>
					</div>
				</div>`;
}

const OPEN_ICON =
  '<svg width="24" height="24" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M4 7.5h16v1.5H4z"></path><path d="M4 15h16v1.5H4z"></path></svg>';
const LINES_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><path d="M5 5v1.5h14V5H5z"></path><path d="M5 12.8h14v-1.5H5z"></path><path d="M5 19h14v-1.5H5z"></path></svg>';
const CLOSE_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="m13.06 12 6.47-6.47-1.06-1.06L12 10.94 5.53 4.47 4.47 5.53 10.94 12l-6.47 6.47 1.06 1.06L12 13.06l6.47 6.47 1.06-1.06L13.06 12Z"></path></svg>';

function withSubmenuHooks(html: string, attributes: JsonMap): string {
  const opensOnClick = flagAt(attributes, 'openSubmenusOnClick') === true;
  const showsIcon = flagAt(attributes, 'showSubmenuIcon') ?? true;
  if (!html.includes('has-child') || !(opensOnClick || showsIcon || isOverlay(attributes))) return html;
  const hooks = itemHooks(opensOnClick);
  let out = '';
  let done = 0;
  /** The next tag to look for: an item, its button, its list. */
  let wanted: 'item' | 'button' | 'list' = 'item';
  for (const tag of startTags(html)) {
    const change: Hooks | null =
      tag.name === 'li' && hasClass(tag, 'has-child')
        ? hooks
        : wanted === 'button' && tag.name === 'button' && hasClass(tag, 'wp-block-navigation-submenu__toggle')
          ? BUTTON_HOOKS
          : wanted !== 'item' && tag.name === 'ul' && hasClass(tag, 'wp-block-navigation__submenu-container')
            ? LIST_HOOKS
            : null;
    if (change === null) continue;
    wanted = change === hooks ? 'button' : change === BUTTON_HOOKS ? 'list' : 'item';
    const open = new OpenTag(html, tag);
    open.change({ set: change });
    out += html.slice(done, tag.start) + open;
    done = tag.end;
  }
  return out + html.slice(done);
}

function isOverlay(attributes: JsonMap): boolean {
  return attributes.get('overlayMenu') !== 'never';
}

function itemHooks(opensOnClick: boolean): Hooks {
  return {
    'data-wp-context': CONTEXT,
    'data-wp-interactive': 'core/navigation',
    'data-wp-on--focusout': 'actions.handleMenuFocusout',
    'data-wp-on--keydown': 'actions.handleMenuKeydown',
    ...(opensOnClick
      ? {}
      : {
          'data-wp-on--pointerenter': 'actions.openMenuOnHover',
          'data-wp-on--pointerleave': 'actions.closeMenuOnHover',
        }),
    'data-wp-watch': 'callbacks.initMenu',
    tabindex: '-1',
  };
}

const BUTTON_HOOKS = {
  'data-wp-bind--aria-expanded': 'state.isSubmenuOpen',
  'data-wp-on--click': 'actions.toggleMenuOnClick',
};

const LIST_HOOKS = { 'data-wp-on--focus': 'actions.openMenuOnFocus' };
