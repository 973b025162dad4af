import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { otherNames } from '../../../test/conformance/renamed.ts';
import { type As, SITE, type Site, startSite } from '../../../test/support/site.ts';
import { pngOf } from '../../../test/support/uploads.ts';
import { openFolderSource } from '../src/folder.ts';
import { openLiveSite } from '../src/live.ts';
import type { ItemRecord, SiteSource, SourcePart, SourceRecord } from '../src/records.ts';
import { writeFolderSite } from '../src/write-folder.ts';

const paragraph = '<!-- wp:paragraph -->\n<p>Words &amp; more</p>\n<!-- /wp:paragraph -->';
const footnotes = '[{"id":"a","content":"A note"}]';

let site: Site;
const ids: Record<string, number> = {};

/** Something of every kind. */
beforeAll(async () => {
  site = await startSite({ env: { MENU_LOCATIONS: 'header=The head' } });
  const make = async (name: string, path: string, body: object) => {
    ids[name] = await site.make('administrator', path, body);
    return ids[name];
  };
  const above = await make('above', '/categories', { name: 'Above', description: 'On top' });
  const below = await make('below', '/categories', { name: 'Below', parent: above });
  const tag = await make('tag', '/tags', { name: 'Ink' });
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="leaf.png"' };
  ids['media'] = (await site.call('administrator', 'POST /media', pngOf(400, 200), { headers })).body.id;
  await site.call('administrator', `POST /media/${ids['media']}`, {
    alt_text: 'A leaf',
    caption: 'Cap',
    description: 'Des',
  });
  const texts = { title: 'One "two"', content: paragraph, excerpt: 'Short', meta: { footnotes } };
  const post = await make('post', '/posts', {
    ...{ ...texts, status: 'publish', categories: [below], tags: [tag], featured_media: ids['media'] },
    ...{ sticky: true, format: 'aside', ping_status: 'closed' },
  });
  await site.call('administrator', `POST /posts/${post}`, { content: `${paragraph}\n\n${paragraph}` });
  await site.call('editor', `POST /posts/${post}/autosaves`, { title: 'Later' });
  await make('draft', '/posts', { title: 'Draft' });
  await make('private', '/posts', { title: 'Private', status: 'private' });
  await make('future', '/posts', { title: 'Future', status: 'future', date: '2031-01-01T10:00:00' });
  await make('trash', '/posts', { title: 'Trash', status: 'publish' });
  await site.call('administrator', `DELETE /posts/${ids['trash']}`);
  await make('locked', '/posts', { title: 'Locked', content: 'Secret', status: 'publish', password: 'vellum' });
  const page = await make('page', '/pages', { title: 'Page', status: 'publish', menu_order: 3 });
  await site.call('editor', `POST /pages/${page}/autosaves`, { title: 'Only saved' });
  await make('child', '/pages', { title: 'Child', status: 'publish', parent: page });
  await make('block', '/blocks', {
    title: 'Pattern',
    content: paragraph,
    status: 'publish',
    wp_pattern_sync_status: 'unsynced',
    meta: { wp_pattern_sync_status: 'unsynced' },
  });
  const menu = await make('menu', '/menus', { name: 'Main', locations: ['header'], auto_add: true });
  const first = await make('first', '/menu-items', {
    title: 'Home',
    url: 'https://a.example/',
    menus: menu,
    status: 'publish',
    classes: ['x'],
  });
  await make('second', '/menu-items', {
    ...{ menus: menu, status: 'publish', parent: first, menu_order: 2 },
    type: 'post_type',
    object: 'page',
    object_id: page,
  });
  for (const status of ['approved', 'hold', 'spam', 'trash']) {
    const comment = await make(`comment ${status}`, '/comments', {
      post,
      content: `A *${status}* word`,
      author_name: 'Reader',
      author_email: 'reader@example.org',
    });
    const changed = status === 'trash' ? 'DELETE' : 'POST';
    await site.call('administrator', `${changed} /comments/${comment}`, status === 'trash' ? undefined : { status });
  }
  await make('note', '/comments', { post, content: 'A note', type: 'note', status: 'hold' });
  await site.call('administrator', 'POST /templates', { slug: 'index', title: 'All', content: paragraph });
  await site.call('administrator', 'POST /template-parts', {
    slug: 'head',
    title: 'Head',
    content: paragraph,
    area: 'header',
  });
  await site.call('administrator', 'POST /global-styles/1', { styles: { color: { background: '#fff' } } });
});
afterAll(() => site.close());

