import {
  isRefusal,
  type PluginCall,
  type PluginReader,
  type PluginSession,
  type PluginTheme,
  type Refusal,
} from 'palimpsest/plugin';
import { sentTextIn, wrongData } from './fields.ts';

/** The theme that the assistant makes; it must be installed before use. */
const aiTheme: PluginTheme = { slug: 'host-ai-theme', name: 'Assistant theme', fonts: ['Inter', 'Lora'] };

export function isShopOn({ plugins }: PluginCall<PluginReader>): boolean {
  return plugins().some(({ slug, active }) => slug === 'shop' && active);
}

export function activatePluginRoute({ model, params, plugins }: PluginCall<PluginSession>) {
  const slug = sentTextIn(params, 'plugin');
  if (isRefusal(slug)) return slug;
  const plugin = plugins().find((one) => one.slug === slug);
  if (plugin === undefined) return itIs('not installed', 'plugin');
  if (plugin.active) return itIs('already active', 'plugin');
  model.activatePlugin(slug);
  return nothing;
}

/** Switches to a theme; stages nothing if it is already active. */
export function switchThemeRoute({ model, params, themes, theme }: PluginCall<PluginSession>) {
  const slug = sentTextIn(params, 'theme_slug');
  if (isRefusal(slug)) return slug;
  if (!themes().some((one) => one.slug === slug)) return itIs('not installed', 'theme_slug');
  if (slug !== theme()?.slug) model.switchTheme(slug);
  return nothing;
}

/** Installs the theme of the assistant without activating it. */
export function installThemeRoute({ model, themes }: PluginCall<PluginSession>) {
  if (themes().some(({ slug }) => slug === aiTheme.slug)) return itIs('already installed', 'theme_slug');
  model.installTheme(aiTheme);
  return nothing;
}

const nothing = { data: '' };

function itIs(obstacle: string, field: string): Refusal {
  return wrongData({ [field]: `It is ${obstacle}.` });
}
