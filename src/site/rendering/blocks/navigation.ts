import { flagAt, isSet, numberAt, textAt } from '#text/attributes.ts';
import { startTags } from '#text/block-tags.ts';
import { type Block, parseBlocks } from '#text/blocks.ts';
import type { JsonMap } from '#text/ordered-json.ts';
import type { Scope, ServerBlock } from '#text/server-blocks.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import { publishedIn } from '../listing.ts';
import type { Here, Make } from '../types.ts';
import { menuLook } from './navigation-look.ts';
import { dialog, OVERLAY_HOOKS } from './navigation-overlay.ts';
import { withSubmenuHooks } from './navigation-submenus.ts';

/** A menu: its blocks, its name, and the mark that prevents it from being shown within itself. */
interface Menu {
  readonly blocks: readonly Block[];
  readonly name: string;
  readonly showing?: string;
}

const TOLD = [
  ...['textColor', 'customTextColor', 'backgroundColor', 'customBackgroundColor'],
  ...['overlayTextColor', 'customOverlayTextColor', 'overlayBackgroundColor', 'customOverlayBackgroundColor'],
  ...['fontSize', 'customFontSize', 'style'],
];

const PAGE_LIST: Block = { name: 'core/page-list', json: '', parts: [] };
/** Blocks that are wrapped in an item of the list. */
const ITEMS: readonly (string | null)[] = ['core/site-title', 'core/site-logo', 'core/social-links'];

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
    ...{ classes: ['wp-block-navigation__container', ...look.classes], style: look.style },
    ...(given === '' ? {} : { more: { 'aria-label': given } }),
  });
  const inside = withSubmenuHooks(itemsOf(menu, { list, scope: told(block) }, here), attributes);
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
  if (row === undefined || row.kind !== 'wp_navigation' || row.status !== 'publish' || within.has(showing)) {
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

function told({ attributes, scope }: ServerBlock): Scope {
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
