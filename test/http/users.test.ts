import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, BASE, SITE, type Site, startSite } from '../support/site.ts';

const [ADMIN, EDITOR, AUTHOR, CONTRIBUTOR, SUBSCRIBER] = [1, 2, 3, 4, 5];

/** The author has published a post, the editor a private one; the other users have published nothing. */
let site: Site;
beforeAll(async () => {
  site = await startSite();
  await site.make('author', '/posts', { title: 'Public', status: 'publish' });
  await site.make('editor', '/posts', { title: 'Private', status: 'private' });
  await site.make('contributor', '/posts', { title: 'Draft' });
});
afterAll(() => site.close());

const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);
const list = async (as: As, query: string) => ids((await site.call(as, `GET /users${query}`)).body);

describe('a user', () => {
  it('is shown without personal data', async () => {
    const { status, headers, body } = await site.call('anonymous', `GET /users/${AUTHOR}`);
    const { avatar_urls: avatars, ...fields } = body;
    expect(fields).toEqual({
      id: AUTHOR,
      name: 'author',
      url: '',
      description: '',
      link: `${SITE}/author/author/`,
      slug: 'author',
      meta: [],
      _links: {
        self: [{ href: `${BASE}/users/${AUTHOR}`, targetHints: { allow: ['GET'] } }],
        collection: [{ href: `${BASE}/users` }],
      },
    });
    expect(Object.keys(avatars)).toEqual(['24', '48', '96']);
    expect(avatars[48]).toMatch(/^http:\/\/site\.example\/avatar\/[0-9a-f]{64}\?s=48$/);
    expect([status, headers.get('allow')]).toEqual([200, 'GET']);
  });

  it('has names and an address in HTML, which is stored as text however it is sent', async () => {
    const sent = { name: 'D & E > "F"', first_name: 'Smith & Sons', nickname: 'N & M', url: 'http://e.test/?a=1&b=2' };
    const shown = {
      name: 'D &amp; E &gt; "F"',
      first_name: 'Smith &amp; Sons',
      nickname: 'N &amp; M',
      url: 'http://e.test/?a=1&amp;b=2',
    };
    for (const given of [sent, shown])
      expect((await site.call('subscriber', 'POST /users/me', given)).body).toMatchObject(shown);
    expect(site.node.store.reader.user(SUBSCRIBER)).toMatchObject({ displayName: 'D & E > "F"', url: sent.url });
    const description = '<a href="http://e.test" target="_blank" rel="x">l</a> ';
    expect((await site.call('subscriber', 'POST /users/me', { description })).body.description).toBe(description);
    await site.call('subscriber', 'POST /users/me', { name: 'subscriber', first_name: '', url: '', description: '' });
  });

  it('has fewer fields when embedded', async () => {
    const { body } = await site.call('anonymous', `GET /users/${AUTHOR}?context=embed`);
    expect(Object.keys(body)).toEqual(['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls', '_links']);
  });

  it('is shown in context edit to themselves and to administrators', async () => {
    for (const as of ['author', 'administrator'] as const) {
      const { body } = await site.call(as, `GET /users/${AUTHOR}?context=edit`);
      expect(body).toMatchObject({
        username: 'author',
        email: 'author@example.org',
        nickname: 'author',
        locale: 'en_US',
        roles: ['author'],
        registered_date: '2026-03-01T11:00:00+00:00',
        extra_capabilities: { author: true },
      });
      expect(body.capabilities).toMatchObject({ author: true, publish_posts: true, read: true });
      expect(body.capabilities).not.toHaveProperty('edit_others_posts');
      expect(JSON.stringify(body)).not.toMatch(/digest|password/);
    }
  });

  it.each([
    ['anonymous', 401],
    ['editor', 403],
  ] as const)('is refused in context edit to %s', async (as, status) => {
    expect(await site.call(as, `GET /users/${AUTHOR}?context=edit`)).toMatchObject({
      status,
      body: { code: 'rest_forbidden_context' },
    });
  });

  it.each([
    ['anonymous', EDITOR, 401],
    ['author', EDITOR, 403],
    ['subscriber', ADMIN, 403],
    ['editor', CONTRIBUTOR, 403],
  ] as const)('is hidden from %s when user %i has nothing that they may read', async (as, id, status) => {
    const { headers, ...reply } = await site.call(as, `GET /users/${id}`);
    expect(reply).toMatchObject({ status, body: { code: 'rest_user_cannot_view' } });
    expect(headers.get('allow')).toBeNull();
  });

  it.each([
    ['contributor', CONTRIBUTOR],
    ['editor', EDITOR],
    ['administrator', SUBSCRIBER],
  ] as const)('is visible to %s although user %i has published nothing', async (as, id) => {
    expect((await site.call(as, `GET /users/${id}`)).status).toBe(200);
  });

  it('answers 404 for an unknown id', async () => {
    for (const path of ['/users/0', '/users/99']) {
      expect(await site.call('administrator', `GET ${path}`)).toMatchObject({
        status: 404,
        body: { code: 'rest_user_invalid_id' },
      });
    }
  });
});

describe('the current user', () => {
  it('is returned by /users/me', async () => {
    expect((await site.call('subscriber', 'GET /users/me')).body).toMatchObject({ id: SUBSCRIBER, name: 'subscriber' });
    expect((await site.call('subscriber', 'GET /users/me?context=edit')).body.email).toBe('subscriber@example.org');
  });

  it('is refused to anonymous requests', async () => {
    expect(await site.call('anonymous', 'GET /users/me')).toMatchObject({
      status: 401,
      body: { code: 'rest_not_logged_in' },
    });
  });
});

