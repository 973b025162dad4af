import type { Right } from '#domain/user/roles.ts';

export interface ContentType {
  readonly name: string;
  readonly singular: string;
  /** Name of the icon in menus; null: the default one. */
  readonly icon: string | null;
  readonly supports: ReadonlySet<TypeSupport>;
  /** Whether items have their own pages on the site. */
  readonly viewable: boolean;
  readonly inMenus: boolean;
  /** Base of the names of its rights: `edit_posts`, `edit_pages`. */
  readonly noun: string;
  readonly rightNames?: Readonly<Record<string, string>>;
  /** False: editors list its items elsewhere. */
  readonly hasUi?: false;
}

export function archiveTitle({ singular }: Pick<ContentType, 'singular'>): string {
  return `${singular} archives`;
}

/** Features that an editor can offer, in listing order. `notes` are remarks on single blocks. */
export const supportNames = [
  'title',
  'slug',
  'editor',
  'notes',
  'author',
  'thumbnail',
  'excerpt',
  'page-attributes',
  'trackbacks',
  'custom-fields',
  'comments',
  'revisions',
  'post-formats',
  'autosave',
] as const;
export type TypeSupport = (typeof supportNames)[number];

export interface DescribedType extends ContentType {
  readonly slug: string;
  readonly base: string;
  readonly hierarchical: boolean;
  readonly taxonomies: readonly string[];
  readonly edit: Right;
}
