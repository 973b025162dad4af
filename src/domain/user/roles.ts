import { type Refusal, refuse } from '#domain/kernel/refusal.ts';

/** Roles that write, weakest first (interface behaviour, section 14). Each includes the rights of those before it. */
const writing = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
/** An auditor reads what administrators read, without secrets, and changes nothing. */
export const roles = [...writing, 'auditor'] as const;
export type Role = (typeof roles)[number];
type WritingRole = (typeof writing)[number];

/** The capabilities listed in user records, in order, each with the weakest role that has it. */
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
} as const satisfies Record<string, WritingRole>;

const unlisted = {
  assign_terms: 'contributor',
  create_tags: 'contributor',
  oembed_proxy: 'contributor',
} as const satisfies Record<string, WritingRole>;

/** General rights of roles; rights on a single entry are decided in `entry/rights`. */
const rights = { ...capabilities, ...unlisted };
export type Right = keyof typeof rights;

/** Who is asking: a user, or an anonymous request (id 0). */
export interface Viewer {
  readonly id: number;
  /** The strongest of the user's roles, which includes the rights of the others. Null: anonymous, or no role. */
  readonly role: Role | null;
  /** Id of the application password used to log in; `accountKey` for the password of the account. */
  readonly password?: string;
  /** Set for requests with a token, which grants less than the role. */
  readonly token?: TokenBounds;
  /** Set while a write is judged: tokens and auditors have fewer rights there than where they read. */
  readonly acts?: true;
}

export interface TokenBounds {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly publishes: boolean;
  /** The release in which what is written waits, and which is shown; absent: writes are carried out at once. */
  readonly release?: number;
}

/** Rights that a token grants. */
const passed: ReadonlySet<Right> = new Set<Right>([
  ...(['read', 'edit_posts', 'edit_pages', 'edit_others_posts', 'edit_others_pages'] as const),
  ...(['read_private_posts', 'read_private_pages', 'assign_terms', 'create_tags'] as const),
]);
/** Further rights, which writes get only if the token may publish. */
const publishing: ReadonlySet<Right> = new Set<Right>([
  ...(['publish_posts', 'publish_pages', 'edit_published_posts', 'edit_published_pages'] as const),
  ...(['edit_private_posts', 'edit_private_pages'] as const),
]);

/** Rights that only let somebody read. */
const reading: ReadonlySet<Right> = new Set<Right>(['read', 'read_private_posts', 'read_private_pages', 'list_users']);
const READS_ONLY = refuse('rest_read_only', 'This account may read, and change nothing.');

export const anonymous: Viewer = { id: 0, role: null };

export function may({ role, token, acts }: Pick<Viewer, 'role' | 'token' | 'acts'>, right: Right): boolean {
  if (role === null || !includes(role, right, acts)) return false;
  return token === undefined || isWithin(token, right, acts);
}

/** The viewer for judging a write: a token grants less for writes than for reads, and an auditor writes nothing. */
export function asWriter(viewer: Viewer): Viewer {
  return viewer.token === undefined && !isAuditor(viewer) ? viewer : { ...viewer, acts: true };
}

export function isAuditor({ role }: Pick<Viewer, 'role'>): boolean {
  return role === 'auditor';
}

/** The refusal of everything that might change something, for those who only read; null for all others. */
export function refusalToWrite(viewer: Pick<Viewer, 'role'>): Refusal | null {
  return isAuditor(viewer) ? READS_ONLY : null;
}

/** Whether a token limits what the viewer writes to drafts. */
export function isForDrafts({ token, acts }: Pick<Viewer, 'token' | 'acts'>): boolean {
  return token !== undefined && acts === true && !token.publishes;
}

/** The role that includes the rights of all others; null if there is none. An auditor has no other role. */
export function strongest(assigned: readonly Role[]): Role | null {
  return assigned.reduce<Role | null>((max, role) => (max === null || rank(role) > rank(max) ? role : max), null);
}

export function viewerOf({ id, roles: assigned }: { readonly id: number; readonly roles: readonly Role[] }): Viewer {
  return { id, role: strongest(assigned) };
}

export function isRole(word: string): word is Role {
  return roles.some((role) => role === word);
}

export function capabilitiesOf(assigned: readonly Role[]): readonly string[] {
  const role = strongest(assigned);
  return [
    ...(Object.keys(capabilities) as (keyof typeof capabilities)[]).filter((name) => may({ role, acts: true }, name)),
    ...assigned,
  ];
}

function includes(role: Role, right: Right, acts: true | undefined): boolean {
  if (role === 'auditor') return acts !== true || reading.has(right);
  return rank(role) >= rank(rights[right]);
}

function isWithin({ publishes }: TokenBounds, right: Right, acts: true | undefined): boolean {
  return passed.has(right) || (publishing.has(right) && (publishes || acts !== true));
}

function rank(role: Role): number {
  return roles.indexOf(role);
}
