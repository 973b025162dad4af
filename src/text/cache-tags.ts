/** Tags of answers for caches that forget by tags. They are named after the cache keys that an answer depends on. */

/** More tags than this make a header that some networks refuse. */
const most = 100;

export function tagsOf(keys: readonly string[]): readonly string[] {
  const tags = [...new Set(keys.map((key) => (key === '*' ? 'all' : key.replace(':', '-'))))];
  // What changes any entry changes these keys as well.
  return tags.length <= most ? tags : [...tags.filter((tag) => !tag.startsWith('entry-')), 'entries', 'media'];
}

/** The text of a header with tags. Most networks separate them by blanks, the one that named `Cache-Tag` by commas. */
export function tagText(header: string, tags: readonly string[]): string {
  return tags.join(header.toLowerCase() === 'cache-tag' ? ',' : ' ');
}

interface ToldChange {
  readonly resource: string;
  readonly id: number;
  readonly what: string;
}

const SHARED: Readonly<Record<string, string>> = { site: 'site', users: 'users', comments: 'comments', media: 'media' };
const DESIGN = ['templates', 'template-parts', 'global-styles'];

/** The tags of answers that may have changed with some changes. `terms`: the collections of terms. */
export function tagsOfChanges(changes: readonly ToldChange[], terms: ReadonlySet<string>): readonly string[] {
  return [...new Set(['all', ...changes.flatMap((change) => tagsOfChange(change, terms))])];
}

function tagsOfChange({ resource, id, what }: ToldChange, terms: ReadonlySet<string>): readonly string[] {
  // Their posts have another author, or are in the trash: every answer depends on the site.
  if (resource === 'users' && what === 'deleted') return ['users', 'entries', 'media', 'comments', 'site'];
  if (resource === 'media') return ['media', `entry-${id}`];
  if (DESIGN.includes(resource)) return ['plugins'];
  if (terms.has(resource)) return ['terms'];
  return SHARED[resource] === undefined ? ['entries', `entry-${id}`] : [SHARED[resource]];
}
