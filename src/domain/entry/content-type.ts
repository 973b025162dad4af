import type { Right } from '#domain/user/roles.ts';

/** What editors and apps are told about one type of content. */
export interface ContentType {
  /** Several of them, and one, as people call them. */
  readonly name: string;
  readonly singular: string;
  /** Name of the icon in menus; null: none of its own. */
  readonly icon: string | null;
  /** What an editor offers for it. */
  readonly supports: ReadonlySet<Support>;
  /** Items have pages of their own on the site. */
  readonly viewable: boolean;
  /** Menus can lead to items. */
  readonly inMenus: boolean;
  /** What the names of its rights are made of: `edit_posts`, `edit_pages`. */
  readonly noun: string;
  /** Rights that are called otherwise, by the name that they have in general. */
  readonly rightNames?: Readonly<Record<string, string>>;
  /** False: editors list its items in a place of their own. */
  readonly hasUi?: false;
}

/** What the list of all items is called. */
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

/** A type of content with what its records and rights show of it. */
export interface DescribedType extends ContentType {
  readonly slug: string;
  /** Last segment of the collection's route. */
  readonly base: string;
  readonly hierarchical: boolean;
  readonly taxonomies: readonly string[];
  /** Who may see how it is edited. */
  readonly edit: Right;
}
