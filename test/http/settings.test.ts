import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typed } from '../node/erasure/support.ts';
import { ordered } from '../support/erasure-order.ts';
import { BASE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

const set = (body: unknown) => site.call('administrator', 'POST /settings', body);
const settings = async (query = '') => (await site.call('administrator', `GET /settings${query}`)).body;
const index = async () => (await site.call('anonymous', 'GET /cms-json/')).body;

describe('settings', () => {
  it('are shown to administrators completely, without links', async () => {
    expect(Object.keys(await settings())).toEqual([
      ...['title', 'description', 'url', 'email', 'timezone', 'date_format', 'time_format', 'start_of_week'],
      ...['language', 'use_smilies', 'default_category', 'default_post_format', 'posts_per_page', 'show_on_front'],
      ...['page_on_front', 'page_for_posts', 'default_ping_status', 'default_comment_status', 'site_logo', 'site_icon'],
    ]);
  });

  it('appear in the index at once, with escaped markup', async () => {
    const { body } = await set({ title: `Tom & Jerry's "<b>"`, timezone: 'Asia/Tokyo', page_on_front: 7 });
    expect(body.title).toBe('Tom &amp; Jerry&#039;s &quot;&lt;b&gt;&quot;');
    expect(await index()).toMatchObject({
      ...{ name: body.title, timezone_string: 'Asia/Tokyo', gmt_offset: '9', page_on_front: 7 },
    });
    expect((await set({ title: body.title })).body.title).toBe(body.title);
    expect(site.node.store.reader.site().name).toBe(`Tom & Jerry's "<b>"`);
  });

  it('append no event when nothing changes', async () => {
    await set({ start_of_week: 3, email: 'site@example.org' });
    const before = site.position();
    await set({
      start_of_week: '3',
      email: 'site@example.org',
      language: 'xx',
      timezone: 'Nowhere',
      url: 'https://x.y',
    });
    expect(site.position()).toBe(before);
  });

  it('take time zones as they are listed', async () => {
    await set({ timezone: 'Asia/Tokyo' });
    for (const name of ['EUROPE/BERLIN', 'Europe/berlin', 'europe/berlin']) {
      expect((await set({ timezone: name })).body.timezone).toBe('Asia/Tokyo');
    }
    expect((await set({ timezone: 'US/Eastern' })).body.timezone).toBe('US/Eastern');
    await set({ timezone: 'UTC' });
  });

  it('store nothing when one of them is refused', async () => {
    const before = site.position();
    expect(await set({ title: 'Good', posts_per_page: 'many' })).toMatchObject({ status: 400 });
    expect(await set({ title: 'Good', site_logo: null })).toMatchObject({
      ...{ status: 400, body: { code: 'rest_invalid_stored_value' } },
    });
    expect(site.position()).toBe(before);
  });

  it('are empty after they are unset, until they are written again', async () => {
    expect((await set({ title: null, date_format: null, posts_per_page: null })).body).toMatchObject({
      ...{ title: null, date_format: null, posts_per_page: 10 },
    });
    expect((await index()).name).toBe('');
    expect((await set({ title: '' })).body).toMatchObject({ title: '', date_format: null });
  });

  it('can be read as of an earlier position', async () => {
    await set({ description: 'Before' });
    const then = site.position();
    await set({ description: 'After' });
    expect(await settings(`?as_of=${then}`)).toMatchObject({ description: 'Before' });
  });

  it('survive a restart and a rebuild', async () => {
    await set({ description: 'Kept', posts_per_page: 3, email: 'site@example.org', date_format: null });
    const before = await settings();
    await site.restart();
    expect(await settings()).toEqual(before);
    await site.rebuild();
    expect(await settings()).toEqual(before);
  });

  it('set by the environment are reset by the next start, and reported in a header', async () => {
    await site.restart(undefined, { env: { SITE_NAME: 'From outside' } });
    const { headers } = await set({ title: 'From inside', description: 'Mine' });
    expect(headers.get('x-cms-settings-from-environment')).toContain('title');
    expect((await index()).name).toBe('From inside');
    await site.restart(undefined, { env: { SITE_NAME: 'From outside' } });
    expect(await settings()).toMatchObject({ title: 'From outside', description: 'Mine' });
    expect(site.node.changedSettings).toEqual([{ name: 'name', was: 'From inside', is: 'From outside' }]);
  });

  it('link logo and icon of the site in the index', async () => {
    const image = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
      'base64',
    );
    const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="logo.png"' };
    const { body } = await site.call('author', 'POST /media', image, { headers });
    await set({ site_logo: body.id, site_icon: body.id });
    const { site_logo, site_icon, site_icon_url, _links } = await index();
    expect([site_logo, site_icon, site_icon_url]).toEqual([body.id, body.id, body.source_url]);
    const href = `${BASE}/media/${body.id}`;
    expect(_links['cms:featuredmedia']).toEqual([
      { embeddable: true, href, type: 'site_logo' },
      { embeddable: true, href, type: 'site_icon' },
    ]);
  });
});