/** Requests to the address of the site reach it. */
const reaching: typeof fetch = (input, init) =>
  fetch(String(input).replace(SITE, `http://127.0.0.1:${site.port}`), init);
const accountOf = (as: As) => {
  const [user = '', password = ''] = atob(site.authorization(as).slice('Basic '.length)).split(':');
  return { user, password };
};
const open = (as: As, address = `${SITE}/`) =>
  openLiveSite(address, { fetch: reaching, ...(as !== 'anonymous' && accountOf(as)) });
const partsOf = (source: SiteSource, how?: Parameters<SiteSource['read']>[0]) => Array.fromAsync(source.read(how));
const recordsOf = (parts: readonly SourcePart[]) => parts.flatMap((part) => ('record' in part ? [part.record] : []));
const noticesOf = (parts: readonly SourcePart[]) => parts.flatMap((part) => ('notice' in part ? [part.notice] : []));
const ofKind = <K extends SourceRecord['kind']>(records: readonly SourceRecord[], kind: K) =>
  records.filter((one): one is SourceRecord & { kind: K } => one.kind === kind);
const item = (records: readonly SourceRecord[], name: string): ItemRecord => {
  const found = ofKind(records, 'item').find(({ id }) => id === ids[name]);
  if (!found) throw new Error(`no item ${name}`);
  return found;
};

