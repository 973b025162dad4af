import { formatNames } from '#domain/entry/vocabulary.ts';
import { extensions, type Theme } from '#domain/extensions/area.ts';
import { themeOf, themesOf } from '#domain/extensions/catalogue.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';

export type Themes = PluginSettings['themes'];

export const themeSupports = {
  'align-wide': true,
  'automatic-feed-links': true,
  'block-templates': false,
  'block-template-parts': false,
  'custom-background': false,
  'custom-header': false,
  'custom-logo': false,
  'customize-selective-refresh-widgets': false,
  'dark-editor-style': false,
  'disable-custom-colors': false,
  'disable-custom-font-sizes': false,
  'disable-custom-gradients': false,
  'disable-layout-styles': false,
  'editor-color-palette': false,
  'editor-font-sizes': false,
  'editor-gradient-presets': false,
  'editor-spacing-sizes': false,
  'editor-styles': false,
  formats: Object.keys(formatNames),
  html5: true,
  'post-thumbnails': true,
  'responsive-embeds': true,
  'title-tag': true,
  'wp-block-styles': false,
};

/** Kinds of pages for which templates can be made. */
export const themeTemplateTypes = [
  row('index', 'Index', 'Shown where no other template is meant for a page.'),
  row('home', 'Blog home', 'Shows the latest posts.'),
  row('front-page', 'Front page', 'Shows the front page of the site.'),
  row('singular', 'Single item', 'Shows any single post or page.'),
  row('single', 'Single post', 'Shows a single post.'),
  row('page', 'Page', 'Shows a page.'),
  row('archive', 'Archive', 'Shows any list of posts.'),
  row('author', 'Author archive', 'Shows the posts of an author.'),
  row('category', 'Category archive', 'Shows the posts of a category.'),
  row('taxonomy', 'Taxonomy archive', 'Shows the posts of a term.'),
  row('date', 'Date archive', 'Shows the posts of a day, month or year.'),
  row('tag', 'Tag archive', 'Shows the posts of a tag.'),
  row('attachment', 'Attachment page', 'Shows an uploaded file.'),
  row('search', 'Search results', 'Shows what was found.'),
  row('privacy-policy', 'Privacy policy', 'Shows the privacy policy.'),
  row('404', 'Not found', 'Shown where nothing is.'),
];

/** Areas for template parts. */
export const partAreas = [
  area('uncategorized', 'General', 'div'),
  area('header', 'Header', 'header'),
  area('footer', 'Footer', 'footer'),
];

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

function row(slug: string, title: string, description: string) {
  return { slug, title, description };
}

function area(name: string, label: string, tag: string) {
  return {
    area: name,
    label,
    description: `Parts of the kind ${label}.`,
    icon: name === 'header' || name === 'footer' ? name : 'layout',
    area_tag: tag,
  };
}
