import { isSet, numberAt } from '../attributes.ts';
import { hasClass } from '../block-tags.ts';
import type { JsonMap } from '../ordered-json.ts';
import type { Closing, Kind, MarkedTag } from './kind.ts';

const NAMES: readonly (readonly [string, string])[] = [
  ['wp-block-accordion', 'accordion'],
  ['wp-block-accordion-item', 'accordion-item'],
  ['wp-block-accordion-heading__toggle', 'accordion-toggle'],
  ['wp-block-accordion-panel', 'accordion-panel'],
];

const part: Kind = { marks: (tag) => NAMES.find(([className]) => hasClass(tag, className))?.[1] ?? null };

export const accordionHeading: Kind = part;
export const accordionPanel: Kind = part;

export const accordion: Kind = {
  ...part,
  close: ({ attributes, place, find }) => {
    const context = `{ "autoclose": ${isSet(attributes.get('autoclose'))}, "accordionItems": [] }`;
    find('accordion', place)?.tag.change({
      set: { 'data-wp-context': context, 'data-wp-interactive': 'core/accordion' },
    });
  },
};

/** A heading with a panel that it opens; unchanged if either is missing. */
export const accordionItem: Kind = {
  ...part,
  hides: (attributes) => !isOpen(attributes),
  close: (closing) => {
    const id = `accordion-item-${closing.counters.next('accordion')}`;
    const parts = partsOf(closing);
    if (parts === null) return;
    const [item, toggle, panel] = parts;
    item.tag.change({
      set: {
        'data-wp-class--is-open': 'state.isOpen',
        'data-wp-context': `{ "id": "${id}", "openByDefault": ${isOpen(closing.attributes)} }`,
        'data-wp-init': 'callbacks.initAccordionItems',
        'data-wp-on-window--hashchange': 'callbacks.hashChange',
      },
    });
    toggle.tag.change({
      set: {
        'aria-controls': `${id}-panel`,
        'data-wp-bind--aria-expanded': 'state.isOpen',
        'data-wp-on--click': 'actions.toggle',
        id,
      },
    });
    panel.tag.change({
      set: {
        'aria-labelledby': id,
        'data-wp-bind--hidden': 'state.isHidden',
        'data-wp-on--beforematch': 'actions.handleBeforeMatch',
        id: `${id}-panel`,
      },
    });
  },
  finish: (closing) => {
    const parts = partsOf(closing);
    if (parts === null) return;
    const [item, toggle] = parts;
    const open = isOpen(closing.attributes);
    item.tag.change(open ? { classes: ['is-open'] } : { without: 'is-open' });
    toggle.tag.change({ set: { 'aria-expanded': String(open) } });
  },
};

export const tabs: Kind = {
  close: ({ attributes, outer, counters }) => {
    const context = {
      tabsId: `tabs_${counters.next('tabs')}`,
      activeTabIndex: numberAt(attributes, 'activeTabIndex') ?? 0,
    };
    outer?.change({
      set: {
        'data-wp-context': JSON.stringify(context),
        'data-wp-init': 'callbacks.onTabsInit',
        'data-wp-interactive': 'core/tabs',
        'data-wp-on--keydown': 'actions.handleTabKeyDown',
      },
    });
  },
};

function isOpen(attributes: JsonMap): boolean {
  return isSet(attributes.get('openByDefault'));
}

function partsOf({ place, find }: Closing): readonly [MarkedTag, MarkedTag, MarkedTag] | null {
  const item = find('accordion-item', place);
  const toggle = item === null ? null : find('accordion-toggle', item.place);
  const panel = toggle === null ? null : find('accordion-panel', toggle.place);
  return item === null || toggle === null || panel === null ? null : [item, toggle, panel];
}