describe('an administrator reads', () => {
  let source: SiteSource;
  let parts: readonly SourcePart[];
  let all: readonly SourceRecord[];
  beforeAll(async () => {
    source = await open('administrator');
    parts = await partsOf(source);
    all = recordsOf(parts);
  });

  it('the site with its settings, then accounts, then terms', () => {
    expect(all[0]).toMatchObject({
      kind: 'site',
      title: 'Palimpsest',
      url: SITE,
      baseUrl: SITE,
      timezone: 'Europe/Berlin',
    });
    expect(ofKind(all, 'site')[0]?.settings).toMatchObject({ posts_per_page: 10, show_on_front: 'posts' });
    expect(all.slice(1, 6).map(({ kind }) => kind)).toEqual(Array(5).fill('author'));
    expect(all[1]).toMatchObject({
      id: 1,
      login: 'administrator',
      email: 'administrator@example.org',
      roles: ['administrator'],
    });
    const terms = ofKind(all, 'term');
    expect(terms.find(({ id }) => id === ids['below'])).toMatchObject({
      taxonomy: 'category',
      slug: 'below',
      parent: { id: ids['above'] },
    });
    expect(terms.find(({ taxonomy }) => taxonomy === 'nav_menu')).toMatchObject({
      ...{ name: 'Main', slug: 'main' },
      meta: [
        { key: 'locations', value: '["header"]' },
        { key: 'auto_add', value: 'true' },
      ],
    });
  });

  it('items of every status as they were written, with all that belongs to them', () => {
    const post = item(all, 'post');
    expect(post).toMatchObject({
      ...{ type: 'post', status: 'publish', slug: 'one-two', title: 'One "two"', excerpt: 'Short', footnotes },
      ...{ content: `${paragraph}\n\n${paragraph}`, author: { id: 1, name: 'administrator' }, featured: ids['media'] },
      ...{ sticky: true, format: 'aside', commentStatus: 'open', pingStatus: 'closed', link: `${SITE}/one-two/` },
      terms: [
        { taxonomy: 'category', id: ids['below'] },
        { taxonomy: 'post_tag', id: ids['tag'] },
      ],
    });
    expect(post).not.toHaveProperty('isRendered');
    expect(post.modifiedGmt).toMatch(/^2026-03-01T11:/);
    const statuses = ['draft', 'private', 'future', 'trash', 'locked'].map((name) => item(all, name).status);
    expect(statuses).toEqual(['draft', 'private', 'future', 'trash', 'publish']);
    expect(item(all, 'locked')).toMatchObject({ content: 'Secret', password: 'vellum' });
    expect(item(all, 'child')).toMatchObject({ type: 'page', parent: ids['page'] });
    expect(item(all, 'page').menuOrder).toBe(3);
    expect(item(all, 'block')).toMatchObject({
      type: 'wp_block',
      syncStatus: 'unsynced',
      content: paragraph,
      meta: [],
    });
  });

  it('files and items of menus', () => {
    const media = item(all, 'media');
    expect(media).toMatchObject({
      type: 'attachment',
      status: 'inherit',
      title: 'leaf',
      excerpt: 'Cap',
      content: 'Des',
    });
    expect(media.file).toMatchObject({ type: 'image/png', altText: 'A leaf', width: 400, height: 200 });
    expect(media.file?.url.endsWith(`/${media.file.path}`)).toBe(true);
    expect(media.file?.sizes).toContainEqual({
      name: 'thumbnail',
      file: expect.stringMatching(/^leaf-150x150/),
      width: 150,
      height: 150,
    });
    const [first, second] = [item(all, 'first'), item(all, 'second')];
    expect(first).toMatchObject({
      type: 'nav_menu_item',
      title: 'Home',
      terms: [{ taxonomy: 'nav_menu', id: ids['menu'] }],
    });
    expect(first.menuItem).toMatchObject({ type: 'custom', url: 'https://a.example/', classes: ['x'], xfn: [] });
    expect(second.menuItem).toMatchObject({
      type: 'post_type',
      object: 'page',
      objectId: ids['page'],
      parent: ids['first'],
    });
  });

  it('revisions and autosaves after their item, and who made them', () => {
    const revisions = ofKind(all, 'revision').filter(({ of }) => of === ids['post']);
    expect(revisions.map(({ isAutosave, author }) => [isAutosave, author.name])).toEqual([
      [false, 'administrator'],
      [true, 'editor'],
    ]);
    expect(revisions[0]).toMatchObject({
      content: `${paragraph}\n\n${paragraph}`,
      footnotes,
      dateGmt: expect.any(String),
    });
    expect(ofKind(all, 'revision').filter(({ of }) => of === ids['page'])).toMatchObject([
      { isAutosave: true, title: 'Only saved' },
    ]);
    expect(all.indexOf(revisions[0] as SourceRecord)).toBeGreaterThan(all.indexOf(item(all, 'post')));
  });

  it('comments of every status, notes among them once', () => {
    const comments = ofKind(all, 'comment');
    const seen = comments.map(({ status, type, content }) => `${type} ${status}: ${content}`).sort();
    expect(seen).toEqual([
      'comment approved: A *approved* word',
      'comment hold: A *hold* word',
      'comment spam: A *spam* word',
      'comment trash: A *trash* word',
      'note hold: A note',
    ]);
    expect(comments[0]).toMatchObject({ of: ids['post'], name: 'Reader', email: 'reader@example.org' });
  });

  it('templates, parts of them and styles that somebody changed', () => {
    expect(ofKind(all, 'template')).toMatchObject([
      { type: 'wp_template', theme: 'plain', slug: 'index', title: 'All', content: paragraph, area: '' },
      { type: 'wp_template_part', slug: 'head', area: 'header' },
    ]);
    expect(ofKind(all, 'styles')).toMatchObject([{ theme: 'plain', styles: { color: { background: '#fff' } } }]);
  });

  it('as many things as were counted, and nothing is refused', () => {
    expect(noticesOf(parts)).toEqual([]);
    expect(source.total).toBeGreaterThan(25);
    expect(source.done()).toBe(source.total);
    expect(ofKind(all, 'item').map(({ id }) => id)).toHaveLength(new Set(ofKind(all, 'item').map(({ id }) => id)).size);
  });

  it('only what is not known yet', async () => {
    const known = new Map(ofKind(all, 'item').map(({ id, modifiedGmt }) => [id, modifiedGmt]));
    known.set(ids['post'] ?? 0, '2001-01-01T00:00:00');
    known.delete(ids['page'] ?? 0);
    const isKnown: NonNullable<Parameters<SiteSource['read']>[0]>['isKnown'] = ({ kind, id, modifiedGmt }) =>
      kind === 'comment' || (known.has(id) && known.get(id) === modifiedGmt);
    const again = recordsOf(await partsOf(source, { isKnown }));
    expect(ofKind(again, 'item').map(({ id }) => id)).toEqual([ids['post'], ids['page']]);
    expect(ofKind(again, 'revision')).toHaveLength(3);
    expect(ofKind(again, 'comment')).toEqual([]);
    expect(source.done()).toBe(source.total);
  });

  it('what tells things and connects them alone, if that is enough', async () => {
    const heads = recordsOf(await partsOf(source, { heads: true }));
    expect(ofKind(heads, 'item').map(({ id }) => id)).toEqual(ofKind(all, 'item').map(({ id }) => id));
    const { link, parent, terms, author, modifiedGmt } = item(all, 'post');
    expect(item(heads, 'post')).toMatchObject({ link, parent, terms, author, modifiedGmt, content: '' });
    expect(ofKind(heads, 'revision')).toEqual([]);
    expect(ofKind(heads, 'comment').every(({ content }) => content === '')).toBe(true);
  });
});

