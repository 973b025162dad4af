import type { Right } from '#domain/user/roles.ts';
import type { ContentType, Support } from './content-type.ts';

/** Posts, pages and products are one thing with a parameter. What differs between them stands here and nowhere else. */
export interface EntryKind {
  readonly name: string;
  /** Last segment of the collection's route. */
  readonly base: string;
  /** Has categories and tags. */
  readonly classified: boolean;
  /** Has a format and can be sticky. */
  readonly styled: boolean;
  /** Has a price and a stock. */
  readonly sold: boolean;
  /** Has a parent and an order among its siblings; slugs need to be unique below the same parent only. */
  readonly hierarchical: boolean;
  /** May be stored without title, content and excerpt. */
  readonly mayBeEmpty: boolean;
  /** Can be shown by one of the theme's templates. */
  readonly themed: boolean;
  readonly discussion: 'open' | 'closed';
  /** Query parameter of the plain link, `?p=12`. */
  readonly plainLink: string;
  /** What permalinks of the kind have before the slug: nothing, or a path with a slash behind it. */
  readonly root: string;
  readonly rights: KindRights;
  /** How it is described to editors. */
  readonly type: ContentType;
}

/** Which right each act needs (interface behaviour, section 14). */
export interface KindRights {
  readonly create: Right;
  readonly publish: Right;
  readonly editPublished: Right;
  readonly editOthers: Right;
  readonly readPrivate: Right;
}

export const post: EntryKind = {
  name: 'post',
  base: 'posts',
  classified: true,
  styled: true,
  sold: false,
  hierarchical: false,
  mayBeEmpty: false,
  themed: false,
  discussion: 'open',
  plainLink: 'p',
  root: '',
  rights: {
    create: 'edit_posts',
    publish: 'publish_posts',
    editPublished: 'edit_published_posts',
    editOthers: 'edit_others_posts',
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
  classified: false,
  styled: false,
  sold: false,
  hierarchical: true,
  mayBeEmpty: true,
  themed: true,
  discussion: 'closed',
  plainLink: 'page_id',
  root: '',
  rights: {
    create: 'edit_pages',
    publish: 'publish_pages',
    editPublished: 'edit_pages',
    editOthers: 'edit_others_pages',
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
  styled: false,
  sold: true,
  discussion: 'closed',
  root: 'product/',
  type: { ...post.type, name: 'Products', singular: 'Product', icon: 'dashicons-archive', supports: offers('excerpt') },
};

/** All of them, in the order in which they are listed. */
export const entryKinds: readonly EntryKind[] = [post, page, product];

const kinds = new Map(entryKinds.map((kind) => [kind.name, kind]));

/** The kind of that name; throws when there is none, as only the log can name it. */
export function kindOf(name: string): EntryKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`unknown entry kind ${name}`);
  return kind;
}

/** What editors offer for all entries with pages of their own, and for these. */
function offers(...more: readonly Support[]): ReadonlySet<Support> {
  const all = ['title', 'editor', 'notes', 'author', 'thumbnail', 'custom-fields', 'comments', 'revisions', 'autosave'];
  return new Set([...(all as Support[]), ...more]);
}
