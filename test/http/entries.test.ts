import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, SITE, type Site, startSite } from '../support/site.ts';
import { pngOf } from '../support/uploads.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

describe('the parameters of an entry', () => {
  it.each([
    ['context=bad&excerpt_length=x', ['context']],
    ['excerpt_length=x&password[]=y&id=z', ['id', 'excerpt_length', 'password']],
  ])('are validated in two rounds: %s', async (query, faults) => {
    const { body } = await site.call('anonymous', `GET /posts/987654321?${query}`);
    expect(body.code).toBe('rest_invalid_param');
    expect(Object.keys(body.data.params)).toEqual(faults);
  });
});

describe('a page below a media item', () => {
  it('links to it, and to nothing when it is deleted', async () => {
    const disposition = { 'content-disposition': 'attachment; filename="above.png"' };
    const headers = { 'content-type': 'image/png', ...disposition };
    const { body: file } = await site.call('editor', 'POST /media', pngOf(2, 2), { headers });
    const page = { title: 'Below', status: 'publish', parent: file.id };
    const { body: made } = await site.call('editor', 'POST /pages', page);
    const listed = () => site.call('anonymous', `GET /pages?include=${made.id}`);
    for (let i = 0; i < 2; i += 1) expect((await listed()).body[0].link).toBe(`${SITE}/above/below/`);
    expect(made._links.up).toEqual([{ embeddable: true, href: `${BASE}/media/${file.id}` }]);
    const embedded = await site.call('anonymous', `GET /pages/${made.id}?_embed=up`);
    expect(embedded.body._embedded.up).toMatchObject([{ id: file.id, type: 'attachment' }]);
    await site.call('editor', `DELETE /media/${file.id}?force=true`);
    const { body: orphan } = await site.call('anonymous', `GET /pages/${made.id}`);
    expect(orphan._links).not.toHaveProperty('up');
    expect((await listed()).body[0].link).toBe(`${SITE}/below/`);
  });
});

describe('the permalink data for editors', () => {
  const made = async (path: string, body: object) => (await site.call('editor', `POST ${path}`, body)).body;

  it('contains letters instead of percent escapes', async () => {
    const above = await made('/pages', { title: '日本', status: 'publish' });
    const below = await made('/pages', { title: '語', parent: above.id });
    expect([below.generated_slug, below.permalink_template]).toEqual(['語', `${SITE}/日本/%pagename%/`]);
    expect(above.link).toBe(`${SITE}/${encodeURIComponent('日本').toLowerCase()}/`);
  });

  it('keeps the parent path of a trashed page', async () => {
    const above = await made('/pages', { title: 'Above it', status: 'publish' });
    const below = await made('/pages', { title: 'Thrown away', parent: above.id, status: 'publish' });
    const { body } = await site.call('editor', `DELETE /pages/${below.id}`);
    expect(body.permalink_template).toBe(`${SITE}/above-it/%pagename%/`);
  });
});

describe('an update by an author', () => {
  it('escapes angle brackets in block attributes', async () => {
    const id = await site.make('author', '/posts', { title: 'Blocks' });
    const { body } = await site.call('author', `PUT /posts/${id}`, { content: '<!-- wp:x/y {"a":"1<2"} /-->' });
    expect(body.content.raw).toBe('<!-- wp:x/y {"a":"1\\u0026lt;2"} /-->');
  });
});

describe('the Allow header of posts', () => {
  it('omits POST when the query names an author whom the viewer may not set', async () => {
    const allowed = async (as: 'author' | 'editor', query: string) =>
      (await site.call(as, `GET /posts${query}`)).headers.get('allow');
    expect(await allowed('author', '?author=2')).toBe('GET');
    expect(await allowed('author', '?author=somebody')).toBe('GET');
    expect(await allowed('author', '')).toBe('GET, POST');
    expect(await allowed('editor', '?author=3')).toBe('GET, POST');
  });
});

describe('sorting by title', () => {
  it('puts emoji after letters, also for the terms of a post', async () => {
    for (const title of ['Order 🚀', 'Order apple', 'Order zebra', 'Order 語']) {
      await site.make('editor', '/posts', { title, status: 'publish' });
    }
    const { body } = await site.call('anonymous', 'GET /posts?search=Order&orderby=title&order=asc');
    expect(body.map(({ title }: { title: { rendered: string } }) => title.rendered)).toEqual([
      'Order apple',
      'Order zebra',
      'Order 語',
      'Order 🚀',
    ]);
    const tags = [];
    for (const name of ['🎉 party', 'abc']) tags.push(await site.make('editor', '/tags', { name }));
    const post = await site.make('editor', '/posts', { title: 'Tagged', tags });
    expect((await site.call('editor', `GET /posts/${post}`)).body.tags).toEqual(tags.toReversed());
  });
});
