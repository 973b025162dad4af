import type { PluginSettings } from '#domain/plugins/settings.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import { type TemplateType, templateTypes } from '#domain/templates/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { isRecord } from '#text/shapes.ts';
import { baseStyles } from '../../global-styles/theme-styles.ts';
import { templatesOf } from '../../templates/find.ts';
import { activeTheme } from '../../themes/theme.ts';
import type { ArchivedFile } from './zip.ts';

const folders: Readonly<Record<TemplateType, string>> = { wp_template: 'templates', wp_template_part: 'parts' };

export function themeFiles(model: Model, { themes, versions }: PluginSettings): readonly ArchivedFile[] {
  const theme = activeTheme(model, themes);
  const { settings = {}, styles = {} } = model.plugin(siteStyles);
  const merged = {
    version: 3,
    settings: mergedWith(baseStyles.settings, settings),
    styles: mergedWith(baseStyles.styles, styles),
  };
  const templates = templateTypes.flatMap((type) =>
    templatesOf(type, theme, model).map(({ slug, content }) => ({
      name: `${folders[type]}/${slug}.html`,
      text: content,
    })),
  );
  return [
    { name: 'style.css', text: `/*\nTheme Name: ${theme.name}\nVersion: ${versions.cms}\n*/\n` },
    { name: 'theme.json', text: `${JSON.stringify(merged, null, '\t')}\n` },
    ...templates,
  ];
}

function mergedWith(base: unknown, set: unknown): unknown {
  if (!isRecord(base) || !isRecord(set)) return set;
  const names = [...new Set([...Object.keys(base), ...Object.keys(set)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in set ? (name in base ? mergedWith(base[name], set[name]) : set[name]) : base[name],
    ]),
  );
}
