import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaOf } from '../support/media-site.ts';
import { type As, SITE, type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const { image } = mediaOf(() => site);
const allowOf = async (as: As, request: string, body?: unknown) =>
  (await site.call(as, request, body)).headers.get('allow');
const post = (fields: Record<string, unknown> = {}, as: As = 'author') =>
  site.make(as, '/posts', { title: 'Post', status: 'publish', ...fields });

describe('collections', () => {
  it('offer POST in Allow only when the given parameters permit it', async () => {
    const { id } = (await site.call('editor', 'GET /users/me')).body;
    expect(await allowOf('author', 'GET /posts')).toBe('GET, POST');
    expect(await allowOf('author', `GET /posts?author=${id}`)).toBe('GET');
    expect(await allowOf('contributor', 'POST /tags', { name: 'Refused' })).toBe('POST');
  });

  it('filter by exact menu order, and repeat the query unchanged in paging links', async () => {
    const ids = [await site.make('editor', '/pages', { title: 'Up', status: 'publish', menu_order: -77 })];
    await site.make('editor', '/pages', { title: 'Down', status: 'publish', menu_order: 77 });
    const { body } = await site.call('anonymous', 'GET /pages?menu_order=-77');
    expect(body.map((one: { id: number }) => one.id)).toEqual(ids);
    for (const _ of [1, 2]) await post();
    const { headers } = await site.call('author', 'GET /posts?status=PUBLISH&per_page=1');
    expect(headers.get('link')).toContain('=PUBLISH');
  });

  it('of an hour that comes twice are told apart by date_gmt', async () => {
    await site.call('administrator', 'POST /settings', { timezone: 'Europe/Berlin' });
    const id = await site.make('editor', '/posts', { title: 'Night', status: 'publish', date: '2020-10-25T02:30:00' });
    const put = async (body: object) => {
      const { date, date_gmt: gmt } = (await site.call('editor', `PUT /posts/${id}`, body)).body;
      return [date, gmt];
    };
    expect(await put({ title: 'Late' })).toEqual(['2020-10-25T02:30:00', '2020-10-25T01:30:00']);
    expect(await put({ date_gmt: '2020-10-25T00:30:00' })).toEqual(['2020-10-25T02:30:00', '2020-10-25T00:30:00']);
    expect(await put({ date: '2020-10-25T02:30:00' })).toEqual(['2020-10-25T02:30:00', '2020-10-25T00:30:00']);
  });

  it('without footnotes get no revision when these are removed', async () => {
    const id = await site.make('editor', '/posts', { title: 'Plain', status: 'publish' });
    const save = async (body: object) => {
      await site.call('editor', `PUT /posts/${id}`, body);
      return (await site.call('editor', `GET /posts/${id}/revisions`)).body.length;
    };
    expect(await save({ title: 'Plainer' })).toBe(1);
    expect(await save({ meta: { footnotes: null } })).toBe(1);
    expect(await save({ meta: { footnotes: '' } })).toBe(2);
  });

  it('refuse a status that is no word to those who read what is published alone', async () => {
    for (const status of ['[]', '""']) {
      const refused = await site.call('subscriber', `GET /posts?status=${status}`);
      expect([status, refused.status, refused.body.code]).toEqual([status, 400, 'rest_invalid_param']);
    }
  });

  it('of users are filtered by both capabilities and roles', async () => {
    const found = await site.call('administrator', 'GET /users?capabilities=publish_posts&roles=subscriber');
    expect(found.body).toEqual([]);
  });

  it('sort emoji after letters, in lists and in the terms of a record', async () => {
    const names = ['🎉 P', 'Abc', 'Zebra'];
    const categories = await Promise.all(names.map((name) => site.make('editor', '/categories', { name })));
    const id = await post({ categories });
    const { body } = await site.call('anonymous', `GET /posts/${id}`);
    const [emoji, abc, zebra] = categories;
    expect(body.categories).toEqual([abc, zebra, emoji]);
    const listed = await site.call('anonymous', `GET /categories?post=${id}&orderby=name`);
    expect(listed.body.map((one: { name: string }) => one.name)).toEqual(['Abc', 'Zebra', '🎉 P']);
    for (const title of ['🚀 r', 'Apple', 'Zebra'])
      await post({ title, slug: `order-${title}`, tags: [], format: 'aside' });
    const posts = await site.call('anonymous', 'GET /posts?format=aside&orderby=title&order=asc');
    expect(posts.body.map((one: { title: { rendered: string } }) => one.title.rendered)).toEqual([
      'Apple',
      'Zebra',
      '🚀 r',
    ]);
  });
});

describe('parameters', () => {
  it('limit media details and revisions with _fields', async () => {
    const id = await image();
    const { body } = await site.call('anonymous', `GET /media/${id}?_fields=id,media_details.width`);
    expect(body).toEqual({ id, media_details: { width: expect.any(Number) } });
    const entry = await post({ content: '1' });
    await site.call('author', `PUT /posts/${entry}`, { content: '2' });
    const revisions = await site.call('author', `GET /posts/${entry}/revisions?_fields=_links`);
    expect(Object.keys(revisions.body[0])).toEqual(['_links']);
  });

  it('give an empty excerpt for a negative excerpt length', async () => {
    const id = await post({ content: 'One two three' });
    const { body } = await site.call('anonymous', `GET /posts/${id}?excerpt_length=-1`);
    expect(body.excerpt.rendered).not.toContain('One');
  });

  it('do not override the method when sent as a form', async () => {
    const id = await post();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await site.call('author', `POST /posts/${id}`, '_method=DELETE', { headers });
    expect([body.id, body.status]).toEqual([id, 'publish']);
  });

  it('accept no template when the theme has none', async () => {
    const id = await image();
    const { body } = await site.call('author', `PUT /media/${id}`, { template: 'x' });
    expect(body.data.params.template).toBe('template is not one of .');
  });

  it('may be numbers in the headers of a batch', async () => {
    const requests = [{ path: '/cms/v2/posts', body: { title: 'In a batch' }, headers: { 'X-Number': 5 } }];
    const { status, body } = await site.call('author', 'POST /cms-json/batch/v1', { requests });
    expect([status, body.responses?.[0]?.status]).toEqual([207, 201]);
  });
});

describe('the schema', () => {
  it('marks the name of terms as required', async () => {
    const { body } = await site.call('anonymous', 'OPTIONS /tags');
    expect(body.schema.properties.name.required).toBe(true);
  });
});

describe('oEmbed', () => {
  it('embeds posts with a script for their height, and shows public featured images only', async () => {
    const featured = await image();
    await post({ title: 'Framed', slug: 'framed', featured_media: featured });
    const card = async () =>
      (await site.call('anonymous', `GET /cms-json/oembed/1.0/embed?url=${encodeURIComponent(`${SITE}/framed/`)}`))
        .body;
    const { html, thumbnail_url: thumbnail, thumbnail_width: width } = await card();
    expect(html).toContain('<script');
    expect(html).toContain('security="restricted"');
    expect([typeof thumbnail, typeof width]).toEqual(['string', 'number']);
    const draft = await site.make('author', '/posts', { title: 'Draft' });
    await site.call('author', `PUT /media/${featured}`, { post: draft });
    expect(await card()).not.toHaveProperty('thumbnail_url');
  });

  it('of own URLs honours height and format in the proxy', async () => {
    const url = encodeURIComponent(`${SITE}/framed/`);
    const proxy = (query: string) =>
      fetch(`http://127.0.0.1:${site.port}/cms-json/oembed/1.0/proxy?url=${url}&${query}`, {
        headers: { authorization: site.authorization('author') },
      });
    expect(await (await proxy('maxheight=250')).json()).toMatchObject({ height: 250 });
    const xml = await proxy('format=xml');
    expect([xml.headers.get('content-type'), (await xml.text()).includes('<oembed>')]).toEqual([
      'text/xml; charset=UTF-8',
      true,
    ]);
  });
});

describe('files', () => {
  it('never reuse the name of a deleted file', async () => {
    const upload = async (width: number) =>
      (await uploadBody(site, 'author', { name: 'x.png', type: 'image/png', bytes: pngOf(width, 1) })).body;
    const first = await upload(1);
    await site.call('author', `DELETE /media/${first.id}?force=true`);
    expect((await upload(2)).filename).toBe('x-1.png');
  });
});

describe('the password of a post', () => {
  const tried = async (fields: object, as: As = 'editor') => {
    const { status, body } = await site.call(as, 'POST /posts', { title: 'Locked', status: 'publish', ...fields });
    return [status, status === 201 ? body.password : body.code];
  };

  it('may have 255 characters, of any script', async () => {
    expect(await tried({ password: '😀'.repeat(255) })).toEqual([201, '😀'.repeat(255)]);
    expect(await tried({ password: '😀'.repeat(256) })).toEqual([400, 'db_insert_error']);
  });

  it('is ignored on a private post, whatever its length', async () => {
    expect(await tried({ status: 'private', password: 'p'.repeat(256) })).toEqual([201, '']);
  });

  it('is checked for its length last', async () => {
    const password = 'p'.repeat(256);
    expect(await tried({ password, sticky: true })).toEqual([400, 'rest_invalid_field']);
    expect(await tried({ password, title: '' })).toEqual([400, 'empty_content']);
  });
});

describe('a date at the end of time', () => {
  it('is kept where the time zone would move it further', async () => {
    await site.call('administrator', 'POST /settings', { timezone: 'Europe/Berlin' });
    for (const sent of [{ date: '9999-12-31T23:59:59Z' }, { date_gmt: '9999-12-31T23:59:59' }]) {
      const { status, body } = await site.call('editor', 'POST /posts', { title: 'Far', status: 'publish', ...sent });
      expect([status, body.status, body.date]).toEqual([201, 'future', '9999-12-31T23:59:59']);
    }
    const { body } = await site.call('anonymous', 'GET /posts?after=9999-12-31T23:59:59Z');
    expect(body).toEqual([]);
  });

  it.each(['0000-06-01T00:00:00', '2020-01-01T00:00:00+25:00', '2020-01-01T00:00:00+01:60'])(
    'is refused where it cannot be kept: %s',
    async (date) => {
      const written = await site.call('editor', 'POST /posts', { title: 'Never', date });
      const listed = await site.call('anonymous', `GET /posts?before=${encodeURIComponent(date)}`);
      for (const { status, body } of [written, listed]) {
        const { details } = body.data;
        expect([status, Object.values<{ code: string }>(details)[0]?.code]).toEqual([400, 'rest_invalid_date']);
      }
    },
  );
});

describe('a list that is asked for again with its entity tag', () => {
  it('is sent again when only its totals have changed', async () => {
    const path = 'GET /tags?per_page=1&order=asc&_fields=id';
    await site.make('editor', '/tags', { name: 'A first tag' });
    const before = await site.call('anonymous', path);
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
    expect((await site.call('anonymous', path, undefined, { headers })).status).toBe(304);
    await site.make('editor', '/tags', { name: 'The second tag' });
    const after = await site.call('anonymous', path, undefined, { headers });
    const totals = [before, after].map(({ headers }) => Number(headers.get('x-cms-total')));
    expect([after.status, totals[1]]).toEqual([200, (totals[0] ?? 0) + 1]);
    expect(after.body).toEqual(before.body);
  });
});

describe('a request that is refused before it is read', () => {
  it('is enveloped when it asks for that', async () => {
    const { status, body } = await site.call('anonymous', 'GET /posts?_envelope', undefined, {
      headers: { 'x-cms-nonce': 'old' },
    });
    expect([status, body.status, body.body.code]).toEqual([200, 403, 'rest_cookie_invalid_nonce']);
  });
});
