import { extensions, type Theme } from '#domain/extensions/area.ts';
import { themeOf, themesOf } from '#domain/extensions/catalogue.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';

export type Themes = PluginSettings['themes'];

export function activeTheme(model: Model, themes: Themes): Theme {
  const theme = themeOf(themes, model.plugin(extensions));
  if (theme === undefined) throw new Error('there is no theme');
  return theme;
}

export function allThemes(model: Model, themes: Themes): readonly ThemeRow[] {
  const active = activeTheme(model, themes);
  const all = themesOf(themes, model.plugin(extensions));
  return all.map((theme) => ({ ...theme, isActive: theme.slug === active.slug }));
}

export interface ThemeRow extends Theme {
  readonly isActive: boolean;
}
