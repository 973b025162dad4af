/** The five roles, weakest first (interface behaviour, section 14). Each has all that the one before it has. */
export const roles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** The capabilities that records of users list, in their order, and the weakest role that has each. */
export const capabilities = {
  switch_themes: 'administrator',
  edit_themes: 'administrator',
  activate_plugins: 'administrator',
  edit_plugins: 'administrator',
  edit_users: 'administrator',
  edit_files: 'administrator',
  manage_options: 'administrator',
  moderate_comments: 'editor',
  manage_categories: 'editor',
  manage_links: 'editor',
  upload_files: 'author',
  import: 'administrator',
  unfiltered_html: 'editor',
  edit_posts: 'contributor',
  edit_others_posts: 'editor',
  edit_published_posts: 'author',
  publish_posts: 'author',
  edit_pages: 'editor',
  read: 'subscriber',
  level_10: 'administrator',
  level_9: 'administrator',
  level_8: 'administrator',
  level_7: 'editor',
  level_6: 'editor',
  level_5: 'editor',
  level_4: 'editor',
  level_3: 'editor',
  level_2: 'author',
  level_1: 'contributor',
  level_0: 'subscriber',
  edit_others_pages: 'editor',
  edit_published_pages: 'editor',
  publish_pages: 'editor',
  delete_pages: 'editor',
  delete_others_pages: 'editor',
  delete_published_pages: 'editor',
  delete_posts: 'contributor',
  delete_others_posts: 'editor',
  delete_published_posts: 'author',
  delete_private_posts: 'editor',
  edit_private_posts: 'editor',
  read_private_posts: 'editor',
  delete_private_pages: 'editor',
  edit_private_pages: 'editor',
  read_private_pages: 'editor',
  delete_users: 'administrator',
  create_users: 'administrator',
  unfiltered_upload: 'administrator',
  edit_dashboard: 'administrator',
  update_plugins: 'administrator',
  delete_plugins: 'administrator',
  install_plugins: 'administrator',
  update_themes: 'administrator',
  install_themes: 'administrator',
  update_core: 'administrator',
  list_users: 'administrator',
  remove_users: 'administrator',
  promote_users: 'administrator',
  edit_theme_options: 'administrator',
  delete_themes: 'administrator',
  export: 'administrator',
} as const satisfies Record<string, Role>;

const unlisted = {
  assign_terms: 'contributor',
  create_tags: 'contributor',
  oembed_proxy: 'contributor',
} as const satisfies Record<string, Role>;

/** What a role may do in general; what it may do with one entry follows in `entry/rights`. */
const rights = { ...capabilities, ...unlisted };
export type Right = keyof typeof rights;

/** Who is asking: a user, or nobody (id 0). */
export interface Viewer {
  readonly id: number;
  /** The strongest of their roles: it has all that the others have. Null for nobody, and for a user without a role. */
  readonly role: Role | null;
  /** Id of the application password that they logged in with; of that of the account, `accountKey` of it. */
  readonly password?: string;
  /** Set where they came with a token, which opens less than their role does. */
  readonly token?: TokenBounds;
}

export interface TokenBounds {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly publishes: boolean;
  readonly acts?: true;
}

/** Rights that a token passes on. */
const passed: ReadonlySet<Right> = new Set<Right>([
  ...(['read', 'edit_posts', 'edit_pages', 'edit_others_posts', 'edit_others_pages'] as const),
  ...(['read_private_posts', 'read_private_pages', 'assign_terms', 'create_tags'] as const),
]);
/** Further ones, which a write has only where the token may publish. */
const publishing: ReadonlySet<Right> = new Set<Right>([
  ...(['publish_posts', 'publish_pages', 'edit_published_posts', 'edit_published_pages'] as const),
  ...(['edit_private_posts', 'edit_private_pages'] as const),
]);

export const anonymous: Viewer = { id: 0, role: null };

export function may({ role, token }: Pick<Viewer, 'role' | 'token'>, right: Right): boolean {
  if (role === null || rank(role) < rank(rights[right])) return false;
  return token === undefined || isWithin(token, right);
}

/** The same viewer as their writes are judged: a token opens less for these than for reads. */
export function asWriter(viewer: Viewer): Viewer {
  const { token } = viewer;
  return token === undefined ? viewer : { ...viewer, token: { ...token, acts: true } };
}

/** The role that has all that some roles have; null for none. */
export function strongest(held: readonly Role[]): Role | null {
  return held.reduce<Role | null>((most, role) => (most === null || rank(role) > rank(most) ? role : most), null);
}

export function viewerOf({ id, roles: held }: { readonly id: number; readonly roles: readonly Role[] }): Viewer {
  return { id, role: strongest(held) };
}

export function isRole(word: string): word is Role {
  return roles.some((role) => role === word);
}

export function capabilitiesOf(held: readonly Role[]): readonly string[] {
  const role = strongest(held);
  return [
    ...(Object.keys(capabilities) as (keyof typeof capabilities)[]).filter((name) => may({ role }, name)),
    ...held,
  ];
}

function isWithin({ publishes, acts }: TokenBounds, right: Right): boolean {
  return passed.has(right) || (publishing.has(right) && (publishes || acts !== true));
}

function rank(role: Role): number {
  return roles.indexOf(role);
}
