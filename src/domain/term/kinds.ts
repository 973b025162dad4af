import type { Right } from '#domain/user/roles.ts';
import type { Taxonomy } from './events.ts';

/** Terms of all taxonomies share one implementation; this table is the only place that says how they differ. */
export interface TermKind {
  readonly name: Taxonomy;
  readonly base: string;
  readonly title: string;
  readonly entries: string;
  readonly hierarchical: boolean;
  readonly type: TaxonomyType;
  /** The right that each action needs (interface behaviour, section 14). */
  readonly rights: {
    /** Null: everyone may. */
    readonly read: Right | null;
    readonly create: Right;
    readonly manage: Right;
    readonly assign: Right;
  };
}

export interface TaxonomyType {
  readonly name: string;
  readonly singular: string;
  /** Base of the names of its rights: `edit_categories`. */
  readonly noun: string;
  readonly viewable: boolean;
  readonly rightNames?: Readonly<Record<string, string>>;
  /** False: editors list its terms elsewhere. */
  readonly hasUi?: false;
}

export const category: TermKind = {
  name: 'category',
  base: 'categories',
  title: 'category',
  entries: 'posts',
  hierarchical: true,
  type: { name: 'Categories', singular: 'Category', noun: 'categories', viewable: true },
  rights: { read: null, create: 'manage_categories', manage: 'manage_categories', assign: 'assign_terms' },
};

export const tag: TermKind = {
  name: 'post_tag',
  base: 'tags',
  title: 'tag',
  entries: 'posts',
  hierarchical: false,
  type: { name: 'Tags', singular: 'Tag', noun: 'post_tags', viewable: true },
  rights: { read: null, create: 'create_tags', manage: 'manage_categories', assign: 'assign_terms' },
};

export const patternCategory: TermKind = {
  name: 'wp_pattern_category',
  base: 'wp_pattern_category',
  title: 'wp_pattern_category',
  entries: 'blocks',
  hierarchical: false,
  type: {
    name: 'Pattern categories',
    singular: 'Pattern category',
    noun: 'pattern_categories',
    viewable: false,
    rightNames: { ...sameRight('manage_categories'), assign_terms: 'edit_posts' },
  },
  rights: { read: null, create: 'edit_posts', manage: 'manage_categories', assign: 'edit_posts' },
};

export const menu: TermKind = {
  name: 'nav_menu',
  base: 'menus',
  title: 'nav_menu',
  entries: 'menu-items',
  hierarchical: false,
  type: {
    name: 'Menus',
    singular: 'Menu',
    noun: 'menus',
    viewable: false,
    rightNames: sameRight('edit_theme_options'),
    hasUi: false,
  },
  rights: {
    read: 'edit_posts',
    create: 'edit_theme_options',
    manage: 'edit_theme_options',
    assign: 'edit_theme_options',
  },
};

/** All kinds, in listing order. */
export const allTermKinds: readonly TermKind[] = [category, tag, patternCategory, menu];

export const termKinds: Readonly<Record<Taxonomy, TermKind>> = {
  category,
  post_tag: tag,
  wp_pattern_category: patternCategory,
  nav_menu: menu,
};

function sameRight(right: Right): Readonly<Record<string, string>> {
  return Object.fromEntries(['manage', 'edit', 'delete', 'assign'].map((act) => [`${act}_terms`, right]));
}