describe('new entries', () => {
  it('take comment and ping status from the settings', async () => {
    await set({ default_comment_status: 'closed', default_ping_status: 'closed' });
    const { body } = await site.call('author', 'POST /posts', { title: 'Quiet' });
    expect(body).toMatchObject({ comment_status: 'closed', ping_status: 'closed' });
    const { body: told } = await site.call('author', 'POST /posts', { title: 'Loud', comment_status: 'open' });
    expect(told).toMatchObject({ comment_status: 'open', ping_status: 'closed' });
    expect((await site.call('editor', 'POST /pages', { title: 'Page' })).body.comment_status).toBe('closed');
  });

  it('get the default category, or none when that does not exist', async () => {
    const id = await site.make('editor', '/categories', { name: 'News' });
    await set({ default_category: id });
    const first = await site.call('author', 'POST /posts', { title: 'In the news' });
    expect(first.body.categories).toEqual([id]);
    expect((await site.call('editor', `DELETE /categories/${id}?force=true`)).body.code).toBe('rest_cannot_delete');
    await set({ default_category: 987 });
    expect((await site.call('author', 'POST /posts', { title: 'Nowhere' })).body.categories).toEqual([]);
    expect((await site.call('editor', `DELETE /categories/${id}?force=true`)).status).toBe(200);
    expect((await site.call('author', `GET /posts/${first.body.id}?context=edit`)).body.categories).toEqual([]);
    await site.restart();
    expect((await site.call('anonymous', 'GET /categories/987')).status).toBe(404);
  });
});

it('erasing a user removes their email address from the settings', async () => {
  await set({ email: 'author@example.org', description: 'Told' });
  expect(await typed(site.node, 'erase user', { login: 'author', ...ordered })).toMatchObject({ kind: 'done' });
  expect(await settings()).toMatchObject({ email: 'nobody@site.invalid', description: 'Told' });
});

it('a site and a user without an email address show a valid one that takes no mail, which is never stored', async () => {
  const fresh = await startSite();
  const { id } = (await fresh.call('administrator', 'GET /users/me')).body;
  const position = fresh.node.store.reader.position;
  expect((await fresh.call('administrator', 'GET /settings')).body.email).toBe('nobody@site.invalid');
  const same = { email: 'nobody@site.invalid' };
  expect((await fresh.call('administrator', 'POST /settings', same)).body).toMatchObject(same);
  expect(fresh.node.store.reader.position).toBe(position);
  const added = await typed(fresh.node, 'user add', { login: 'plain', role: 'editor' });
  expect(added.kind).toBe('done');
  const [user] = (await fresh.call('administrator', 'GET /users?slug=plain&context=edit')).body as {
    email: string;
    id: number;
  }[];
  expect([user?.email, user?.id === id]).toEqual(['nobody@site.invalid', false]);
  expect((await fresh.call('administrator', `POST /users/${user?.id}`, same)).body).toMatchObject(same);
  await fresh.close();
});
