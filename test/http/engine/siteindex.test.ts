import { beforeEach, describe, expect, it } from 'vitest';
import { asOwner, BASE, createSite, type Site } from './support.ts';

let site: Site;
beforeEach(() => {
  site = createSite();
});
const get = async (url: string) => (await site.app.inject({ url })).json();
const options = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await site.app.inject({ method: 'OPTIONS', url, headers });
  return { status: answer.statusCode, allow: answer.headers.allow, body: answer.json() };
};

describe('the site index', () => {
  it.each(['/cms-json', '/cms-json/', '/?rest_route=/', '/cms-json?context=whatever'])(
    'is served at %s',
    async (url) => {
      const index = await get(url);
      expect(Object.keys(index)).toEqual([
        'name',
        'description',
        'url',
        'home',
        'namespaces',
        'authentication',
        'routes',
        'site_icon',
        '_links',
      ]);
      expect(index).toMatchObject({ name: 'Notes', namespaces: ['notes/v1', 'empty/v1'], authentication: [] });
    },
  );

  it('lists every route, starting with itself and the namespaces', async () => {
    const { routes } = await get('/cms-json/');
    expect(Object.keys(routes).slice(0, 3)).toEqual(['/', '/notes/v1', '/notes/v1/notes']);
    expect(routes['/']).toEqual({
      namespace: '',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: { context: { default: 'view', required: false } } }],
      _links: { self: [{ href: `${BASE}/` }] },
    });
    expect(routes['/notes/v1/need'].endpoints[0].args).toEqual({
      url: { type: 'string', format: 'uri', required: true },
      size: { default: 600, required: false },
    });
  });

  it('links to routes without parameters only', async () => {
    const { routes } = await get('/cms-json/');
    expect(routes['/notes/v1/notes']._links).toEqual({ self: [{ href: `${BASE}/notes/v1/notes` }] });
    expect(routes['/notes/v1/notes/(?P<id>[\\d]+)']).not.toHaveProperty('_links');
    expect(routes['/notes/v1/shelf(?:/(?P<reset>reset))?']).not.toHaveProperty('_links');
  });

  it('marks routes that allow batches, and shows empty args as a list', async () => {
    const { routes } = await get('/cms-json/');
    expect(routes['/notes/v1/notes'].endpoints[0].allow_batch).toEqual({ v1: true });
    expect(routes['/notes/v1/feed'].endpoints).toEqual([{ methods: ['GET'], args: [] }]);
  });

  it('uses the current address of the site', async () => {
    await get('/cms-json/');
    site.siteUrl = 'http://moved.example';
    expect((await get('/cms-json/')).routes['/']._links.self[0].href).toBe('http://moved.example/cms-json/');
  });

  it('can be limited with _fields', async () => {
    expect(await get('/cms-json/?_fields=name,url')).toEqual({ name: 'Notes', url: 'http://notes.example' });
  });
});

describe('the index of a namespace', () => {
  it('lists its routes', async () => {
    const index = await get('/cms-json/empty/v1/');
    expect(index).toEqual({
      namespace: 'empty/v1',
      routes: {
        '/empty/v1': expect.objectContaining({
          endpoints: [
            {
              methods: ['GET'],
              args: {
                namespace: { default: 'empty/v1', required: false },
                context: { default: 'view', required: false },
              },
            },
          ],
        }),
      },
      _links: { up: [{ href: `${BASE}/` }] },
    });
  });

  it('answers 404 when the namespace is unknown', async () => {
    expect(await get('/cms-json/other/v1')).toMatchObject({ code: 'rest_no_route', data: { status: 404 } });
    expect(await get('/cms-json/empty/v1?namespace=other/v1')).toMatchObject({
      code: 'rest_invalid_namespace',
      data: { status: 404 },
    });
  });
});

describe('OPTIONS', () => {
  it('describes a route, its schema and the methods allowed to the user', async () => {
    const { status, allow, body } = await options('/cms-json/notes/v1/notes', asOwner);
    expect([status, allow]).toEqual([200, 'GET, POST']);
    expect(body).toMatchObject({
      namespace: 'notes/v1',
      methods: ['GET', 'POST'],
      schema: { title: 'note' },
      _links: { self: expect.any(Array) },
    });
    expect((await options('/cms-json/notes/v1/notes')).allow).toBe('GET');
  });

  it('lists the methods allowed on an item, and none for a missing one', async () => {
    await site.app.inject({
      method: 'POST',
      url: '/cms-json/notes/v1/notes',
      payload: '{"title":"x"}',
      headers: { 'content-type': 'application/json', ...asOwner },
    });
    expect((await options('/cms-json/notes/v1/notes/1', asOwner)).allow).toBe('GET, POST, PUT, PATCH, DELETE');
    expect((await options('/cms-json/notes/v1/notes/1')).allow).toBe('GET');
    expect((await options('/cms-json/notes/v1/notes/99', asOwner)).allow).toBeUndefined();
  });

  it('ignores missing and invalid parameters', async () => {
    expect((await options('/cms-json/notes/v1/need')).allow).toBe('GET');
    expect((await options('/cms-json/notes/v1/notes?page=x')).status).toBe(200);
  });

  it('returns an empty list for an unknown route', async () => {
    expect(await options('/cms-json/nowhere')).toEqual({ status: 200, allow: undefined, body: [] });
  });

  it('can be requested with _method', async () => {
    expect(await get('/cms-json/notes/v1/notes?_method=OPTIONS')).toMatchObject({ methods: ['GET', 'POST'] });
  });
});
