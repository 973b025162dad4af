import type { Extensions, Theme } from './area.ts';
import type { ExtensionEvent } from './events.ts';

export function activatePlugin({ activated }: Extensions, slug: string): readonly ExtensionEvent[] {
  return activated.includes(slug) ? [] : [{ type: 'PluginActivated', data: { slug } }];
}

export function switchTheme({ theme }: Extensions, slug: string): readonly ExtensionEvent[] {
  return slug === theme ? [] : [{ type: 'ThemeSwitched', data: { slug } }];
}

/** Installs a theme without activating it. */
export function installTheme({ installed }: Extensions, { slug, name, fonts }: Theme): readonly ExtensionEvent[] {
  const isThere = installed.some((theme) => theme.slug === slug);
  return isThere ? [] : [{ type: 'ThemeInstalled', data: { slug, name, fonts: [...fonts] } }];
}
