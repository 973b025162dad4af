import type { Right } from '#domain/user/roles.ts';

export interface ContentType {
  readonly name: string;
  readonly singular: string;
  /** Name of the icon in menus; null: none of its own. */
  readonly icon: string | null;
  readonly supports: ReadonlySet<Support>;
  /** Items have pages of their own on the site. */
  readonly viewable: boolean;
  readonly inMenus: boolean;
  /** What the names of its rights are made of: `edit_posts`, `edit_pages`. */
  readonly noun: string;
  readonly rightNames?: Readonly<Record<string, string>>;
  /** False: editors list its items in a place of their own. */
  readonly hasUi?: false;
}

export function archiveTitle({ singular }: Pick<ContentType, 'singular'>): string {
  return `${singular} archives`;
}

/** What an editor can offer, in the order in which it is listed. `notes` are remarks on single blocks in the editor. */
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
export type Support = (typeof supportNames)[number];

export interface DescribedType extends ContentType {
  readonly slug: string;
  readonly base: string;
  readonly hierarchical: boolean;
  readonly taxonomies: readonly string[];
  readonly edit: Right;
}
