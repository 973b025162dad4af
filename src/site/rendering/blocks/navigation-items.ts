import { flagAt, isNumber, isSet, mapAt, numberAt, styleText, textAt } from '#blocks/attributes.ts';
import type { Block } from '#blocks/blocks.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { filterMarkup } from '#blocks/filter.ts';
import type { JsonMap, JsonValue } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { Scope } from '#blocks/server-blocks.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { fluidSize } from '#blocks/supports/fluid-size.ts';
import { colourAttributes, wrapperAttributes } from '#blocks/supports/wrapper.ts';
import type { Here, Make } from '../types.ts';

export interface Look {
  readonly classes: readonly string[];
  readonly style: string;
}

const JUSTIFIED = ['left', 'right', 'center', 'space-between'];

export const navigationLink: Make = ({ name, attributes, block, scope }, here) => {
  if (leadsNowhere(attributes, here)) return '';
  const look = itemLook(scope);
  const below = blocksIn(block);
  const classes = [...look.classes, 'wp-block-navigation-item', below.length > 0 ? 'has-child' : ''];
  const wrapper = wrapperAttributes(name, attributes, { classes, style: look.style });
  const url = textAt(attributes, 'url');
  const address = url === undefined ? '' : ` href="${escapeAddress(decoded(url))}"`;
  const link = `<a class="wp-block-navigation-item__content" ${address}${relations(attributes)}>${labelled(attributes)}</a>`;
  const icon = below.length > 0 && scope.get('showSubmenuIcon') === true ? submenuIcon() : '';
  const list =
    below.length === 0
      ? ''
      : `<ul class="wp-block-navigation__submenu-container">${here.inside(below, { scope })}</ul>`;
  return `<li ${wrapper}>${link}${icon}${list}</li>`;
};

export const navigationSubmenu: Make = ({ name, attributes, block, scope }, here) => {
  if (leadsNowhere(attributes, here)) return '';
  const look = itemLook(scope);
  const below = blocksIn(block);
  const [opensOnClick, showsIcon] = [scope.get('openSubmenusOnClick'), scope.get('showSubmenuIcon') === true];
  const classes = [
    ...['wp-block-navigation-item', ...look.classes],
    below.length > 0 ? 'has-child' : '',
    opensOnClick === true ? 'open-on-click' : opensOnClick === false && showsIcon ? 'open-on-hover-click' : '',
  ];
  const wrapper = wrapperAttributes(name, attributes, { classes, style: look.style });
  const head = opensOnClick === true ? toggle(attributes) : linkAndToggle(attributes, showsIcon);
  const list = below.length === 0 ? '' : submenu({ name, attributes, scope }, here.inside(below, { scope }));
  return `<li ${wrapper}>${head}${list}</li>`;
};

export const homeLink: Make = ({ name, attributes, scope }, { rendering: { model } }) => {
  const label = textAt(attributes, 'label') || 'Home';
  const [colours, look] = [menuColours((key) => scope.get(key)), itemLook(scope)];
  const wrapper = wrapperAttributes(name, attributes, {
    classes: [...colours.classes, ...look.classes, 'wp-block-navigation-item'],
    style: colours.style + look.style,
  });
  const classes = 'wp-block-home-link__content wp-block-navigation-item__content';
  const address = escapeAddress(model.site().url);
  return `<li ${wrapper}><a class="${classes}" href="${address}" rel="home" >${filterMarkup(label)}</a></li>`;
};

function leadsNowhere(attributes: JsonMap, { rendering: { model } }: Here): boolean {
  if (!isSet(textAt(attributes, 'label'))) return true;
  const id = numberAt(attributes, 'id');
  const isEntry =
    textAt(attributes, 'kind') === 'post-type' || ['post', 'page'].includes(textAt(attributes, 'type') ?? '');
  return isEntry && id !== undefined && model.entry(Math.trunc(id))?.status !== 'publish';
}

function relations(attributes: JsonMap): string {
  const [rel, title] = [textAt(attributes, 'rel'), textAt(attributes, 'title')];
  const target = flagAt(attributes, 'opensInNewTab') === true ? ' target="_blank"  ' : '';
  const follows = rel === undefined && isSet(attributes.get('nofollow')) ? 'nofollow' : rel;
  return (
    target +
    (follows === undefined ? '' : ` rel="${escapeAttribute(follows)}"`) +
    (title === undefined ? '' : ` title="${escapeAttribute(title)}"`)
  );
}

function labelled(attributes: JsonMap): string {
  const description = textAt(attributes, 'description') ?? '';
  const more = isSet(description)
    ? `<span class="wp-block-navigation-item__description">${filterMarkup(description)}</span>`
    : '';
  return `<span class="wp-block-navigation-item__label">${labelOf(attributes)}</span>${more}`;
}

function labelOf(attributes: JsonMap): string {
  return filterMarkup(textAt(attributes, 'label') ?? '');
}

function linkAndToggle(attributes: JsonMap, showsIcon: boolean): string {
  const url = textAt(attributes, 'url') ?? '';
  const address = isSet(url) ? ` href="${escapeAddress(url)}"` : '';
  const link = `<a class="wp-block-navigation-item__content"${address}${relations(attributes)}>${labelled(attributes)}</a>`;
  return showsIcon ? link + submenuToggle(labelOf(attributes)) : link;
}

