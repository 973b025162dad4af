import type { Taxonomy } from '#domain/term/events.ts';
import type { Right } from '#domain/user/roles.ts';
import type { ContentType, TypeSupport } from './content-type.ts';
import { menuItemPart } from './menu-item.ts';
import type { EntryPart } from './part.ts';
import type { Part } from './parts.ts';
import { patternPart } from './pattern.ts';
import { productPart } from './product.ts';

export type Feature =
  | 'author'
  | 'excerpt'
  | 'image'
  | 'discussion'
  | 'meta'
  | 'format'
  | 'sticky'
  | 'order'
  | 'revisions';

/** Entries of all kinds share one implementation; this table is the only place that says how the kinds differ. */
export interface EntryKind {
  readonly name: string;
  readonly base: string;
  readonly features: ReadonlySet<Feature>;
  readonly taxonomies: readonly Taxonomy[];
  readonly part: EntryPart | null;
  /** Whether entries have a parent and an order among siblings; slugs then need to be unique only among siblings. */
  readonly hierarchical: boolean;
  /** Whether title, content and excerpt may all be empty. */
  readonly mayBeEmpty: boolean;
  readonly themed: boolean;
  readonly discussion: 'open' | 'closed';
  /** Query parameter of the plain link, such as `p` in `?p=12`. */
  readonly plainLink: string;
  /** What precedes the slug in permalinks: nothing, or a path with a trailing slash. */
  readonly root: string;
  readonly rights: KindRights;
  readonly type: ContentType;
}

/** The right that each action needs (interface behaviour, section 14). */
export interface KindRights {
  /** To read published entries; null: everyone may. */
  readonly read: Right | null;
  readonly create: Right;
  /** To change one's own unpublished entries, and to list what one may change. */
  readonly edit: Right;
  readonly publish: Right;
  readonly editPublished: Right;
  readonly editOthers: Right;
  /** To edit private entries of others; null: nobody may. */
  readonly editPrivate: Right | null;
  readonly readPrivate: Right | null;
}

export const post: EntryKind = {
  name: 'post',
  base: 'posts',
  features: new Set(['author', 'excerpt', 'image', 'discussion', 'meta', 'format', 'sticky', 'revisions']),
  taxonomies: ['category', 'post_tag'],
  part: null,
  hierarchical: false,
  mayBeEmpty: false,
  themed: false,
  discussion: 'open',
  plainLink: 'p',
  root: '',
  rights: {
    read: null,
    create: 'edit_posts',
    edit: 'edit_posts',
    publish: 'publish_posts',
    editPublished: 'edit_published_posts',
    editOthers: 'edit_others_posts',
    editPrivate: 'edit_private_posts',
    readPrivate: 'read_private_posts',
  },
  type: {
    name: 'Posts',
    singular: 'Post',
    icon: 'dashicons-admin-post',
    supports: offers('trackbacks', 'excerpt', 'post-formats'),
    viewable: true,
    inMenus: true,
    noun: 'post',
  },
};

export const page: EntryKind = {
  name: 'page',
  base: 'pages',
  features: new Set(['author', 'excerpt', 'image', 'discussion', 'meta', 'order', 'revisions']),
  taxonomies: [],
  part: null,
  hierarchical: true,
  mayBeEmpty: true,
  themed: true,
  discussion: 'closed',
  plainLink: 'page_id',
  root: '',
  rights: {
    read: null,
    create: 'edit_pages',
    edit: 'edit_pages',
    publish: 'publish_pages',
    editPublished: 'edit_published_pages',
    editOthers: 'edit_others_pages',
    editPrivate: 'edit_private_pages',
    readPrivate: 'read_private_pages',
  },
  type: {
    name: 'Pages',
    singular: 'Page',
    icon: 'dashicons-admin-page',
    supports: offers('page-attributes'),
    viewable: true,
    inMenus: true,
    noun: 'page',
  },
};

/** Available only while the shop is active. */
export const product: EntryKind = {
  ...post,
  name: 'product',
  base: 'products',
  features: new Set(['author', 'excerpt', 'image', 'discussion', 'meta', 'revisions']),
  part: productPart,
  discussion: 'closed',
  root: 'product/',
  type: { ...post.type, name: 'Products', singular: 'Product', icon: 'dashicons-archive', supports: offers('excerpt') },
};

