import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MediaTable } from '#projections/media/store.ts';
import { mediaOf } from '../../support/media-site.ts';
import { type As, SITE, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const { image, textFile, show } = mediaOf(() => site);

describe('a media item attached to an entry', () => {
  const host = (fields: Record<string, unknown>, as: As = 'author') =>
    site.make(as, '/posts', { title: 'Host', ...fields });

  it('has a link below the entry while that is public', async () => {
    const post = await host({ status: 'publish', slug: 'public-host' });
    const id = await image('author', `post=${post}&slug=below`);
    expect((await show('anonymous', id)).link).toBe(`${SITE}/public-host/below/`);
    await site.call('author', `PUT /posts/${post}`, { status: 'draft' });
    expect((await show('author', id, '?context=edit')).link).toBe(`${SITE}/?attachment_id=${id}`);
    const numbered = await image('author', `post=${post}&slug=77`);
    expect((await show('author', numbered)).link).toContain('attachment_id');
    await site.call('author', `PUT /posts/${post}`, { status: 'publish' });
    expect((await show('anonymous', id)).link).toBe(`${SITE}/public-host/below/`);
    expect((await show('anonymous', numbered)).link).toBe(`${SITE}/public-host/attachment/77/`);
  });

  it.each([
    ['draft', [401, 403, 403, 200, 200]],
    ['private', [401, 403, 403, 200, 200]],
    ['publish', [200, 200, 200, 200, 200]],
  ] as const)('in status %s is visible to those who may read the entry', async (status, expected) => {
    const post = await host({ status });
    const id = await image('author', `post=${post}`);
    const viewers = ['anonymous', 'subscriber', 'contributor', 'author', 'editor'] as const;
    const seen = await Promise.all(viewers.map(async (as) => (await site.call(as, `GET /media/${id}`)).status));
    expect(seen).toEqual(expected);
    const listed = await site.call('anonymous', `GET /media?include=${id}`);
    expect(listed.body).toHaveLength(status === 'publish' ? 1 : 0);
  });

  it('that is a published pattern is public, although the pattern is not', async () => {
    const pattern = await site.make('editor', '/blocks', { title: 'Host', status: 'publish' });
    const id = await image('editor', `post=${pattern}`);
    expect((await site.call('anonymous', `GET /blocks/${pattern}`)).status).toBe(401);
    expect((await site.call('anonymous', `GET /media/${id}`)).status).toBe(200);
    await site.call('editor', `PUT /blocks/${pattern}`, { status: 'draft' });
    expect((await site.call('anonymous', `GET /media/${id}`)).status).toBe(401);
  });

  it('moves to the parent when the entry is deleted, without a new modification date', async () => {
    const page = await site.make('editor', '/pages', { title: 'Grand', status: 'publish' });
    const below = await site.make('editor', '/pages', { title: 'Below', status: 'publish', parent: page });
    const id = await image('editor', `post=${below}`);
    const before = await show('anonymous', id);
    site.clock.now += 60_000;
    await site.call('editor', `DELETE /pages/${below}?force=true`);
    expect(await show('anonymous', id)).toMatchObject({ post: page, modified: before.modified });
    await site.call('editor', `DELETE /pages/${page}?force=true`);
    expect((await show('anonymous', id)).post).toBeNull();
  });

  it.each(['at once', 'from the trash'])('that is private stays private when the entry is deleted %s', async (how) => {
    const page = await site.make('editor', '/pages', { title: 'Open', status: 'publish' });
    const post = await site.make('author', '/posts', { title: 'Hidden', status: 'private' });
    const below = await site.make('editor', '/pages', { title: 'Hidden', status: 'private', parent: page });
    const ids = [await image('author', `post=${post}&slug=${how}`), await image('editor', `post=${below}`)];
    const position = site.position();
    for (const path of [`posts/${post}`, `pages/${below}`]) {
      if (how !== 'at once') await site.call('editor', `DELETE /${path}`);
      await site.call('editor', `DELETE /${path}?force=true`);
    }
    const viewers = ['anonymous', 'subscriber', 'contributor', 'author', 'editor'] as const;
    const seen = (id: number) =>
      Promise.all(viewers.map(async (as) => (await site.call(as, `GET /media/${id}`)).status));
    const expectPrivate = async () => {
      expect(await seen(ids[0] as number)).toEqual([401, 403, 403, 200, 200]);
      expect(await seen(ids[1] as number)).toEqual([401, 403, 403, 403, 200]);
      const listed = await site.call('anonymous', `GET /media?include=${ids}`);
      expect(listed.body).toEqual([]);
    };
    await expectPrivate();
    const { body } = await site.call('anonymous', `GET /changes?since=${position}`);
    expect(JSON.stringify(body)).not.toContain('"media"');
    await site.restart();
    await expectPrivate();
    expect((await site.call('author', `GET /media/${ids[0]}?as_of=${site.position()}`)).status).toBe(200);
    await site.call('editor', `PUT /media/${ids[0]}`, { title: 'Still', post: page });
    expect(await seen(ids[0] as number)).toEqual([200, 200, 200, 200, 200]);
  });

  it('that does not exist is public', async () => {
    const id = await image();
    const { body } = await site.call('author', `PUT /media/${id}`, { post: 987654321 });
    expect([body.post, body.link, body._links['cms:attached-to']]).toEqual([
      987654321,
      `${SITE}/?attachment_id=${id}`,
      undefined,
    ]);
    expect((await site.call('anonymous', `GET /media/${id}`)).status).toBe(200);
  });

  it('cannot be attached to another media item', async () => {
    const [one, other] = [await image(), await image()];
    expect((await site.call('author', `PUT /media/${one}`, { post: other })).body.code).toBe('rest_invalid_param');
    expect(
      (
        await uploadBody(
          site,
          'author',
          { name: 'a.png', type: 'image/png', bytes: pngOf(1, 1) },
          { query: `post=${other}` },
        )
      ).body.code,
    ).toBe('rest_invalid_param');
  });
});

describe('slugs', () => {
  it('of media are unique among all entries', async () => {
    await site.make('editor', '/posts', { title: 'Shared name', status: 'publish' });
    const page = await site.make('editor', '/pages', { title: 'Shared name', status: 'publish' });
    expect((await site.call('editor', `GET /pages/${page}`)).body.slug).toBe('shared-name-2');
    const ids = [await image('author', 'slug=shared-name'), await image('author', 'title=Shared name')];
    expect(await Promise.all(ids.map(async (id) => (await show('author', id)).slug))).toEqual([
      'shared-name-3',
      'shared-name-4',
    ]);
  });

  it('of pages and posts are unique among media', async () => {
    await image('author', 'slug=beside');
    const pages = [
      await site.call('editor', 'POST /pages', { title: 'Beside', status: 'publish' }),
      await site.call('editor', 'POST /posts', { title: 'Beside', status: 'publish' }),
    ];
    expect(pages.map(({ body }) => body.slug)).toEqual(['beside-2', 'beside-3']);
  });

  it.each([
    ['feed', 'feed-2'],
    ['!!!', ''],
    ['1987', '1987'],
  ])('are made of the title %s', async (title, expected) => {
    const id = await image('author', `title=${encodeURIComponent(title)}`);
    expect((await show('author', id)).slug).toBe(expected || String(id));
  });
});

describe('a featured image', () => {
  it('must be an image, and is removed when the image is deleted', async () => {
    const id = await image();
    const text = await textFile('not an image.txt');
    const post = await site.make('author', '/posts', { title: 'Featuring', status: 'publish', featured_media: id });
    const page = await site.make('editor', '/pages', { title: 'Featuring', status: 'publish', featured_media: id });
    const featured = async () => (await site.call('anonymous', `GET /posts/${post}`)).body.featured_media;
    const save = (featured_media: number) => site.call('author', `PUT /posts/${post}`, { featured_media });
    expect(await featured()).toBe(id);
    await save(987654321);
    expect(await featured()).toBe(id);
    await save(text.id);
    expect(await featured()).toBe(0);
    await save(id);
    const before = (await site.call('anonymous', `GET /posts/${post}`)).headers.get('etag') ?? '';
    site.clock.now += 60_000;
    await site.call('author', `DELETE /media/${id}?force=true`);
    const after = await site.call('anonymous', `GET /posts/${post}`, undefined, {
      headers: { 'if-none-match': before },
    });
    expect([after.status, after.body.featured_media, after.body._links['cms:featuredmedia']]).toEqual([
      200,
      0,
      undefined,
    ]);
    expect((await site.call('anonymous', `GET /pages/${page}`)).body.featured_media).toBe(0);
  });

  it('can be embedded, and is shown in the past', async () => {
    const id = await image('author', 'alt_text=Seen');
    const post = await site.make('author', '/posts', { title: 'Embedding', status: 'publish', featured_media: id });
    const position = site.position();
    const { body } = await site.call('anonymous', `GET /posts/${post}?_embed=cms:featuredmedia`);
    expect(body._embedded['cms:featuredmedia'][0]).toMatchObject({ id, alt_text: 'Seen' });
    await site.call('author', `DELETE /media/${id}?force=true`);
    expect((await site.call('author', `GET /posts/${post}?as_of=${position}`)).body.featured_media).toBe(id);
  });

  it('is linked and embedded as soon as the viewer may see it', async () => {
    const id = await image();
    const hidden = await site.make('author', '/posts', { title: 'Hidden host' });
    await site.call('author', `PUT /media/${id}`, { post: hidden });
    const post = await site.make('author', '/posts', { title: 'Showing', status: 'publish', featured_media: id });
    const linked = async (as: As) => {
      const { body } = await site.call(as, `GET /posts/${post}?_embed=cms:featuredmedia`);
      return [body._links['cms:featuredmedia'] !== undefined, body._embedded !== undefined];
    };
    const listed = async () => {
      const { body } = await site.call('anonymous', `GET /posts?include=${post}`);
      return body[0]._links['cms:featuredmedia'] !== undefined;
    };
    expect([await linked('anonymous'), await linked('author'), await listed()]).toEqual([
      [false, false],
      [true, true],
      false,
    ]);
    await site.call('author', `PUT /posts/${hidden}`, { status: 'publish' });
    expect([await linked('anonymous'), await listed()]).toEqual([[true, true], true]);
    await site.call('author', `PUT /posts/${hidden}`, { status: 'draft' });
    expect([await linked('anonymous'), await listed()]).toEqual([[false, false], false]);
  });

  it('adds no class to a password-protected post', async () => {
    const id = await image();
    const body = { title: 'Shut', status: 'publish', featured_media: id, password: 'pw' };
    const post = await site.make('author', '/posts', body);
    expect((await site.call('author', `GET /posts/${post}`)).body.class_list).not.toContain('has-post-thumbnail');
  });

  it('that is deleted causes no writes to rows of media that feature it', async () => {
    const [film, still] = [await textFile('other.txt'), await image()];
    await site.call('author', `PUT /media/${film.id}`, { featured_media: still });
    const save = vi.spyOn(MediaTable.prototype, 'save');
    await site.call('author', `DELETE /media/${still}?force=true`);
    expect(save).not.toHaveBeenCalled();
    save.mockRestore();
    expect((await show('anonymous', film.id)).featured_media).toBe(0);
  });

  it('of another media item must be an image, and is removed with it', async () => {
    const [film, still] = [await textFile('film.txt'), await image()];
    const save = (featured_media: number) => site.call('author', `PUT /media/${film.id}`, { featured_media });
    expect((await save(still)).body).toMatchObject({
      featured_media: still,
      class_list: expect.arrayContaining(['has-post-thumbnail']),
    });
    expect((await save(film.id)).body.code).toBe('rest_invalid_featured_media');
    const tag = async () => (await site.call('author', `GET /media/${film.id}?context=edit`)).headers.get('etag');
    const before = await tag();
    await site.call('author', `DELETE /media/${still}?force=true`);
    expect((await show('anonymous', film.id)).featured_media).toBe(0);
    expect(await tag()).not.toBe(before);
    await site.call('author', `PUT /media/${film.id}`, { title: 'Changed' });
    await site.restart();
    expect((await show('anonymous', film.id)).featured_media).toBe(0);
  });
});