function toggle(attributes: JsonMap): string {
  const name = escapeAttribute(`${stripMarkup(labelOf(attributes))} submenu`);
  const classes = 'wp-block-navigation-item__content wp-block-navigation-submenu__toggle';
  return `<button aria-label="${name}" class="${classes}" >${labelled(attributes)}</button>${submenuIcon()}`;
}

export function submenuToggle(label: string): string {
  const name = escapeAttribute(`${stripMarkup(label)} submenu`);
  const classes = 'wp-block-navigation__submenu-icon wp-block-navigation-submenu__toggle';
  return `<button aria-label="${name}" class="${classes}" >${SUBMENU_ICON}</button>`;
}

function submenuIcon(): string {
  return `<span class="wp-block-navigation__submenu-icon">${SUBMENU_ICON}</span>`;
}

function submenu(
  { name, attributes, scope }: { readonly name: string; readonly attributes: JsonMap; readonly scope: Scope },
  inside: string,
): string {
  const own = new Map(attributes);
  const [text, background] = [scope.get('overlayTextColor'), scope.get('overlayBackgroundColor')];
  if (typeof text === 'string') own.set('textColor', text);
  if (typeof background === 'string') own.set('backgroundColor', background);
  const custom = new Map<string, JsonValue>();
  const [ownText, ownBackground] = [scope.get('customOverlayTextColor'), scope.get('customOverlayBackgroundColor')];
  if (typeof ownText === 'string') custom.set('text', ownText);
  if (typeof ownBackground === 'string') custom.set('background', ownBackground);
  if (custom.size > 0) own.set('style', new Map([['color', custom]]));
  const colours = colourAttributes(own);
  const wrapper = wrapperAttributes(name, attributes, {
    classes: ['wp-block-navigation__submenu-container', ...colours.classes],
    style: colours.style,
  });
  return `<ul ${wrapper}>${inside}</ul>`;
}

function blocksIn(block: Block): Block[] {
  return block.parts.filter((part) => typeof part !== 'string');
}

function decoded(url: string): string {
  const query = url.slice(url.indexOf('?') + 1);
  if (!url.includes('?') || !/%25[0-9a-f]{2}/i.test(query)) return url;
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

export const SUBMENU_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" viewBox="0 0 12 12" fill="none" aria-hidden="true" focusable="false"><path d="M1.50002 4L6.00002 8L10.5 4" stroke-width="1.5"></path></svg>';

/** The look of a menu: its colours, its text size, the placement of its items. */
export function menuLook(attributes: JsonMap): Look {
  const colours = menuColours((name) => attributes.get(name));
  const size = textAt(attributes, 'fontSize');
  const custom = attributes.get('customFontSize');
  const given = typeof custom === 'string' ? custom : isNumber(custom) ? custom.number : '';
  const decoration = textAt(attributes, 'style', 'typography', 'textDecoration');
  const overlay = textAt(attributes, 'overlayMenu') ?? 'mobile';
  return {
    classes: [
      ...colours.classes,
      ...(size === undefined ? [] : [`has-${size}-font-size`]),
      ...(overlay === 'never' && !isSet(attributes.get('isResponsive')) ? [] : ['is-responsive']),
      ...layoutClasses(mapAt(attributes, 'layout')),
      ...(isSet(decoration) ? [`has-text-decoration-${decoration}`] : []),
    ],
    style: colours.style + (size === undefined && given !== '' ? `font-size: ${given}px;` : ''),
  };
}

/** The colours of a menu, of its overlay (`prefix`), or those that a menu passes to its blocks. */
export function menuColours(value: (name: string) => JsonValue | undefined, prefix: '' | 'overlay' = ''): Look {
  const named = (name: string): JsonValue | undefined => value(prefix === '' ? lowered(name) : prefix + name);
  const own = (name: string): JsonValue | undefined => value(prefix === '' ? `custom${name}` : `customOverlay${name}`);
  const text = colour('has-text-color', [named('TextColor'), own('TextColor')], ['color', 'color']);
  const background = colour(
    'has-background',
    [named('BackgroundColor'), own('BackgroundColor')],
    ['background-color', 'background-color'],
  );
  return { classes: [...text.classes, ...background.classes], style: text.style + background.style };
}

/** The look of an item. It has the named size of its menu already: a relative one would multiply. */
export function itemLook(scope: Scope): Look {
  const size = scope.get('fontSize');
  if (typeof size === 'string' && size !== '') return { classes: [], style: '' };
  const style = scope.get('style');
  const custom = style instanceof Map ? styleText(mapAt(style, 'typography')?.get('fontSize')) : undefined;
  return { classes: [], style: custom === undefined ? '' : `font-size: ${fluidSize(custom)};` };
}

function colour(
  mark: string,
  [named, own]: readonly [JsonValue | undefined, JsonValue | undefined],
  [end, property]: readonly [string, string],
): Look {
  if (typeof named === 'string') return { classes: [mark, `has-${named}-${end}`], style: '' };
  return typeof own === 'string' ? { classes: [mark], style: `${property}: ${own};` } : { classes: [], style: '' };
}

function layoutClasses(layout: JsonMap | undefined): string[] {
  const justify = layout?.get('justifyContent');
  return [
    ...(typeof justify === 'string' && JUSTIFIED.includes(justify) ? [`items-justified-${justify}`] : []),
    ...(layout?.get('orientation') === 'vertical' ? ['is-vertical'] : []),
    ...(layout?.get('flexWrap') === 'nowrap' ? ['no-wrap'] : []),
  ];
}

function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
