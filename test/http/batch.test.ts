import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Reader } from '#projections/reading/reader.ts';
import { type As, BASE, type Site, startSite } from '../support/site.ts';

const all = { validation: 'require-all-validate' };
const posts = '/cms/v2/posts';
const create = (title: string, more: object = {}) => ({ path: posts, body: { title, ...more } });

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const batch = (as: As, requests: unknown, more: object = {}) =>
  site.call(as, 'POST /cms-json/batch/v1', { requests, ...more });
const codes = (body: { responses: ({ body: { code?: string } } | null)[] }) =>
  body.responses.map((one) => (one === null ? null : one.body.code));
const statuses = (body: { responses: { status: number }[] }) => body.responses.map(({ status }) => status);
const commitsSince = (position: number) =>
  new Set([...site.node.log.read({ from: position + 1 })].map((event) => event.commit.id));

describe('a batch', () => {
  it('is answered in order, later requests see earlier ones, and everything is one commit', async () => {
    const next = (await site.make('editor', '/posts', { title: 'Before' })) + 1;
    const before = site.position();
    const { status, headers, body } = await batch('editor', [
      create('One', { status: 'publish' }),
      { method: 'PUT', path: `${posts}/${next}`, body: { title: 'Two' } },
      { method: 'PATCH', path: `${posts}/${next}`, body: { slug: 'three' } },
      { method: 'DELETE', path: `${posts}/${next}` },
    ]);
    expect(status).toBe(207);
    expect(Object.keys(body)).toEqual(['responses']);
    expect(statuses(body)).toEqual([201, 200, 200, 200]);
    expect(body.responses.map((one: { body: { title: { raw: string } } }) => one.body.title.raw)).toEqual([
      'One',
      ...['Two', 'Two', 'Two'],
    ]);
    expect(body.responses[3].body).toMatchObject({ status: 'trash', slug: 'three__trashed' });
    expect(commitsSince(before).size).toBe(1);
    expect(Number(headers.get('x-cms-position'))).toBe(site.position());
    expect(headers.get('allow')).toBe('POST');
  });

  it('gives each response its own headers, or none', async () => {
    const { body } = await batch('author', [create('Mine'), { path: `${posts}/987654321` }]);
    const id = body.responses[0].body.id;
    expect(body.responses[0].headers).toEqual({ Location: `${BASE}/posts/${id}`, Allow: 'GET, POST' });
    expect(body.responses[1]).toMatchObject({ status: 404, headers: {} });
    const gone = await batch('author', [{ method: 'DELETE', path: `${posts}/${id}?force=true` }]);
    expect(gone.body.responses[0]).toMatchObject({ status: 200, headers: {}, body: { deleted: true } });
  });

  it('drops everything a refused request had done, including its id, and continues', async () => {
    const before = site.position();
    const { body } = await batch('editor', [
      create('First'),
      create('Stored and taken back', { meta: { footnotes: 5 } }),
      create('Second'),
    ]);
    expect(statuses(body)).toEqual([201, 400, 201]);
    expect(body.responses[2].body.id).toBe(body.responses[0].body.id + 1);
    expect(site.position()).toBe(before + 2);
    expect((await site.call('editor', 'GET /posts?search=taken&status=any')).body).toEqual([]);
  });

  it('answers a fault with 500 for that request alone and drops what it had done', async () => {
    const before = site.position();
    const entry = Reader.prototype.entry;
    const known = site.node.store.reader;
    const broken = vi.spyOn(Reader.prototype, 'entry').mockImplementation(function (this: Reader, id) {
      const row = entry.call(this, id);
      if (this !== known && row?.title === 'Unlucky') throw new Error('broken');
      return row;
    });
    const { body } = await batch('editor', [create('Unlucky'), create('Lucky')]);
    broken.mockRestore();
    expect(statuses(body)).toEqual([500, 201]);
    expect(codes(body)[0]).toBe('internal_server_error');
    expect(site.position()).toBe(before + 1);
  });

  it('validates all parameters before carrying out any request', async () => {
    const id = await site.make('editor', '/posts', { title: 'To the trash' });
    const { body } = await batch('editor', [
      { method: 'DELETE', path: `${posts}/${id}` },
      // A status cannot move an item to the trash, but a trashed item may keep it.
      { method: 'PUT', path: `${posts}/${id}`, body: { status: 'trash' } },
    ]);
    expect(statuses(body)).toEqual([200, 400]);
    const later = await batch('editor', [{ method: 'PUT', path: `${posts}/${id}`, body: { status: 'trash' } }]);
    expect(statuses(later.body)).toEqual([200]);
  });

  it('applies the headers of each request', async () => {
    const { body: made, headers } = await site.call('editor', 'POST /posts', { title: 'Versions' });
    expect(headers.get('etag')).toBeNull();
    const shown = await site.call('editor', `GET /posts/${made.id}?context=edit`);
    const path = `${posts}/${made.id}`;
    const tag = shown.headers.get('etag');
    const { body } = await batch('editor', [
      { path, headers: { 'If-Match': '"no-such"' }, body: { title: 'A' } },
      { path, headers: { 'If-Match': ['"no-such"', tag] }, body: { title: 'B' } },
      { path, headers: { if_match: tag }, body: { title: 'C' } },
    ]);
    expect(statuses(body)).toEqual([412, 200, 412]);
  });

  it('limits fields with _fields, per request and for the batch', async () => {
    const { body } = await batch('editor', [
      { path: `${posts}?_fields=id,title.raw`, body: { title: 'Few' } },
      { path: posts, body: { title: 'Fewer', _fields: 'slug' } },
    ]);
    const [few, fewer] = body.responses.map((one: { body: unknown }) => one.body);
    expect([Object.keys(few), few.title, fewer]).toEqual([['id', 'title'], { raw: 'Few' }, { slug: '' }]);
    const requests = [create('None')];
    expect((await site.call('editor', 'POST /cms-json/batch/v1?_fields=failed', { requests })).body).toEqual({});
  });

  it('may be sent as a form', async () => {
    const { status, body } = await site.call(
      'editor',
      'POST /cms-json/batch/v1',
      'requests[0][path]=/cms/v2/posts&requests[0][body][title]=Form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    );
    expect([status, body.responses[0].body.title.raw]).toEqual([207, 'Form']);
  });

  it('writes under one correlation id and in the name of its sender', async () => {
    const before = site.position();
    const requests = [create('A'), create('B')];
    const headers = { 'x-correlation-id': 'sync-4711' };
    await site.call('author', 'POST /cms-json/batch/v1', { requests }, { headers });
    const events = [...site.node.log.read({ from: before + 1 })];
    expect(events.map(({ correlationId, actor }) => [correlationId, actor])).toEqual([
      ['sync-4711', 3],
      ['sync-4711', 3],
    ]);
  });

  it('without requests has an empty answer', async () => {
    const before = site.position();
    expect((await batch('anonymous', [])).body).toEqual({ responses: [] });
    expect((await batch('anonymous', [], all)).body).toEqual({ responses: [] });
    expect(site.position()).toBe(before);
  });
});

describe('the path of a request', () => {
  it.each([
    ['a query', `${posts}?title=Q`, 201],
    ['a fragment', `${posts}#part?title=Q`, 400],
    ['an address', `https://elsewhere.example:8443${posts}?title=Q`, 201],
    ['an address without scheme', `//elsewhere.example${posts}?title=Q`, 201],
    ['an address without path', 'https://elsewhere.example', 404],
    ['no slash before it', 'cms/v2/posts', 404],
    ['a slash after it', `${posts}/`, 404],
    ['two slashes before it', `/${posts}`, 404],
    ['escapes', '/cms/v2/post%73', 404],
    ['the root of the interface', `/cms-json${posts}`, 404],
    ['other letters', posts.toUpperCase(), 201],
    ['nothing', '', 404],
  ])('with %s: %s answers %i', async (_, path, status) => {
    const { body } = await batch('editor', [{ path, body: status === 201 ? { content: 'x' } : {} }]);
    expect(statuses(body)).toEqual([status]);
  });

  it('must match a route that allows batches, with one of its methods', async () => {
    const { body } = await batch('administrator', [
      { path: '/batch/v1', body: { requests: [] } },
      { method: 'PUT', path: posts },
      { path: '/cms/v2/nothing-here' },
      { method: 'DELETE', path: '/cms/v2/types/post' },
    ]);
    expect(codes(body)).toEqual(['rest_batch_not_allowed', ...['rest_no_route', 'rest_no_route', 'rest_no_route']]);
    expect(body.responses.map((one: { headers: unknown }) => one.headers)).toEqual([{ Allow: 'POST' }, {}, {}, {}]);
  });

  it('ignores overrides of the method', async () => {
    const id = await site.make('editor', '/posts', { title: 'Stays' });
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    await batch('editor', [{ path: `${posts}/${id}?_method=DELETE&force=true`, body: { _method: 'DELETE' }, headers }]);
    expect((await site.call('editor', `GET /posts/${id}`)).status).toBe(200);
  });
});

describe('a batch with require-all-validate', () => {
  it('is not begun when one request has invalid parameters', async () => {
    const before = site.position();
    const { status, body } = await batch(
      'editor',
      [create('A'), create('B', { status: 'bogus' }), { path: '/x' }],
      all,
    );
    expect([status, body.failed, codes(body)]).toEqual([
      207,
      'validation',
      [null, 'rest_invalid_param', 'rest_no_route'],
    ]);
    expect(body.responses[1]).toMatchObject({ status: 400, headers: {} });
    expect(site.position()).toBe(before);
  });

  it('stores nothing when one request is refused, and returns every refusal', async () => {
    const before = site.position();
    const { status, body } = await batch(
      'contributor',
      [
        create('A'),
        create('B', { status: 'publish' }),
        { path: posts, body: {} },
        { path: posts, body: { title: 'C', meta: { footnotes: 5 } } },
        { method: 'PUT', path: `${posts}/987654321`, body: { title: 'x' } },
        { path: '/cms/v2/pages', body: { title: 'x' } },
      ],
      all,
    );
    expect([status, body.failed]).toEqual([207, 'validation']);
    expect(codes(body)).toEqual([
      null,
      ...['rest_cannot_publish', 'empty_content', 'rest_invalid_type', 'rest_post_invalid_id', 'rest_cannot_create'],
    ]);
    expect(body.responses[1]).toMatchObject({ status: 403, headers: {} });
    expect(site.position()).toBe(before);
  });

  it('leaves no trace when it is rolled back', async () => {
    const first = await site.make('editor', '/categories', { name: 'There' });
    const requests = [
      { path: '/cms/v2/categories', body: { name: 'Taken back' } },
      create('In it', { categories: [first + 1] }),
      { path: posts, body: {} },
    ];
    const { body } = await batch('editor', requests, all);
    expect(codes(body)).toEqual([null, null, 'empty_content']);
    const { body: post } = await site.call('editor', 'POST /posts', { title: 'Later', categories: [first + 1] });
    expect(post.categories).not.toContain(first + 1);
    expect(await site.make('editor', '/categories', { name: 'Next' })).toBe(first + 1);
  });

  it('is carried out as one commit when all requests are valid', async () => {
    const before = site.position();
    const { body } = await batch('editor', [create('A'), create('B')], all);
    expect([body.failed, statuses(body)]).toEqual([undefined, [201, 201]]);
    expect(commitsSince(before).size).toBe(1);
  });
});

describe('a call of the batch route', () => {
  it.each([
    ['without requests', {}, 'rest_missing_callback_param', undefined],
    ['with 26 of them', { requests: Array(26).fill(create('x')) }, 'rest_invalid_param', 'rest_too_many_items'],
    ['with a request without path', { requests: [{}] }, 'rest_invalid_param', 'rest_property_required'],
    ['with GET', { requests: [{ method: 'GET', path: '/' }] }, 'rest_invalid_param', 'rest_not_in_enum'],
    ['with small letters', { requests: [{ method: 'put', path: '/' }] }, 'rest_invalid_param', 'rest_not_in_enum'],
    ['with a text as body', { requests: [{ path: '/', body: 'x' }] }, 'rest_invalid_param', 'rest_invalid_type'],
    [
      'with a map in a header',
      { requests: [{ path: '/', headers: { a: { b: 'c' } } }] },
      'rest_invalid_param',
      undefined,
    ],
  ])('%s is refused as a whole', async (_, sent, code, detail) => {
    const before = site.position();
    const { status, body } = await site.call('administrator', 'POST /cms-json/batch/v1', sent);
    expect([status, body.code]).toEqual([400, code]);
    if (detail !== undefined) expect(body.data.details.requests.code).toBe(detail);
    expect(site.position()).toBe(before);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('with %s has no route', async (method) => {
    expect((await site.call('administrator', `${method} /cms-json/batch/v1`)).status).toBe(404);
  });
});

describe('the size of a commit', () => {
  it('is limited: a request beyond the limit answers 413 and stores nothing; others in the same append succeed', async () => {
    const lines: { readonly level: number }[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const small = await startSite({ env: { COMMIT_BYTES: '65536' }, logger });
    const before = small.position();
    const big = (n: number) => ({ requests: Array(n).fill(create('Big', { content: 'ü'.repeat(5000) })) });
    const send = (body: object) => small.call('editor', 'POST /cms-json/batch/v1', body);
    const [few, many, every, one] = await Promise.all([
      send(big(2)),
      send(big(25)),
      send({ ...big(25), ...all }),
      small.call('editor', 'POST /posts', { content: 'x'.repeat(70_000) }),
    ]);
    expect([few, many, every, one].map(({ status }) => status)).toEqual([207, 413, 413, 413]);
    expect(lines).toEqual([]);
    expect(many?.body).toMatchObject({ code: 'rest_request_too_large', data: { status: 413 } });
    expect(small.position()).toBe(before + 2);
    expect((await send(big(3))).status).toBe(207);
    await small.close();
  });
});

describe('reads in a batch', () => {
  const read = (path: string, more: object = {}) => ({ method: 'GET', path: `/cms/v2${path}`, ...more });
  const reads = { reads: true };

  it('are announced, and refused to those who do not ask for them', async () => {
    const { body: index } = await site.call('anonymous', 'GET /cms-json/');
    expect(index.extensions.batch.v1).toEqual({ reads: true });
    const refused = await batch('editor', [read('/posts')]);
    expect([refused.status, refused.body.code]).toEqual([400, 'rest_invalid_param']);
  });

  it('answer as they would alone, whoever asks', async () => {
    const id = await site.make('editor', '/posts', { title: 'Read', status: 'publish' });
    const draft = await site.make('editor', '/posts', { title: 'Draft' });
    const before = site.position();
    const { status, body } = await batch(
      'anonymous',
      [
        read(`/posts/${id}?_fields=id,title`),
        read('/posts?per_page=1&_embed&_fields=id,_links,_embedded'),
        read(`/posts/${draft}`),
        read('/posts?per_page=9000'),
        read('/nowhere'),
        read('/users/me'),
        { method: 'GET', path: '/?_fields=name' },
      ],
      reads,
    );
    expect(status).toBe(207);
    expect(statuses(body)).toEqual([200, 200, 401, 400, 404, 401, 200]);
    expect(body.responses[0].body).toEqual((await site.call('anonymous', `GET /posts/${id}?_fields=id,title`)).body);
    expect(body.responses[1].headers).toHaveProperty('X-CMS-Total');
    expect(body.responses[1].body[0]._embedded.author).toHaveLength(1);
    expect(site.position()).toBe(before);
  });

  it('embed what they would alone', async () => {
    await site.make('editor', '/posts', { title: 'Embedded', status: 'publish' });
    for (const path of ['/posts?per_page=1&_embed', '/resolve?path=/&_embed', '/resolve?path=/author/editor/&_embed']) {
      const { body } = await batch('anonymous', [read(path)], reads);
      expect(body.responses[0].body._embedded ?? body.responses[0].body[0]._embedded).toBeDefined();
      expect(body.responses[0].body).toEqual((await site.call('anonymous', `GET ${path}`)).body);
    }
  });

  it('see what the writes before them did, and an earlier state by as_of', async () => {
    const id = await site.make('editor', '/posts', { title: 'Then' });
    const then = site.position();
    const { body } = await batch(
      'editor',
      [
        { method: 'PUT', path: `${posts}/${id}`, body: { title: 'Now' } },
        read(`/posts/${id}?context=edit&_fields=title`),
        read(`/posts/${id}?context=edit&_fields=title&as_of=${then}`),
      ],
      reads,
    );
    expect(statuses(body)).toEqual([200, 200, 200]);
    expect(body.responses.slice(1).map((one: { body: { title: { raw: string } } }) => one.body.title.raw)).toEqual([
      'Now',
      'Then',
    ]);
  });

  it('are no way to what nobody may keep, and at most 25', async () => {
    const draft = await site.make('administrator', '/posts', { title: 'Draft' });
    const { token } = (await site.call('administrator', 'POST /previews', { item: draft })).body;
    const { body } = await batch(
      'administrator',
      [read('/audit'), read('/changes?wait=1'), read(`/posts/${draft}?preview=${token}`)],
      reads,
    );
    expect(codes(body)).toEqual(Array.from({ length: 3 }, () => 'rest_batch_not_allowed'));
    const many = await batch(
      'administrator',
      Array.from({ length: 26 }, () => read('/posts')),
      reads,
    );
    expect(many.status).toBe(400);
    const unnamed = await batch('administrator', [{ path: '/cms/v2/posts?title=No' }], reads);
    expect([unnamed.status, unnamed.body.code]).toEqual([400, 'rest_invalid_param']);
    const strict = await batch('administrator', [read('/posts?per_page=0'), { ...create('No'), method: 'POST' }], {
      ...reads,
      ...all,
    });
    expect(strict.body.failed).toBe('validation');
  });
});
