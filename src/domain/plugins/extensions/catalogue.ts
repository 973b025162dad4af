import type { Deployment } from '../deployment.ts';
import { type Extensions, shop, type Theme } from './area.ts';

export interface BundledPlugin {
  readonly slug: string;
  readonly name: string;
  readonly active: boolean;
}

/** Built-in plugins. A site's namespaces are fixed; only the shop can be activated. */
const common: readonly BundledPlugin[] = [
  { slug: 'cache', name: 'Cache', active: true },
  { slug: 'host-onboarding', name: 'Onboarding', active: true },
  { slug: 'host-assistant', name: 'Assistant', active: true },
  { slug: 'analytics', name: 'Analytics', active: true },
  { slug: 'host-tools', name: 'Tools', active: true },
];
const own: Readonly<Record<Deployment, BundledPlugin>> = {
  A: { slug: 'theme-blocks', name: 'Theme blocks', active: true },
  B: { slug: 'builder', name: 'Builder', active: true },
};

export function pluginsOf(deployment: Deployment, { activated }: Extensions): readonly BundledPlugin[] {
  return [...common, own[deployment], { slug: shop, name: 'Shop', active: activated.includes(shop) }];
}

/** Available themes: built-in and installed ones. */
export function themesOf(themes: readonly Theme[], { installed }: Extensions): readonly Theme[] {
  return [...themes, ...installed];
}

/** The active theme: the first one until another is chosen. */
export function themeOf(themes: readonly Theme[], state: Extensions): Theme | undefined {
  const all = themesOf(themes, state);
  return all.find(({ slug }) => slug === state.theme) ?? all[0];
}

/** The theme that the assistant makes; it must be installed before use. */
export const aiTheme: Theme = { slug: 'host-ai-theme', name: 'Assistant theme', fonts: ['Inter', 'Lora'] };
