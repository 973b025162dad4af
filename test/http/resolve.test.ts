import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const at = async (path: string, more = '') =>
  (await site.call('anonymous', `GET /resolve?path=${encodeURIComponent(path)}${more}`)).body;

describe('GET /resolve', () => {
  it('finds what an address shows: items, terms, authors, the list at the top', async () => {
    const category = await site.make('editor', '/categories', { name: 'Art' });
    const post = await site.make('editor', '/posts', { title: 'One', status: 'publish', categories: [category] });
    const page = await site.make('editor', '/pages', { title: 'About', status: 'publish' });
    const below = await site.make('editor', '/pages', { title: 'Us', parent: page, status: 'publish' });
    const link = async (path: string) => new URL((await site.call('anonymous', `GET ${path}`)).body.link).pathname;
    expect(await at(await link(`/posts/${post}`))).toMatchObject({
      type: 'item',
      kind: 'post',
      id: post,
      redirect: null,
    });
    expect(await at('/about/us/')).toMatchObject({ kind: 'page', id: below, redirect: null });
    expect(await at('about/us')).toMatchObject({ id: below, redirect: expect.stringMatching(/\/about\/us\/$/) });
    expect(await at(`/?p=${post}`)).toMatchObject({ id: post, redirect: expect.stringMatching(/\/one\/$/) });
    expect(await at('/category/art/page/2/')).toMatchObject({ code: 'rest_no_such_address' });
    for (let i = 0; i < 10; i += 1)
      await site.make('editor', '/posts', { title: `More ${i}`, status: 'publish', categories: [category] });
    expect(await at('/category/art/page/2/')).toMatchObject({ type: 'term', kind: 'category', id: category, page: 2 });
    expect(await at('/category/art/page/3/')).toMatchObject({ code: 'rest_no_such_address' });
    expect(await at('/one/page/2/')).toMatchObject({ code: 'rest_no_such_address' });
    expect(await at(`/?cat=${category}&paged=2`)).toMatchObject({
      ...{ type: 'term', id: category, page: 2, redirect: expect.stringMatching(/\/category\/art\/$/) },
    });
    for (const chosen of ['/?s=one', '/?m=202603', '/?cat=99'])
      expect(await at(chosen)).toMatchObject({ code: 'rest_no_such_address' });
    expect(await at('/?utm_source=letter')).toMatchObject({ type: 'home', redirect: null });
    expect(await at('/author/editor/')).toMatchObject({ type: 'author', kind: 'user', id: 2 });
    expect(await at('/')).toMatchObject({ type: 'home', id: null });
  });

  it('has the record and the list in the same answer', async () => {
    const { _embedded } = await at('/category/art/', '&_embed');
    expect(_embedded.item[0]).toMatchObject({ name: 'Art', taxonomy: 'category' });
    expect(_embedded.list[0]).toHaveLength(10);
  });

  it('leads from a former address to the present one, and knows that of an earlier moment', async () => {
    const page = await site.make('editor', '/pages', { title: 'Old name', status: 'publish' });
    const before = site.position();
    await site.call('editor', `PATCH /pages/${page}`, { slug: 'new-name' });
    expect(await at('/old-name/')).toMatchObject({ id: page, redirect: expect.stringMatching(/\/new-name\/$/) });
    const then = await site.call('editor', `GET /resolve?path=/old-name/&as_of=${before}`);
    expect(then.body).toMatchObject({ id: page, redirect: null });
    const release = (await site.call('editor', 'POST /releases', { name: 'x' })).body.id;
    await site.call('editor', `PATCH /pages/${page}?release=${release}`, { slug: 'next-name' });
    const ahead = await site.call('editor', `GET /resolve?path=/next-name/&release=${release}`);
    expect(ahead.body).toMatchObject({ id: page, redirect: null });
    const { token } = (await site.call('editor', 'POST /previews', { release })).body;
    const shown = await site.call('anonymous', `GET /resolve?path=/next-name/&_embed&preview=${token}`);
    expect(shown.body).toMatchObject({ redirect: null, _embedded: { item: [{ id: page, slug: 'next-name' }] } });
  });

  it('takes an address for the right one however its letters are escaped', async () => {
    const id = await site.make('editor', '/pages', { title: '日本', slug: '日本', status: 'publish' });
    const { url } = (await site.call('anonymous', 'GET /cms-json/')).body;
    const upper = encodeURIComponent('日本');
    for (const path of [upper, upper.toLowerCase(), '日本'].map((slug) => encodeURIComponent(`/${slug}/`))) {
      for (const query of [`path=${path}`, `url=${encodeURIComponent(url)}${path}`]) {
        expect((await site.call('anonymous', `GET /resolve?${query}`)).body).toMatchObject({ id, redirect: null });
      }
    }
    const other = (await at(`/${upper}`)).redirect;
    expect(other).toBe(`${url}/${upper.toLowerCase()}/`);
  });

  it('takes whole addresses of the site, and finds nothing that is not public', async () => {
    const draft = await site.make('editor', '/pages', { title: 'Draft' });
    const { url } = (await site.call('anonymous', 'GET /cms-json/')).body;
    const asked = (address: string) => site.call('anonymous', `GET /resolve?url=${encodeURIComponent(address)}`);
    expect((await asked(`${url}/about/`)).body).toMatchObject({ kind: 'page', redirect: null });
    for (const address of [
      `${url}/draft/`,
      `${url}/?page_id=${draft}`,
      'https://elsewhere.example/about/',
      'x',
      `${url}/%ff/`,
    ]) {
      const { status, body } = await asked(address);
      expect([address, status, body.code]).toEqual([address, 404, 'rest_no_such_address']);
    }
    for (const query of ['?path=/a/&url=b', '?path[]=x'])
      expect([query, (await site.call('anonymous', `GET /resolve${query}`)).status]).toEqual([query, 400]);
  });
});