describe('a collection of users', () => {
  it('contains authors of public posts for everybody, and all users for administrators', async () => {
    expect(await list('anonymous', '')).toEqual([AUTHOR]);
    expect(await list('editor', '')).toEqual([AUTHOR]);
    expect(await list('administrator', '')).toEqual([ADMIN, AUTHOR, CONTRIBUTOR, EDITOR, SUBSCRIBER]);
  });

  it('is filtered by ids, slugs, roles, capabilities and publications', async () => {
    expect(await list('administrator', `?include=${EDITOR},${ADMIN}&exclude=${ADMIN}`)).toEqual([ADMIN, EDITOR]);
    expect(await list('administrator', `?exclude=${ADMIN},${EDITOR}`)).toEqual([AUTHOR, CONTRIBUTOR, SUBSCRIBER]);
    expect(await list('administrator', '?slug=Editor,author')).toEqual([AUTHOR, EDITOR]);
    expect(await list('administrator', '?roles=editor,subscriber')).toEqual([EDITOR, SUBSCRIBER]);
    expect(await list('administrator', '?capabilities=publish_posts')).toEqual([ADMIN, AUTHOR, EDITOR]);
    expect(await list('administrator', '?capabilities=fly')).toEqual([]);
    expect(await list('administrator', '?has_published_posts=true')).toEqual([AUTHOR]);
    expect(await list('administrator', '?has_published_posts=page')).toEqual([]);
    expect(await list('contributor', '?who=authors')).toEqual([ADMIN, AUTHOR, CONTRIBUTOR, EDITOR]);
  });

  it('is searched, by email address for administrators only', async () => {
    expect(await list('administrator', '?search=TOR')).toEqual([ADMIN, CONTRIBUTOR, EDITOR]);
    expect(await list('administrator', '?search=editor@')).toEqual([EDITOR]);
    expect(await list('administrator', `?search=${EDITOR}`)).toEqual([EDITOR]);
    expect(await list('administrator', '?search=example&search_columns=email&per_page=1')).toEqual([ADMIN]);
    expect(await list('anonymous', '?search=auth')).toEqual([AUTHOR]);
    expect(await list('anonymous', '?search=example')).toEqual([]);
    expect(await list('anonymous', '?search=example&search_columns=email')).toEqual([]);
  });

  it('can be sorted otherwise and paged', async () => {
    expect(await list('administrator', '?orderby=id&order=desc')).toEqual([5, 4, 3, 2, 1]);
    expect(await list('administrator', '?orderby=email&per_page=2')).toEqual([ADMIN, AUTHOR]);
    expect(await list('administrator', '?orderby=include&include=3,1,2')).toEqual([3, 1, 2]);
    expect(await list('administrator', '?orderby=include_slugs&slug=editor,author&order=desc')).toEqual([
      EDITOR,
      AUTHOR,
    ]);
    expect(await list('administrator', '?orderby=id&per_page=2&offset=3')).toEqual([4, 5]);
    const { headers, body } = await site.call('administrator', 'GET /users?orderby=id&per_page=2&page=2');
    expect(ids(body)).toEqual([3, 4]);
    expect([headers.get('x-cms-total'), headers.get('x-cms-totalpages')]).toEqual(['5', '3']);
    expect(headers.get('link')).toContain(`<${BASE}/users?orderby=id&per_page=2&page=3>; rel="next"`);
  });

  it.each([
    ['roles=editor', 'rest_user_cannot_view'],
    ['capabilities=edit_posts', 'rest_user_cannot_view'],
    ['context=edit', 'rest_forbidden_context'],
    ['orderby=email', 'rest_forbidden_orderby'],
    ['orderby=registered_date', 'rest_forbidden_orderby'],
  ])('is refused to editors with %s', async (query, code) => {
    expect(await site.call('editor', `GET /users?${query}`)).toMatchObject({ status: 403, body: { code } });
  });

  it('is refused to anonymous requests with who=authors, and for invalid values', async () => {
    expect(await site.call('anonymous', 'GET /users?who=authors')).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden_who' },
    });
    for (const query of ['who=all', 'orderby=password', 'search_columns=password', 'has_published_posts=maybe']) {
      expect(await site.call('administrator', `GET /users?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param' },
      });
    }
  });
});

describe('an embedded author', () => {
  it('is a short record, or the error of a hidden one', async () => {
    const { body } = await site.call('anonymous', 'GET /posts?_embed=author');
    expect(body[0]._embedded.author).toMatchObject([{ id: AUTHOR, name: 'author' }]);
    const id = await site.make('contributor', '/posts', { title: 'Unread' });
    const draft = await site.call('editor', `GET /posts/${id}?_embed=author`);
    expect(draft.body._embedded.author).toMatchObject([{ code: 'rest_user_cannot_view' }]);
  });
});

it('the schema of users says which fields a new one needs', async () => {
  const { body } = await site.call('anonymous', 'OPTIONS /users');
  const { properties } = body.schema;
  const needed = Object.keys(properties).filter((name) => properties[name].required === true);
  expect(needed).toEqual(['username', 'email', 'password']);
  const { description: _, ...capabilities } = properties.capabilities;
  expect(capabilities).toEqual({ type: 'object', context: ['edit'], readonly: true });
});
