import type { Taxonomy } from '#domain/term/events.ts';
import type { Right } from '#domain/user/roles.ts';
import type { ContentType, Support } from './content-type.ts';
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

/** Everything that an entry can be is one thing with a parameter. What differs between kinds stands here and nowhere else. */
export interface EntryKind {
  readonly name: string;
  readonly base: string;
  readonly features: ReadonlySet<Feature>;
  readonly taxonomies: readonly Taxonomy[];
  readonly part: EntryPart | null;
  /** Has a parent and an order among its siblings; slugs need to be unique below the same parent only. */
  readonly hierarchical: boolean;
  /** May be stored without title, content and excerpt. */
  readonly mayBeEmpty: boolean;
  readonly themed: boolean;
  readonly discussion: 'open' | 'closed';
  /** Query parameter of the plain link, `?p=12`. */
  readonly plainLink: string;
  /** What permalinks of the kind have before the slug: nothing, or a path with a slash behind it. */
  readonly root: string;
  readonly rights: KindRights;
  readonly type: ContentType;
}

/** Which right each act needs (interface behaviour, section 14). */
export interface KindRights {
  /** To read what is published; null: everybody may. */
  readonly read: Right | null;
  readonly create: Right;
  /** To change one's own as long as it is not published, and to list what one may change. */
  readonly edit: Right;
  readonly publish: Right;
  readonly editPublished: Right;
  readonly editOthers: Right;
  /** Of others. Null: nobody may. */
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

/** Only while the shop is switched on. */
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

/** Synced patterns: parts of posts that are written once and used in many places. */
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
      ...{ edit_posts: 'edit_posts', edit_others_posts: 'edit_others_posts', read: 'edit_posts' },
      ...{ edit_published_posts: 'edit_published_posts', delete_published_posts: 'delete_published_posts' },
      ...{ delete_posts: 'delete_posts', delete_others_posts: 'delete_others_posts', create_posts: 'publish_posts' },
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

/** Items of menus. Their texts are the title, the description as content, and the tip as excerpt. */
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

/** All of them, in the order in which they are listed. */
export const entryKinds: readonly EntryKind[] = [post, page, product, pattern, navigation, menuItem];

const kinds = new Map(entryKinds.map((kind) => [kind.name, kind]));

/** Kinds of which a user's entries go to the trash with the account, unless somebody inherits them. */
export const personalKinds: ReadonlySet<string> = new Set(
  entryKinds.filter(({ features }) => features.has('author')).map(({ name }) => name),
);

/** Kinds whose entries pass to the parent of the one above them when that is deleted. */
export const hierarchicalKinds: ReadonlySet<string> = new Set(
  entryKinds.filter(({ hierarchical }) => hierarchical).map(({ name }) => name),
);

/** The kind of that name; throws when there is none, as only the log can name it. */
export function kindOf(name: string): EntryKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`unknown entry kind ${name}`);
  return kind;
}

/** A part of an entry; null where its kind has none like that, or nothing was said of it. */
export function partOf<P extends Part>(part: EntryPart<P>, entry: Parted): P | null {
  return kindOf(entry.kind).part === part ? (entry.part as P | null) : null;
}

interface Parted {
  readonly kind: string;
  readonly part: Part | null;
}

function everythingBy(right: Right, { read }: Pick<KindRights, 'read'>): KindRights {
  return {
    ...{ read, create: right, edit: right, publish: right, editPublished: right },
    ...{ editOthers: right, editPrivate: right, readPrivate: right },
  };
}

export function rightsNamed(right: Right): Readonly<Record<string, string>> {
  const acts = ['edit', 'delete'].flatMap((act) => ['', '_others', '_published', '_private'].map((of) => act + of));
  return Object.fromEntries([...acts, 'publish', 'create', 'read_private'].map((act) => [`${act}_posts`, right]));
}

function offers(...more: readonly Support[]): ReadonlySet<Support> {
  const all = ['title', 'editor', 'notes', 'author', 'thumbnail', 'custom-fields', 'comments', 'revisions', 'autosave'];
  return new Set([...(all as Support[]), ...more]);
}
