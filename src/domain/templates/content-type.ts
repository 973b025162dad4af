import type { DescribedType } from '#domain/entry/content-type.ts';
import { rightsNamed } from '#domain/entry/kinds.ts';

const shared = {
  icon: null,
  viewable: false,
  inMenus: false,
  hasUi: false,
  hierarchical: false,
  taxonomies: [],
  edit: 'edit_theme_options',
} as const;
const rights = rightsNamed('edit_theme_options');
const supports = new Set(['title', 'slug', 'excerpt', 'editor', 'revisions', 'author', 'autosave'] as const);

/** Content types of the site's design, which are not entries. */
export const designTypes: readonly DescribedType[] = [
  {
    ...shared,
    supports,
    slug: 'wp_template',
    base: 'templates',
    name: 'Templates',
    singular: 'Template',
    noun: 'template',
    rightNames: { ...rights, read: 'edit_theme_options' },
  },
  {
    ...shared,
    supports,
    slug: 'wp_template_part',
    base: 'template-parts',
    name: 'Template Parts',
    singular: 'Template Part',
    noun: 'post',
    rightNames: { ...rights, read: 'edit_theme_options' },
  },
  {
    ...shared,
    slug: 'wp_global_styles',
    base: 'global-styles',
    name: 'Global Styles',
    singular: 'Global Styles',
    supports: new Set(['title', 'editor', 'revisions', 'autosave'] as const),
    noun: 'post',
    rightNames: { ...rights, read: 'edit_posts' },
  },
];
