/** The five roles, weakest first (interface behaviour, section 14). */
export const roles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** What a role may do in general; what it may do with one entry follows in `entry/rights`. */
export const rights = {
  read: 'subscriber',
  edit_posts: 'contributor',
  delete_posts: 'contributor',
  assign_terms: 'contributor',
  create_tags: 'contributor',
  oembed_proxy: 'contributor',
  publish_posts: 'author',
  edit_published_posts: 'author',
  upload_files: 'author',
  edit_others_posts: 'editor',
  read_private_posts: 'editor',
  edit_pages: 'editor',
  publish_pages: 'editor',
  edit_others_pages: 'editor',
  read_private_pages: 'editor',
  manage_categories: 'editor',
  unfiltered_html: 'editor',
  list_users: 'administrator',
  edit_users: 'administrator',
  manage_options: 'administrator',
} as const satisfies Record<string, Role>;
export type Right = keyof typeof rights;

/** Who is asking: a user with a role, or nobody (id 0, role null). */
export interface Viewer {
  readonly id: number;
  readonly role: Role | null;
  /** Id of the application password that they logged in with. */
  readonly password?: string;
}

export const anonymous: Viewer = { id: 0, role: null };

/** Whether the viewer's role has a right. */
export function may(viewer: Viewer, right: Right): boolean {
  return viewer.role !== null && roles.indexOf(viewer.role) >= roles.indexOf(rights[right]);
}
