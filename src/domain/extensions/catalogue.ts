import type { Extensions, Theme } from './area.ts';

export interface BundledPlugin {
  readonly slug: string;
  readonly name: string;
  readonly active: boolean;
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
