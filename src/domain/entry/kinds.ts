import type { Right } from '#domain/user/roles.ts';

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