it('what was read is the same when it has been a folder in between', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = recordsOf(await partsOf(await open('administrator')));
  const stream = async function* () {
    yield* all;
  };
  const told = await writeFolderSite(stream(), { folder, form: 'markdown', file: async () => null });
  expect(told).toEqual({ records: all.length, files: 0, notices: [] });
  const back = await partsOf(await openFolderSource(folder));
  expect(noticesOf(back)).toEqual([]);
  expect(recordsOf(back)).toHaveLength(all.length);
  expect(recordsOf(back)).toEqual(expect.arrayContaining([...all]));
  expect(readFileSync(join(folder, 'posts/2026-03-01-one-two.md'), 'utf8')).toMatch(/---\n\nWords & more\n/);
});

it('others read what they may change as it was written, the rest as the site shows it, and are told what is missing', async () => {
  const own = await site.make('author', '/posts', { title: 'Own', content: '<p>Mine</p>' });
  const parts = await partsOf(await open('author'));
  const all = recordsOf(parts);
  expect(ofKind(all, 'item').find(({ id }) => id === own)).toMatchObject({ status: 'draft', content: '<p>Mine</p>' });
  expect(item(all, 'post')).toMatchObject({
    isRendered: true,
    content: expect.stringContaining('<p class="wp-block-paragraph">'),
  });
  const told = noticesOf(parts).map(({ place, what, code }) => `${what} ${code} ${place.file}`);
  expect(new Set(told).size).toBe(told.length);
  expect(told).toContain(`skipped not_allowed ${SITE}/cms-json/cms/v2/settings`);
  await site.call('author', `DELETE /posts/${own}?force=true`);
});

it('somebody without an account reads what is public, as the site shows it', async () => {
  const parts = await partsOf(await open('anonymous'));
  const all = recordsOf(parts);
  expect(all[0]).toMatchObject({ title: 'Palimpsest', timezone: 'Europe/Berlin' });
  expect(ofKind(all, 'author').map(({ login, email }) => [login, email])).toEqual([['administrator', '']]);
  const items = ofKind(all, 'item');
  expect(items.every(({ isRendered }) => isRendered)).toBe(true);
  expect(items.find(({ id }) => id === ids['draft'])).toBeUndefined();
  expect(item(all, 'post').content).toMatch(/^\s*<p class="wp-block-paragraph">/);
  expect(ofKind(all, 'comment').map(({ status }) => status)).toEqual(['approved']);
  const told = noticesOf(parts).map(({ place }) => place.file.replace(`${SITE}/cms-json/cms/v2`, ''));
  expect(told).toEqual(expect.arrayContaining(['/settings', '/templates', '/themes', '/posts']));
  expect(new Set(told).size).toBe(told.length);
  expect(noticesOf(parts).filter(({ code }) => code !== 'not_allowed')).toMatchObject([{ code: 'behind_password' }]);
  expect(noticesOf(parts).every(({ what }) => what === 'skipped')).toBe(true);
});

it('a wrong password is refused before anything is read', async () => {
  const wrong = openLiveSite(SITE, { fetch: reaching, user: 'administrator', password: 'wrong' });
  await expect(wrong).rejects.toMatchObject({ name: 'SourceFault', code: 'password_refused' });
});

it('an interface under other names is read the same', async () => {
  const before = recordsOf(await partsOf(await open('administrator')));
  await site.restart(undefined, {
    env: { MENU_LOCATIONS: 'header=The head', INTERFACE_NAMES: JSON.stringify(otherNames) },
  });
  const source = await open('administrator');
  const parts = await partsOf(source);
  expect(recordsOf(parts)).toEqual(before);
  expect(
    parts.some(
      (part) => 'record' in part && part.place.file === `${SITE}/${otherNames.root}/content/v9/posts/${ids['post']}`,
    ),
  ).toBe(true);
  expect(source.done()).toBe(source.total);
});
