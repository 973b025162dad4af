import { readFolderDate } from './folder-dates.ts';
import { emptyAuthor, emptyItem } from './folder-defaults.ts';
import { mapAddresses } from './folder-markdown.ts';
import { type FolderTree, folderNotice, readText, stableNumbers } from './folder-tree.ts';
import type { ItemRecord, SourcePart } from './records.ts';

type GhostRow = Readonly<Record<string, unknown>>;

/** An export of Ghost: its tables. */
export interface GhostExport {
  readonly path: string;
  readonly version: string;
  readonly table: (name: string) => readonly GhostRow[];
}

/** Stands in texts for the address of the site. */
const ownAddress = '__GHOST_URL__';

/** The export of Ghost at the top of a folder; null: there is none. */
export async function findGhostExport(tree: FolderTree): Promise<GhostExport | null> {
  for (const path of tree.paths.filter((one) => /^[^/]+\.json$/.test(one))) {
    const text = await readText(tree, path);
    const found = typeof text === 'string' && text.includes('"db"') ? exportIn(text) : null;
    if (found) return { path, ...found };
  }
  return null;
}

function exportIn(text: string): Omit<GhostExport, 'path'> | null {
  try {
    const [first] = JSON.parse(text).db;
    if (!Array.isArray(first.data.posts)) return null;
    const table = (name: string) => (Array.isArray(first.data[name]) ? first.data[name] : []);
    return { version: String(first.meta?.version ?? ''), table };
  } catch {
    return null;
  }
}

/** How addresses in texts become files of the folder. */
export interface GhostLinks {
  readonly mapped: (address: string) => string;
  /** Id of a file; 0: it is none of the folder. */
  readonly fileId: (address: string) => number;
}

/** All records of an export but the files that its texts show. */
export function* ghostParts(
  { path, version, table }: GhostExport,
  links: GhostLinks,
  baseUrl: string,
): Generator<SourcePart> {
  const place = { file: path, line: 0 };
  const setting = (name: string) => textOf(table('settings').find(({ key }) => key === name)?.['value']);
  yield {
    record: {
      ...{
        kind: 'site',
        generator: `Ghost ${version}`.trim(),
        title: setting('title'),
        description: setting('description'),
      },
      ...{ language: setting('locale'), url: baseUrl, baseUrl, timezone: setting('timezone'), settings: {} },
    },
    place,
  };
  for (const user of table('users')) {
    const said = {
      login: textOf(user['slug']),
      slug: textOf(user['slug']),
      email: textOf(user['email']),
      url: textOf(user['website']),
    };
    yield {
      record: { ...emptyAuthor, ...said, displayName: textOf(user['name']), description: textOf(user['bio']) },
      place,
    };
  }
  for (const tag of table('tags')) {
    const said = { slug: textOf(tag['slug']), name: textOf(tag['name']), description: textOf(tag['description']) };
    yield { record: { kind: 'term', id: 0, taxonomy: 'post_tag', ...said, parent: null, meta: [] }, place };
  }
  const posts = table('posts').toSorted((one, other) => (textOf(one['id']) < textOf(other['id']) ? -1 : 1));
  const idOf = stableNumbers(posts.map(({ id }) => textOf(id)));
  const tags = related(table('posts_tags'), 'tag_id', table('tags'));
  const authors = related(table('posts_authors'), 'author_id', table('users'));
  for (const post of posts) {
    const key = textOf(post['id']);
    const found = ghostItem(post, idOf(key), tags.get(key) ?? [], authors.get(key)?.[0], links);
    const item = { ...found, link: `${baseUrl}${found.link}` };
    if (typeof post['html'] === 'string' || isEmptyText(post)) yield { record: item, place };
    else
      yield {
        notice: folderNotice(path, 'no_html', `has no HTML of "${item.slug}": export it again from a newer version.`),
      };
  }
}

/** Rows that belong to each post, in their order. */
function related(
  pairs: readonly GhostRow[],
  column: string,
  of: readonly GhostRow[],
): ReadonlyMap<string, readonly GhostRow[]> {
  const rows = new Map(of.map((row) => [row['id'], row]));
  const sorted = pairs.toSorted((one, other) => Number(one['sort_order'] ?? 0) - Number(other['sort_order'] ?? 0));
  const byPost = Map.groupBy(sorted, ({ post_id }) => textOf(post_id));
  const rowsOf = (found: readonly GhostRow[]) =>
    found.flatMap((one): GhostRow[] => [rows.get(one[column]) ?? []].flat());
  return new Map([...byPost].map(([post, found]) => [post, rowsOf(found)]));
}

function isEmptyText({ lexical, mobiledoc }: GhostRow): boolean {
  return (lexical ?? null) === null && (mobiledoc ?? null) === null;
}

function ghostItem(
  post: GhostRow,
  id: number,
  tags: readonly GhostRow[],
  author: GhostRow | undefined,
  links: GhostLinks,
): ItemRecord {
  const isPage = post['type'] === 'page' || post['page'] === 1;
  const statuses: Readonly<Record<string, string>> = { published: 'publish', sent: 'publish', scheduled: 'future' };
  const status = statuses[textOf(post['status'])] ?? 'draft';
  const hidden = textOf(post['visibility']) !== 'public' && textOf(post['visibility']) !== '';
  const date = readFolderDate(post['published_at']) ?? readFolderDate(post['created_at']);
  const modified = readFolderDate(post['updated_at']);
  const own = (address: string) => links.mapped(ownPath(address));
  const featured = links.fileId(ownPath(textOf(post['feature_image'])));
  const others = ['visibility', 'feature_image', 'canonical_url', 'codeinjection_head', 'codeinjection_foot'];
  const kept = others.filter(
    (name) =>
      textOf(post[name]) !== '' && (name !== 'visibility' || hidden) && (name !== 'feature_image' || featured === 0),
  );
  return {
    ...emptyItem,
    ...{ id, type: isPage ? 'page' : 'post', status, slug: textOf(post['slug']), title: textOf(post['title']) },
    content: mapAddresses(textOf(post['html']), own),
    ...{ excerpt: textOf(post['custom_excerpt']), link: `/${textOf(post['slug'])}/`, featured },
    author: author === undefined ? {} : { name: textOf(author['slug']) },
    ...{ date: date?.date ?? null, dateGmt: date?.dateGmt ?? null },
    ...{ modified: modified?.date ?? null, modifiedGmt: modified?.dateGmt ?? null },
    sticky: !isPage && (post['featured'] === 1 || post['featured'] === true),
    terms: tags.map((tag) => ({ taxonomy: 'post_tag', name: textOf(tag['slug']), label: textOf(tag['name']) })),
    meta: kept.map((name) => ({ key: `frontmatter:${name}`, value: JSON.stringify(post[name]) })),
  };
}

/** An address of the site itself as a path, to the picture itself where one of its sizes is shown. */
function ownPath(address: string): string {
  const path = address.startsWith(ownAddress) ? address.slice(ownAddress.length) : address;
  return path.replace(/^\/content\/images\/size\/w\d+\//, '/content/images/');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
