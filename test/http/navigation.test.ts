import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../support/history.ts';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeEach(async () => {
  await site?.close();
  site = await startSite();
});
afterAll(() => site.close());

const FALLBACK = '/cms-json/cms-block-editor/v1/navigation-fallback';
const text = '<!-- wp:paragraph -->\n<p>Way</p>\n<!-- /wp:paragraph -->';
const make = (more: object = {}) =>
  site.make('administrator', '/navigation', { title: 'Menu', content: text, status: 'publish', ...more });
const get = async (as: As, path: string) => (await site.call(as, `GET ${path}`)).body;

describe('navigation', () => {
  it('is shown to everybody, raw in context embed and rendered otherwise', async () => {
    const id = await make();
    expect((await get('anonymous', `/navigation/${id}`)).content).toEqual({
      rendered: '\n<p class="wp-block-paragraph">Way</p>\n',
      protected: false,
    });
    expect(await get('anonymous', `/navigation/${id}?context=embed`)).toMatchObject({
      status: 'publish',
      title: { raw: 'Menu', rendered: 'Menu' },
      content: { raw: text, block_version: 1 },
    });
  });

  it('hides its raw content without the password', async () => {
    const id = await make({ password: 'secret' });
    const embedded = (query = '') => get('anonymous', `/navigation/${id}?context=embed${query}`);
    expect((await embedded()).content).toMatchObject({ raw: '', rendered: '', protected: true });
    expect((await embedded('&password=secret')).content).toMatchObject({ raw: text, protected: true });
  });

  it('is limited to administrators when it is private, in context edit, and in its revisions', async () => {
    const id = await make({ status: 'private' });
    expect(refusal(await site.call('editor', `GET /navigation/${id}`))).toEqual([403, 'rest_forbidden']);
    expect((await site.call('administrator', `GET /navigation/${id}`)).status).toBe(200);
    expect(refusal(await site.call('editor', 'GET /navigation?context=edit'))).toEqual([403, 'rest_forbidden_context']);
    expect(refusal(await site.call('author', `GET /navigation/${id}/revisions`))).toEqual([403, 'rest_cannot_read']);
  });

  it('may be empty, and ignores fields that it does not have', async () => {
    const { status, body } = await site.call('administrator', 'POST /navigation', {
      ...{ excerpt: 'x', author: 3, meta: { footnotes: 5 }, categories: [1], featured_media: 7 },
    });
    expect([status, body.status]).toEqual([201, 'draft']);
    for (const name of ['excerpt', 'author', 'meta', 'categories']) expect(body).not.toHaveProperty(name);
  });

  it('has revisions without excerpts', async () => {
    const id = await make();
    await site.call('administrator', `PUT /navigation/${id}`, { content: 'Second' });
    const [revision] = await get('administrator', `/navigation/${id}/revisions?context=edit`);
    expect(revision.content.raw).toBe('Second');
    expect(revision).not.toHaveProperty('excerpt');
    const autosaved = await site.call('administrator', `POST /navigation/${id}/autosaves`, { title: 'Not yet' });
    expect([autosaved.status, autosaved.body.title.raw]).toEqual([200, 'Not yet']);
  });

  it('has no page, and is in no list of posts', async () => {
    await make({ title: 'Quagga menu' });
    expect((await fetch(`http://127.0.0.1:${site.port}/quagga-menu/`)).status).toBe(404);
    expect(await get('anonymous', '/posts?search=quagga')).toEqual([]);
    expect(await get('anonymous', '/users')).toEqual([]);
  });
});

describe('the navigation fallback', () => {
  it('is the published navigation with the latest date', async () => {
    await make({ title: 'Old', date: '2001-01-01T00:00:00' });
    const newest = await make({ title: 'New', date: '2024-01-01T00:00:00' });
    await make({ title: 'Older', date: '2010-01-01T00:00:00' });
    await make({ title: 'Draft', status: 'draft' });
    const { body } = await site.call('administrator', `GET ${FALLBACK}?_embed`);
    expect(body).toMatchObject({ id: newest, _embedded: { self: [{ id: newest, content: { raw: text } }] } });
    await site.call('administrator', `DELETE /navigation/${newest}?force=true`);
    expect((await get('administrator', FALLBACK)).id).not.toBe(newest);
  });

  it('is made with the first page, by the same commit, and no further one', async () => {
    const { body } = await site.call('editor', 'POST /pages', { title: 'About', status: 'publish' });
    const { id } = await get('administrator', FALLBACK);
    expect(await get('administrator', `/navigation/${id}?context=edit`)).toMatchObject({
      ...{ status: 'publish', title: { raw: 'Navigation' }, content: { raw: '<!-- wp:page-list /-->' } },
    });
    expect((await get('anonymous', `/navigation/${id}`)).content.rendered).toContain(`<a class="`);
    expect(id).toBe(body.id + 1);
    await site.make('editor', '/pages', { title: 'Contact' });
    expect(await get('administrator', '/navigation')).toHaveLength(1);
  });

  it('of a site whose menus have other names stays one of these', async () => {
    const own = await make({ title: 'Own', date: '2001-01-01T00:00:00' });
    await site.make('editor', '/pages', { title: 'About' });
    expect((await get('administrator', FALLBACK)).id).toBe(own);
  });

  it('is not created by a request for it', async () => {
    const before = site.position();
    expect(refusal(await site.call('administrator', `GET ${FALLBACK}`))).toEqual([404, 'no_fallback_menu']);
    expect(site.position()).toBe(before);
    expect(refusal(await site.call('editor', `GET ${FALLBACK}`))).toEqual([403, 'rest_cannot_create']);
  });
});
