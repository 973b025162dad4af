import { flagAt } from '#text/attributes.ts';
import { hasClass, startTags } from '#text/block-tags.ts';
import { OpenTag } from '#text/open-tag.ts';
import type { JsonMap } from '#text/ordered-json.ts';

type Hooks = Readonly<Record<string, string>>;

const CONTEXT =
  '{ "submenuOpenedBy": { "click": false, "hover": false, "focus": false }, "type": "submenu", "modal": null, "previousFocus": null }';

export function withSubmenuHooks(html: string, attributes: JsonMap): string {
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
