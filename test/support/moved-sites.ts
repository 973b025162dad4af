import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import { controlPath, listenControl } from '#ops/control.ts';
import { eraseControls } from '#ops/erase-orders.ts';
import { migrationControls } from '#ops/migrate/controls.ts';
import { performOn } from '#ops/perform.ts';
import { undoControls } from '#ops/undo.ts';
import { verbs } from '#ops/verbs.ts';
import { freePort } from './free-port.ts';
import { type As, type Site, startSite } from './site.ts';
import { temporaryDirectory } from './temporary.ts';
import { pngOf } from './uploads.ts';
import { typeVerb } from './verbs.ts';

/** A site that is reached at the address that it believes to have, as a live source has to be. */
export interface ReachedSite {
  readonly site: Site;
  readonly address: string;
  readonly names: Pick<InterfaceNames, 'root' | 'namespaces'>;
}

const usualNames = { root: 'cms-json', namespaces: {} };

interface Starting {
  /** Port of its address; default: any. */
  readonly port?: number;
  readonly names?: Partial<InterfaceNames>;
  readonly directory?: string;
  readonly users?: ReadonlyMap<As, string>;
}

export async function startReached(starting: Starting = {}): Promise<ReachedSite> {
  const { names = {}, directory, users, port = await freePort() } = starting;
  const address = `http://127.0.0.1:${port}`;
  const env = {
    SITE_URL: address,
    MENU_LOCATIONS: 'header=The head',
    ...(Object.keys(names).length > 0 && { INTERFACE_NAMES: JSON.stringify(names) }),
  };
  const site = await startSite({ env, ...(directory && { directory }), ...(users && { users }) });
  const proxy = createServer((one) => {
    const other = connect(site.port, '127.0.0.1');
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((done) => void proxy.listen(port, '127.0.0.1', done));
  onTestFinished(async () => {
    proxy.close();
    await site.close();
  });
  return { site, address, names: { ...usualNames, ...names } };
}

/** Lets verbs reach a site that runs in this process, as they reach a server. */
export async function listenFor(site: Site): Promise<void> {
  const faults: unknown[] = [];
  const perform = performOn(
    site.node.store,
    [...verbs, ...migrationControls, ...undoControls, ...eraseControls],
    (error) => faults.push(error),
  );
  const control = await listenControl(controlPath(site.directory), perform);
  onTestFinished(async () => {
    await control.close();
    if (faults.length > 0) throw faults[0];
  });
}

/** A data directory with an account and nothing else. */
export async function emptyTarget(login = 'administrator') {
  const directory = temporaryDirectory();
  const port = await freePort();
  const env = {
    SITE_URL: `http://127.0.0.1:${port}`,
    MENU_LOCATIONS: 'header=The head',
    SITE_TIMEZONE: 'Europe/Berlin',
  };
  const type = (...args: readonly string[]) => typeVerb(directory, args, env);
  const added = await type('user', 'add', login, '--role', 'administrator', '--json');
  const { password } = JSON.parse(added.out);
  const users = new Map<As, string>([['administrator', `Basic ${btoa(`${login}:${password}`)}`]]);
  return { directory, users, port, type };
}

/** Arguments and settings that name a live site as a source. */
export function liveSource({ site, address }: ReachedSite, as: As = 'administrator') {
  if (as === 'anonymous') return { args: [address], env: {} };
  const [user = '', password = ''] = atob(site.authorization(as).slice('Basic '.length)).split(':');
  process.env['MIGRATE_PASSWORD'] = password;
  return { args: [address, '--user', user], env: { MIGRATE_PASSWORD: password } };
}

/** A collection of a site with all that its fields say to an administrator, as its own interface names it. */
export async function listOf({ site, names }: ReachedSite, path: string, as: As = 'administrator') {
  const below = `/${names.root}/${names.namespaces['cms/v2'] ?? 'cms/v2'}${path}`;
  const all: Record<string, unknown>[] = [];
  for (let page = 1; ; page++) {
    const query = `${below.includes('?') ? '&' : '?'}context=edit&per_page=100&orderby=id&order=asc&page=${page}`;
    const response = await fetch(`http://127.0.0.1:${site.port}${below}${query}`, {
      headers: { authorization: site.authorization(as) },
    });
    const body = (await response.json()) as Record<string, unknown>[] | Record<string, unknown>;
    if (!Array.isArray(body)) {
      if (response.status === 200) return [body];
      throw new Error(`${path}: ${JSON.stringify(body)}`);
    }
    all.push(...body);
    if (body.length < 100) return all;
  }
}

export const png = pngOf(1200, 800);
/** A picture that stands in a text. */
export const inlinePicture = `data:image/png;base64,${pngOf(31, 17).toString('base64')}`;

type Answered = { readonly id: number; readonly source_url: string };

/** Ids of what `fillSite` made, by the names that it gave. */
export type Made = Readonly<Record<string, number>>;

/** Fills a site with every oddity of sites that have been used for long. */
export async function fillSite({ site, address, names }: ReachedSite): Promise<Made> {
  const ids: Record<string, number> = {};
  const below = `/${names.root}/${names.namespaces['cms/v2'] ?? 'cms/v2'}`;
  const call = async (as: As, request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(`http://127.0.0.1:${site.port}${below}${path}`, {
      method,
      headers: { authorization: site.authorization(as), 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answered;
    if (response.status >= 300) throw new Error(`${request}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const make = async (name: string, path: string, body: object, as: As = 'administrator') => {
    ids[name] = (await call(as, `POST ${path}`, body)).id;
    return ids[name] as number;
  };
  const upload = async (name: string, file: string, fields: object, bytes: Uint8Array = png, type = 'image/png') => {
    const headers = {
      'content-type': type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
    };
    ids[name] = (await call('editor', 'POST /media', bytes, headers)).id;
    await call('administrator', `POST /media/${ids[name]}`, fields);
    return ids[name] as number;
  };
  const published = { status: 'publish' };

  await call('administrator', 'POST /users/3', {
    ...{ first_name: 'Ada', last_name: 'Łovelace', description: 'Writes <em>much</em>', url: 'https://ada.example' },
  });
  const above = await make('above', '/categories', { name: 'Above & beyond', description: 'On <b>top</b>' });
  const belowIt = await make('below', '/categories', { name: 'Ünder', slug: 'ünder', parent: above });
  const tag = await make('tag', '/tags', { name: 'インク', description: 'Tinte' });
  // The child comes first.
  const child = await make('child', '/pages', { title: 'Child', content: 'Below its parent', ...published });
  const parent = await make('parent', '/pages', { title: 'Parent', ...published, menu_order: 4, content: 'Above' });
  await call('administrator', `POST /pages/${child}`, { parent });
  const leaf = await upload('leaf', 'leaf.png', {
    alt_text: 'A "leaf"',
    caption: 'Cap & tion',
    description: 'Des <i>c</i>',
  });
  const grove = await upload('grove', 'grün.png', { title: 'Grün', post: child }, pngOf(900, 700));
  await upload('paper', 'paper.txt', { status: 'private', title: 'Paper' }, Buffer.from('just text'), 'text/plain');
  const leafPath = new URL((await call('administrator', `GET /media/${leaf}`)).source_url).pathname;
  const sized = leafPath.replace('.png', '-300x200.png');
  const first = await make('first', '/posts', {
    ...{ title: 'First "one" & <em>only</em>', excerpt: 'Short', slug: 'straße-ñ-日本', ...published },
    content: `<!-- wp:image {"id":${leaf},"sizeSlug":"medium"} -->\n<figure class="wp-block-image"><img src="${address}${sized}" alt="" class="wp-image-${leaf}"/></figure>\n<!-- /wp:image -->`,
    ...{ categories: [belowIt, above], tags: [tag], featured_media: leaf, sticky: true, ping_status: 'closed' },
    ...{ author: 3, meta: { footnotes: '[{"id":"a","content":"A note"}]' } },
  });
  ids['gallery'] = await make('gallery', '/posts', {
    ...{ title: 'Gallery', ...published, format: 'gallery', author: 3 },
    content: [
      `[gallery ids="${leaf},${grove}"] [slider src="${`${address}${leafPath}`.replaceAll('/', '\\/')}"]`,
      `<!-- wp:gallery {"linkTo":"none"} -->\n<figure class="wp-block-gallery"><!-- wp:image {"id":${grove}} -->\n<figure class="wp-block-image"><img src="${address}/uploads/none.png" class="wp-image-${grove}"/></figure>\n<!-- /wp:image --></figure>\n<!-- /wp:gallery -->`,
      `<!-- wp:cover {"url":"${address}${leafPath}","id":${leaf},"alt":"a \\u003cb\\u003e \\u0026 \\u002d\\u002d c"} -->\n<div style="background-image:url('${leafPath}')">Under &amp; over</div>\n<!-- /wp:cover -->`,
      `<a href="${address}/parent/child/">whole</a> <a href="/parent/">relative</a> <a href="/?p=${first}">plain</a> <a href="https://elsewhere.example/?p=${first}">elsewhere</a>`,
    ].join('\n\n'),
  });
  await make('lines', '/posts', {
    title: 'Lines',
    ...published,
    content: 'One\r\nTwo ]]> three\r\n\r\n007 &#8217; <![CDATA[x]]>\ttab  two',
    author: 4,
  });
  await make('inline', '/posts', {
    title: 'Inline',
    ...published,
    content: `<p>See</p><img src="${inlinePicture}" alt="dot">`,
  });
  await make('draft', '/posts', { title: 'Draft', content: 'Not <b>yet</b>' });
  await make('pending', '/posts', { title: 'Pending', status: 'pending' }, 'contributor');
  await make('private', '/posts', { title: 'Private', status: 'private', content: 'Secret words' });
  await make('future', '/posts', { title: 'Future', status: 'future', date: '2031-01-01T10:00:00' });
  await make('trash', '/posts', { title: 'Trash', ...published, slug: 'trash-it' });
  await make('locked', '/posts', { title: 'Locked', content: 'Behind', ...published, password: 'vellum & öl' });
  await make('aside', '/posts', {
    title: '',
    content: 'Untitled',
    ...published,
    format: 'aside',
    comment_status: 'closed',
  });
  await call('administrator', `DELETE /posts/${ids['trash']}`);
  for (const content of ['One', 'Two', 'Three']) {
    site.clock.now += 60_000;
    await call(content === 'Two' ? 'administrator' : 'author', `POST /posts/${first}`, {
      content: `<!-- wp:image {"id":${leaf}} -->\n<img src="${address}${leafPath}" class="wp-image-${leaf}"/>\n<!-- /wp:image -->\n\n${content}`,
    });
  }
  await call('editor', `POST /posts/${first}/autosaves`, { title: 'Later', content: 'Perhaps' });
  await call('editor', `POST /pages/${parent}/autosaves`, { title: 'Only saved' });
  await comments(first, { make, call });
  const block = await make('block', '/blocks', { title: 'Pattern', content: 'Again', ...published });
  await make('unsynced', '/blocks', {
    title: 'Copied',
    content: 'Copy',
    ...published,
    meta: { wp_pattern_sync_status: 'unsynced' },
  });
  await make('uses', '/pages', {
    title: 'Uses',
    ...published,
    content: `<!-- wp:block {"ref":${block}} /-->`,
    parent: child,
  });
  const navigation = await make('navigation', '/navigation', {
    ...{ title: 'Navigation', ...published },
    content: `<!-- wp:navigation-link {"label":"Parent","type":"page","id":${parent},"url":"${address}/parent/","kind":"post-type"} /-->`,
  });
  await make('refers', '/pages', {
    title: 'Refers',
    ...published,
    content: `<!-- wp:navigation {"ref":${navigation}} /-->`,
  });
  const menu = await make('menu', '/menus', { name: 'Main', locations: ['header'], auto_add: true });
  const root = await make('root', '/menu-items', {
    title: 'Home',
    url: `${address}/`,
    menus: menu,
    ...published,
    classes: ['x', 'y'],
  });
  const second = await make('second', '/menu-items', {
    ...{ menus: menu, ...published, parent: root, menu_order: 2, title: 'Parent page' },
    ...{ type: 'post_type', object: 'page', object_id: parent, target: '_blank', xfn: ['me'], attr_title: 'Tip' },
  });
  await make('third', '/menu-items', {
    ...{ menus: menu, ...published, parent: second, menu_order: 3, title: 'Ünder' },
    ...{ type: 'taxonomy', object: 'category', object_id: belowIt },
  });
  await call('administrator', 'POST /templates', { slug: 'index', title: 'All', content: 'Words <!-- wp:query /-->' });
  await call('administrator', 'POST /template-parts', {
    slug: 'head',
    title: 'Head',
    content: 'Head words',
    area: 'header',
  });
  await call('administrator', 'POST /global-styles/1', { styles: { color: { background: '#fff' } } });
  await call('administrator', 'POST /settings', {
    ...{ title: 'Old & <good>', description: 'As it was', posts_per_page: 7, start_of_week: 0 },
    ...{ show_on_front: 'page', page_on_front: parent, default_category: above, timezone: 'Europe/Lisbon' },
  });
  return ids;
}

type Making = {
  readonly make: (name: string, path: string, body: object, as?: As) => Promise<number>;
  readonly call: (as: As, request: string, body?: unknown) => Promise<{ readonly id: number }>;
};

async function comments(post: number, { make, call }: Making): Promise<void> {
  const visitor = { author_name: 'Reader', author_email: 'reader@example.org', author_url: 'https://reader.example' };
  for (const status of ['approved', 'hold', 'spam', 'trash'] as const) {
    const id = await make(`comment ${status}`, '/comments', { post, content: `A *${status}* word`, ...visitor });
    if (status === 'trash') await call('administrator', `DELETE /comments/${id}`);
    else await call('administrator', `POST /comments/${id}`, { status });
  }
  const above = await make('thread', '/comments', { post, content: 'Thread' });
  const answer = await make(
    'answer',
    '/comments',
    { post, parent: above, content: 'Answer\r\nin two lines' },
    'subscriber',
  );
  await make('again', '/comments', { post, parent: answer, content: 'Again' });
  await make('note', '/comments', { post, content: 'A note', type: 'note', status: 'hold' });
}

const lists = [
  ...['/posts', '/pages', '/blocks', '/navigation', '/menu-items'].map((path) => `${path}?status=any,trash`),
  ...['/media?status=inherit,private,trash', '/categories', '/tags', '/menus', '/users', '/settings'],
  ...['/comments?status=all', '/comments?status=spam', '/comments?status=trash', '/comments?type=note&status=all'],
];

/**
 * What a site answers to an administrator about all that it has. Addresses of the site are the same for every site, and what says how an
 * item was reached is left out.
 */
export async function allAnswers(reached: ReachedSite): Promise<Readonly<Record<string, readonly object[]>>> {
  const answers: Record<string, readonly object[]> = {};
  const read = async (path: string) => {
    const found = await listOf(reached, path);
    answers[path] = found.map((one) => withoutAddresses(one, reached));
    return found;
  };
  for (const path of lists) {
    const found = await read(path);
    const [collection] = path.split('?');
    if (!/^\/(?:posts|pages|blocks|navigation)\?/.test(path)) continue;
    for (const { id } of found) await read(`${collection}/${id}/revisions`);
  }
  for (const path of ['/templates', '/template-parts', '/global-styles/1']) await read(path);
  return answers;
}

/** What differs in the answers of two sites, as `list id field`; ids of accounts and comments are not named. */
export function differing(
  one: Readonly<Record<string, readonly object[]>>,
  other: Readonly<Record<string, readonly object[]>>,
): readonly string[] {
  const found = new Set<string>();
  for (const path of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const name = path.replace(/\?.*/, '');
    const [before, after] = [one, other].map(
      (all) => new Map((all[path] ?? []).map((item, i) => [idIn(item) ?? i, item])),
    );
    for (const id of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      const [was, is] = [before?.get(id), after?.get(id)] as Record<string, unknown>[];
      const at = /^.(?:users|comments|templates|template-parts)$/.test(name) ? name : `${name} ${id}`;
      if (was === undefined) found.add(`${at} more`);
      else if (is === undefined) found.add(`${at} less`);
      else
        for (const field of Object.keys({ ...was, ...is }))
          if (!isSame(was[field], is[field])) found.add(`${at} ${field}`);
    }
  }
  return [...found].sort();
}

const idIn = (item: object) => (item as { readonly id?: unknown }).id;
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function withoutAddresses(of: object, { address }: ReachedSite): object {
  const { _links, ...all } = of as Record<string, unknown>;
  const text = JSON.stringify(all);
  const escaped = JSON.stringify(address.replaceAll('/', '\\/')).slice(1, -1);
  return JSON.parse(text.replaceAll(address, 'http://site.example').replaceAll(escaped, 'http:\\\\/\\\\/site.example'));
}
