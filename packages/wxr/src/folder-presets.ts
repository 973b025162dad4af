import { isZone } from './folder-dates.ts';
import { FrontMatterFault, parseSettings } from './folder-front-matter.ts';
import type { FolderField, FolderMapping } from './folder-mapping.ts';
import { type FolderTree, readText } from './folder-tree.ts';
import { type SiteRecord, unknownSite } from './records.ts';

/** How a folder is understood: as its generator does, changed by a mapping. */
export interface FolderPreset extends Required<FolderMapping> {
  readonly fields: Readonly<Record<FolderField, readonly string[]>>;
  /** '': no generator that is known. */
  readonly generator: string;
  readonly title: string;
  readonly description: string;
  readonly language: string;
  readonly timezone: string;
}

const usualFields: FolderPreset['fields'] = {
  title: ['title'],
  slug: ['slug'],
  date: ['date', 'pubDate', 'publishDate', 'published_at', 'created', 'created_at'],
  modified: ['lastmod', 'updatedDate', 'updated', 'last_modified_at', 'modified', 'updated_at'],
  appears: ['publishDate'],
  expires: ['expiryDate'],
  draft: ['draft'],
  published: ['published'],
  status: ['status'],
  excerpt: ['excerpt', 'description', 'summary'],
  tags: ['tags', 'tag'],
  categories: ['categories', 'category'],
  authors: ['authors', 'author'],
  featured: ['featured_image', 'featuredImage', 'heroImage', 'feature_image', 'image', 'cover', 'thumbnail'],
  order: ['weight', 'menu_order', 'order'],
  link: ['url', 'permalink'],
  aliases: ['aliases', 'redirect_from'],
  password: ['password'],
  sticky: ['sticky', 'pinned'],
  type: ['post_type'],
  template: ['template'],
  comments: ['comments'],
};

const postFolders = ['posts', 'post', 'blog', 'articles', 'news'];
const asPosts = (above: string) => Object.fromEntries(postFolders.map((name) => [`${above}${name}`, 'post']));
const usual: FolderPreset = {
  ...{ generator: '', title: '', description: '', language: '', timezone: '', baseUrl: '', texts: '' },
  fields: usualFields,
  types: { '': 'page', ...asPosts(''), _posts: 'post' },
  leaveOut: ['README.*', 'LICENSE.*', 'CHANGELOG.*', 'CONTRIBUTING.*', '**/_site/**', 'dist/**', 'layouts/**'],
  files: ['static', 'public', 'assets', ''],
  permalinks: {},
};

/** Finds out what wrote a folder, by the files that it has. */
export async function findPreset(tree: FolderTree, mapping: FolderMapping): Promise<FolderPreset> {
  const found = await presetOf(tree);
  const address = (mapping.baseUrl || found.baseUrl).replace(/(?<!\/)\/+$/, '');
  return {
    ...found,
    ...mapping,
    baseUrl: /^https?:$/.test(URL.parse(address)?.protocol ?? '') ? address : unknownSite,
    timezone: isZone(found.timezone) ? found.timezone : '',
    fields: { ...found.fields, ...mapping.fields },
    types: { ...found.types, ...mapping.types },
    leaveOut: [...found.leaveOut, ...(mapping.leaveOut ?? [])],
    permalinks: { ...found.permalinks, ...mapping.permalinks },
  };
}

/** The site of a folder, as the settings of its generator describe it. */
export function folderSite({ baseUrl, generator, title, description, language, timezone }: FolderPreset): SiteRecord {
  const about = { generator, title, description, language, timezone };
  return { kind: 'site', ...about, url: baseUrl, baseUrl, settings: {} };
}

async function presetOf(tree: FolderTree): Promise<FolderPreset> {
  const first = (names: readonly string[]) => names.find((name) => tree.has(name));
  const hugo = first([
    'hugo.toml',
    'hugo.yaml',
    'hugo.json',
    'config.toml',
    'config.yaml',
    'config.json',
    'config/_default/hugo.toml',
  ]);
  if (hugo !== undefined && tree.paths.some((path) => path.startsWith('content/')))
    return hugoPreset(await settings(tree, hugo));
  if (tree.has('_config.yml')) return jekyllPreset(await settings(tree, '_config.yml'));
  if (
    tree.paths.some((path) => /^astro\.config\.\w+$/.test(path)) ||
    tree.paths.some((path) => path.startsWith('src/content/'))
  ) {
    return {
      ...usual,
      generator: 'Astro',
      texts: tree.paths.some((path) => path.startsWith('src/content/')) ? 'src/content' : 'src/pages',
      types: { '': 'page', ...asPosts('src/content/'), ...asPosts('src/pages/') },
      files: ['public', 'src', ''],
    };
  }
  return usual;
}

function hugoPreset(config: Readonly<Record<string, unknown>>): FolderPreset {
  const patterns = config['permalinks'] ?? {};
  const all = Object.values(patterns).flatMap((one) =>
    typeof one === 'object' && one !== null ? Object.values(one) : one,
  );
  const pattern = all.find((one) => typeof one === 'string');
  return {
    ...{ ...usual, ...described(config), generator: 'Hugo', texts: 'content' },
    baseUrl: textAt(config, 'baseURL') || textAt(config, 'baseurl'),
    language: textAt(config, 'languageCode') || textAt(config, 'locale'),
    timezone: textAt(config, 'timeZone'),
    types: { '': 'page', ...asPosts('content/') },
    leaveOut: ['public/**', 'resources/**', 'themes/**', 'layouts/**', 'archetypes/**'],
    files: ['static', 'assets'],
    permalinks: pattern === undefined ? {} : { post: pattern },
  };
}

function jekyllPreset(config: Readonly<Record<string, unknown>>): FolderPreset {
  const styles: Readonly<Record<string, string>> = {
    date: '/:categories/:year/:month/:day/:title.html',
    pretty: '/:categories/:year/:month/:day/:title/',
    ordinal: '/:categories/:year/:y_day/:title.html',
    none: '/:categories/:title.html',
  };
  const given = textAt(config, 'permalink') || 'date';
  const ofPosts = styles[given] ?? given;
  return {
    ...{ ...usual, ...described(config), generator: 'Jekyll' },
    baseUrl: `${textAt(config, 'url')}${textAt(config, 'baseurl')}`,
    language: textAt(config, 'lang'),
    timezone: textAt(config, 'timezone'),
    types: { '': 'page', _posts: 'post', _drafts: 'post' },
    leaveOut: [...usual.leaveOut, '_includes/**', '_layouts/**', '_sass/**', '_data/**', 'vendor/**'],
    files: [''],
    permalinks: { post: ofPosts, page: ofPosts.endsWith('/') ? '/:path/' : '/:path.html' },
  };
}

function described(config: Readonly<Record<string, unknown>>) {
  const params = (config['params'] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    title: textAt(config, 'title'),
    description: textAt(config, 'description') || textAt(config, 'tagline') || textAt(params, 'description'),
  };
}

/** The settings of a generator; what cannot be read has none. */
async function settings(tree: FolderTree, path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readText(tree, path);
  try {
    const found = typeof text === 'string' ? parseSettings(text, path) : null;
    return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
  } catch (error) {
    if (error instanceof FrontMatterFault) return {};
    throw error;
  }
}

function textAt(of: Readonly<Record<string, unknown>>, name: string): string {
  const found = of[name];
  return typeof found === 'string' ? found : '';
}
