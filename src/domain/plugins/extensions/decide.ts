import type { Theme } from './area.ts';
import type { BundledPlugin } from './catalogue.ts';
import type { ExtensionEvent } from './events.ts';

/** Why a plugin or theme cannot be activated or installed. */
export type Obstacle = 'not installed' | 'already active' | 'already installed';
type Decision = readonly ExtensionEvent[] | Obstacle;

export function activatePlugin(slug: string, plugins: readonly BundledPlugin[]): Decision {
  const plugin = plugins.find((one) => one.slug === slug);
  if (plugin === undefined) return 'not installed';
  return plugin.active ? 'already active' : [{ type: 'PluginActivated', data: { slug } }];
}

/** Switches to a theme; no events if it is already active. */
export function switchTheme(
  slug: string,
  { themes, current }: { readonly themes: readonly Theme[]; readonly current: string | undefined },
): Decision {
  if (!themes.some((theme) => theme.slug === slug)) return 'not installed';
  return slug === current ? [] : [{ type: 'ThemeSwitched', data: { slug } }];
}

/** Installs a theme without activating it. */
export function installTheme({ slug, name, fonts }: Theme, themes: readonly Theme[]): Decision {
  if (themes.some((theme) => theme.slug === slug)) return 'already installed';
  return [{ type: 'ThemeInstalled', data: { slug, name, fonts: [...fonts] } }];
}
