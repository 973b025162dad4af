import type { Right } from '#domain/user/roles.ts';
import type { Taxonomy } from './events.ts';

/** Categories and tags are one thing with a parameter. What differs between them stands here and nowhere else. */
export interface TermKind {
  readonly name: Taxonomy;
  /** Last segment of the collection's route. */
  readonly base: string;
  /** What a term is called in schemas, and first segment of its address on the site. */
  readonly title: string;
  /** Terms can have parents. */
  readonly hierarchical: boolean;
  /** How the taxonomy is described to editors. */
  readonly type: TaxonomyType;
  /** Which right each act needs (interface behaviour, section 14). */
  readonly rights: { readonly create: Right; readonly manage: Right };
}

/** What editors and apps are told about a taxonomy. */
export interface TaxonomyType {
  /** Several terms, and one, as people call them. */
  readonly name: string;
  readonly singular: string;
  /** What the names of its rights are made of: `edit_categories`. */
  readonly noun: string;
  /** Terms have pages of their own on the site. */
  readonly viewable: boolean;
}

export const category: TermKind = {
  name: 'category',
  base: 'categories',
  title: 'category',
  hierarchical: true,
  type: { name: 'Categories', singular: 'Category', noun: 'categories', viewable: true },
  rights: { create: 'manage_categories', manage: 'manage_categories' },
};

export const tag: TermKind = {
  name: 'post_tag',
  base: 'tags',
  title: 'tag',
  hierarchical: false,
  type: { name: 'Tags', singular: 'Tag', noun: 'post_tags', viewable: true },
  rights: { create: 'create_tags', manage: 'manage_categories' },
};

export const termKinds: Readonly<Record<Taxonomy, TermKind>> = { category, post_tag: tag };
