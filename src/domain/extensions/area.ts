import { defineArea } from '../plugins/area.ts';
import { extensionEvents } from './events.ts';

export interface Theme {
  readonly slug: string;
  readonly name: string;
  readonly fonts: readonly string[];
}

export interface Extensions {
  readonly activated: readonly string[];
  readonly installed: readonly Theme[];
  /** Slug of the active theme; null: the first one of the site. */
  readonly theme: string | null;
}

const empty: Extensions = { activated: [], installed: [], theme: null };

export const extensions = defineArea({
  name: 'extensions',
  events: extensionEvents,
  empty,
  evolve(state, event) {
    switch (event.type) {
      case 'PluginActivated':
        return { ...state, activated: [...state.activated, event.data.slug] };
      case 'ThemeInstalled':
        return { ...state, installed: [...state.installed, event.data] };
      case 'ThemeSwitched':
        return { ...state, theme: event.data.slug };
      default:
        return event satisfies never;
    }
  },
});

/** Slug of the plugin for products, the only one that can be switched. */
export const shop = 'shop';

export function hasShop({ activated }: Extensions): boolean {
  return activated.includes(shop);
}
