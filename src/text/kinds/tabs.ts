import { numberAt } from '../attributes.ts';
import type { Kind } from './kind.ts';

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
