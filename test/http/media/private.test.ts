import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaOf } from '../../support/media-site.ts';
import { type As, type Site, startSite } from '../../support/site.ts';
import { fetchFile, pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const { image } = mediaOf(() => site);
const viewers = ['anonymous', 'subscriber', 'contributor', 'author', 'editor'] as const;
const setStatus = (id: number, status: string, as: As = 'author') => site.call(as, `PUT /media/${id}`, { status });
const seen = (path: string) => Promise.all(viewers.map(async (as) => (await site.call(as, `GET ${path}`)).status));
const fetched = (address: string) =>
  Promise.all(
    viewers.map(
      async (as) => (await fetchFile(site, address, { headers: { authorization: site.authorization(as) } })).status,
    ),
  );

describe('a private media item', () => {
  it('is visible to its author and readers of private posts only, even if attached to a public post', async () => {
    const post = await site.make('author', '/posts', { title: 'Open', status: 'publish' });
    const id = await image('author', `post=${post}`);
    const { status, body } = await setStatus(id, 'private');
    expect([status, body.status]).toEqual([200, 'private']);
    expect(body.class_list).toContain('status-private');
    expect(await seen(`/media/${id}`)).toEqual([401, 403, 403, 200, 200]);
    expect((await site.call('editor', `PUT /media/${id}`, { title: 'Still' })).body.status).toBe('private');
  });

  it('becomes public again with any other status except inherit', async () => {
    const id = await image();
    expect((await setStatus(id, 'draft')).body.status).toBe('inherit');
    await setStatus(id, 'private');
    expect((await setStatus(id, 'inherit')).body.data.details.status.code).toBe('rest_not_in_enum');
    expect((await setStatus(id, 'publish')).body.status).toBe('inherit');
    expect(await seen(`/media/${id}`)).toEqual([200, 200, 200, 200, 200]);
  });

  it('can be created private', async () => {
    const id = await image('author', 'status=private');
    expect((await site.call('anonymous', `GET /media/${id}`)).status).toBe(401);
  });

  it('can be made only with the right to publish', async () => {
    const id = await image('editor');
    await site.call('editor', `PUT /media/${id}`, {
      author: (await site.call('contributor', 'GET /users/me')).body.id,
    });
    expect((await setStatus(id, 'private', 'contributor')).body.code).toBe('rest_cannot_publish');
    expect((await setStatus(id, 'draft', 'contributor')).status).toBe(200);
  });

  it('is not shown as the image of a post', async () => {
    const id = await image('author');
    const post = await site.make('author', '/posts', {
      ...{ title: 'With an image', status: 'publish', featured_media: id },
      content: '<!-- wp:post-featured-image /--><!-- wp:latest-posts {"displayFeaturedImage":true} /-->',
    });
    const images = async (as: As) =>
      (await site.call(as, `GET /posts/${post}`)).body.content.rendered.match(/<img/g)?.length ?? 0;
    expect(await images('anonymous')).toBe(2);
    await setStatus(id, 'private');
    expect([await images('anonymous'), await images('contributor'), await images('author')]).toEqual([0, 0, 2]);
  });

  it('hides its files in every size, and forbids shared caching', async () => {
    const file = { name: 'hidden.png', type: 'image/png', bytes: pngOf(400, 300) };
    const { body } = await uploadBody(site, 'author', file);
    const { medium } = body.media_details.sizes;
    expect(await fetched(medium.source_url)).toEqual([200, 200, 200, 200, 200]);
    await setStatus(body.id, 'private');
    for (const address of [body.source_url, medium.source_url]) {
      expect(await fetched(address)).toEqual([404, 404, 404, 200, 200]);
    }
    const headers = { authorization: site.authorization('author') };
    const answer = await fetchFile(site, body.source_url, { headers });
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    await setStatus(body.id, 'publish');
    expect(await fetched(body.source_url)).toEqual([200, 200, 200, 200, 200]);
  });

  it('is found with status=private by those who may read it', async () => {
    const id = await image('author', 'title=Searched');
    await setStatus(id, 'private');
    const found = async (as: As, query: string) => {
      const { body } = await site.call(as, `GET /media?search=Searched&${query}`);
      return Array.isArray(body) ? body.map((item: { id: number }) => item.id) : body.code;
    };
    expect(await found('anonymous', '')).toEqual([]);
    expect(await found('editor', '')).toEqual([]);
    expect(await found('editor', 'status=private')).toEqual([id]);
    expect(await found('contributor', 'status=private')).toEqual([]);
    expect(await found('anonymous', 'status=private')).toBe('rest_invalid_param');
  });

  it('is no longer linked, embedded or shown, even in cached answers', async () => {
    const id = await image();
    const content = `[gallery ids="${id}"]`;
    const post = await site.make('author', '/posts', { title: 'With', status: 'publish', featured_media: id, content });
    const { link } = (await site.call('anonymous', `GET /posts/${post}`)).body;
    const shown = async () => {
      const { body } = await site.call('anonymous', `GET /posts/${post}?_embed`);
      const { pathname } = new URL(link);
      const page = await fetch(`http://127.0.0.1:${site.port}${pathname}`);
      const card = await site.call('anonymous', `GET /cms-json/oembed/1.0/embed?url=${encodeURIComponent(link)}`);
      return [
        body._links['cms:featuredmedia'] !== undefined,
        body._embedded['cms:featuredmedia'] !== undefined,
        body.content.rendered.includes('<img'),
        (await page.text()).includes(`item-`),
        card.body.thumbnail_url !== undefined,
      ];
    };
    expect(await shown()).toEqual([true, true, true, true, true]);
    await setStatus(id, 'private');
    expect(await shown()).toEqual([false, false, false, false, false]);
    await setStatus(id, 'publish');
    expect(await shown()).toEqual([true, true, true, true, true]);
  });

  it('is reported as removed by the feed, and visible in earlier states', async () => {
    const id = await image();
    const before = site.position();
    await setStatus(id, 'private');
    const told = async (as: As) => {
      const { body } = await site.call(as, `GET /changes?since=${before}`);
      return body.commits.flatMap((commit: { changes: object[] }) => commit.changes);
    };
    expect(await told('anonymous')).toEqual([{ resource: 'media', id, what: 'removed' }]);
    expect(await told('editor')).toMatchObject([{ resource: 'media', id, what: 'changed' }]);
    const then = (await site.call('author', `GET /media/${id}?as_of=${before}`)).body;
    expect(then.status).toBe('inherit');
  });

  it('has private edited copies', async () => {
    const { body } = await uploadBody(site, 'author', { name: 'own.png', type: 'image/png', bytes: pngOf(40, 30) });
    await setStatus(body.id, 'private');
    const modifiers = [{ type: 'rotate', args: { angle: 90 } }];
    const copy = await site.call('author', `POST /media/${body.id}/edit`, { src: body.source_url, modifiers });
    expect([copy.status, copy.body.status]).toEqual([201, 'private']);
    expect((await fetchFile(site, copy.body.source_url)).status).toBe(404);
  });

  it.each([
    ['private', async () => setStatus(await image('author', 'title=Whisper'), 'private')],
    [
      'attached to a draft',
      async () => {
        const post = await site.make('author', '/posts', { title: 'Draft' });
        await image('author', `title=Whisper&post=${post}`);
      },
    ],
  ])('does not reveal its words by totals when it is %s', async (_, hide) => {
    const total = async (as: As, query: string) =>
      Number((await site.call(as, `GET /media?${query}`)).headers.get('x-cms-total'));
    const queries = ['search=Whisper', 'search=Whisper&per_page=1&page=1', 'slug=whisper'];
    const before = await Promise.all(queries.map((query) => total('anonymous', query)));
    await hide();
    expect(await Promise.all(queries.map((query) => total('anonymous', query)))).toEqual(before);
    expect(await total('contributor', 'search=Whisper&status=private')).toBe(0);
    expect(await total('author', 'search=Whisper&status=inherit,private')).toBeGreaterThan(0);
    await image('author', 'title=Whisper');
    expect(await total('anonymous', 'search=Whisper')).toBe((before[0] ?? 0) + 1);
  });

  it('does not reveal its words by totals when its post was trashed with the author', async () => {
    const account = { username: 'leaving', email: 'leaving@example.org', password: 'x', roles: ['author'] };
    const author = await site.make('administrator', '/users', account);
    const post = await site.make('administrator', '/posts', { title: 'Left', status: 'publish', author });
    await image('editor', `title=Murmur&post=${post}`);
    const total = async (as: As) => (await site.call(as, 'GET /media?search=Murmur')).headers.get('x-cms-total');
    expect(await total('anonymous')).toBe('1');
    await site.call('administrator', `DELETE /users/${author}?force=true&reassign=false`);
    expect([await total('anonymous'), await total('editor')]).toEqual(['0', '1']);
  });
});