/** Synced patterns: content that is written once and used in many posts. */
export const pattern: EntryKind = {
  ...post,
  name: 'wp_block',
  base: 'blocks',
  features: new Set(['excerpt', 'meta', 'revisions']),
  taxonomies: ['wp_pattern_category'],
  part: patternPart,
  discussion: 'closed',
  rights: {
    read: 'edit_posts',
    create: 'publish_posts',
    edit: 'edit_posts',
    publish: 'publish_posts',
    editPublished: 'edit_published_posts',
    editOthers: 'edit_others_posts',
    editPrivate: null,
    readPrivate: null,
  },
  type: {
    name: 'Patterns',
    singular: 'Pattern',
    icon: null,
    supports: new Set(['title', 'excerpt', 'editor', 'custom-fields', 'revisions', 'autosave']),
    viewable: false,
    inMenus: false,
    noun: 'block',
    rightNames: {
      edit_posts: 'edit_posts',
      edit_others_posts: 'edit_others_posts',
      read: 'edit_posts',
      edit_published_posts: 'edit_published_posts',
      delete_published_posts: 'delete_published_posts',
      delete_posts: 'delete_posts',
      delete_others_posts: 'delete_others_posts',
      create_posts: 'publish_posts',
    },
  },
};

export const navigation: EntryKind = {
  ...post,
  name: 'wp_navigation',
  base: 'navigation',
  features: new Set(['revisions']),
  taxonomies: [],
  mayBeEmpty: true,
  discussion: 'closed',
  rights: everythingBy('edit_theme_options', { read: null }),
  type: {
    name: 'Navigation menus',
    singular: 'Navigation menu',
    icon: null,
    supports: new Set(['title', 'editor', 'revisions', 'autosave']),
    viewable: false,
    inMenus: false,
    noun: 'post',
    rightNames: rightsNamed('edit_theme_options'),
  },
};

/** Menu items. Their texts are the title, the description (content) and the tooltip (excerpt). */
export const menuItem: EntryKind = {
  ...navigation,
  name: 'nav_menu_item',
  base: 'menu-items',
  features: new Set(['order']),
  taxonomies: ['nav_menu'],
  part: menuItemPart,
  rights: everythingBy('edit_theme_options', { read: 'edit_posts' }),
  type: {
    ...navigation.type,
    name: 'Menu items',
    singular: 'Menu item',
    supports: new Set(['title', 'editor', 'autosave']),
    hasUi: false,
  },
};

/** All kinds, in listing order. */
export const entryKinds: readonly EntryKind[] = [post, page, product, pattern, navigation, menuItem];

const kinds = new Map(entryKinds.map((kind) => [kind.name, kind]));

/** Kinds whose entries are trashed when their author's account is deleted, unless an heir is named. */
export const personalKinds: ReadonlySet<string> = new Set(
  entryKinds.filter(({ features }) => features.has('author')).map(({ name }) => name),
);

/** Kinds whose entries pass to their grandparent when their parent is deleted. */
export const hierarchicalKinds: ReadonlySet<string> = new Set(
  entryKinds.filter(({ hierarchical }) => hierarchical).map(({ name }) => name),
);

/** The kind with a name. Throws if it is unknown, since such a name can only come from the log. */
export function kindOf(name: string): EntryKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`unknown entry kind ${name}`);
  return kind;
}

/** The part of an entry; null if its kind has another part or none, or if none was recorded. */
export function partOf<P extends Part>(part: EntryPart<P>, entry: Parted): P | null {
  return kindOf(entry.kind).part === part ? (entry.part as P | null) : null;
}

interface Parted {
  readonly kind: string;
  readonly part: Part | null;
}

function everythingBy(right: Right, { read }: Pick<KindRights, 'read'>): KindRights {
  return {
    read,
    create: right,
    edit: right,
    publish: right,
    editPublished: right,
    editOthers: right,
    editPrivate: right,
    readPrivate: right,
  };
}

export function rightsNamed(right: Right): Readonly<Record<string, string>> {
  const acts = ['edit', 'delete'].flatMap((act) => ['', '_others', '_published', '_private'].map((of) => act + of));
  return Object.fromEntries([...acts, 'publish', 'create', 'read_private'].map((act) => [`${act}_posts`, right]));
}

function offers(...more: readonly TypeSupport[]): ReadonlySet<TypeSupport> {
  const all = ['title', 'editor', 'notes', 'author', 'thumbnail', 'custom-fields', 'comments', 'revisions', 'autosave'];
  return new Set([...(all as TypeSupport[]), ...more]);
}
