import { fastify, type RouteOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { addInterface } from '#http/app/interface-routes.ts';
import { describe as describeRoutes } from '#http/openapi/document.ts';
import type { RouteSchema } from '#http/openapi/route-schema.ts';
import type { RouteAnswer } from '#http/server/exchange.ts';
import { routesOf } from '#ops/site-app.ts';
import { readConfig } from '../../src/config.ts';
import { openTestNode } from '../support/node.ts';

describe('the framework', () => {
  it('sees each route of the interface with its pattern and methods, and all else by one route', async () => {
    const { app, seen, close } = await openRoutes();
    const methods = (url: string) =>
      [...seen.keys()].flatMap((key) => (key.endsWith(` ${url}`) ? key.split(' ')[0] : []));
    expect(methods('/cms-json/cms/v2/posts')).toEqual(['GET', 'HEAD', 'POST']);
    expect(methods('/cms-json/cms/v2/posts/:id').join()).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(seen.has('GET /cms-json/*')).toBe(true);
    expect(seen.get('GET /cms-json/cms/v2/posts/:id')?.config?.pattern).toBe('/cms/v2/posts/(?P<id>[\\d]+)');
    expect(app.printRoutes()).toContain('posts');
    const long = 'a'.repeat(1000);
    for (const url of [`/cms/v2/types/${long}`, `/CMS/v2/posts/${long}`, '/cms/v2/templates/a//b/c']) {
      expect((await app.inject({ url: `/cms-json${url}` })).statusCode).toBe(204);
    }
    await close();
  });

  it('sees the schemas of each route', async () => {
    const { schemaOf, close } = await openRoutes();
    const list = schemaOf('GET /cms-json/cms/v2/posts');
    expect(list).toMatchObject({ summary: 'List posts', tags: ['cms/v2'] });
    expect(list?.querystring['properties']).toMatchObject({ per_page: { type: 'integer', maximum: 100 }, _fields: {} });
    expect(list?.response['2xx']?.['allOf']).toMatchObject([{ type: 'array', items: { title: 'post' } }]);
    const one = schemaOf('PATCH /cms-json/cms/v2/posts/:id');
    expect(one?.params).toMatchObject({ properties: { id: { type: 'integer' } }, required: ['id'] });
    expect(one?.body?.['properties']).toMatchObject({ title: { anyOf: [{ type: 'string' }, { type: 'object' }] } });
    expect(one?.body).not.toHaveProperty('properties.id');
    expect(schemaOf('DELETE /cms-json/cms/v2/posts/:id')?.body).toHaveProperty('properties.force');
    expect(schemaOf('POST /cms-json/cms/v2/comments')?.response).toHaveProperty(
      ['2xx', 'allOf', 0, 'title'],
      'comment',
    );
    await close();
  });

  it('sees the schema of each operation that the description has', async () => {
    const { schemaOf, routes, model, close } = await openRoutes();
    const { paths } = describeRoutes(routes, { model: model(), title: '', base: '', first: '' });
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { summary }]) => ({ method: method.toUpperCase(), path, summary })),
    );
    const described = operations.filter(({ method, path }) => method !== 'HEAD' && path !== '/');
    const found = described.map(({ method, path }) => {
      const url = `/cms-json${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      return { method, path, summary: schemaOf(`${method} ${url}`)?.summary.replace(/^\w+/, '') };
    });
    expect(found).toEqual(described.map((one) => ({ ...one, summary: one.summary.replace(/^\w+/, '') })));
    await close();
  });

  it('takes routes that its router cannot tell apart, or not express', async () => {
    const route = (pattern: string) => ({
      ...{ namespace: 'x', pattern },
      endpoints: [{ methods: ['GET'] as const, args: {}, permission: () => null, query: () => ({ body: nothing }) }],
    });
    const nothing = { kind: 'json', value: null } as const;
    const patterns = ['/x/(?P<id>[\\d]+)', '/x/(?P<name>[a-z]+)', '/x/(?P<a>[a-z]+)(?P<b>[\\d]+)', '/y/.*'];
    const app = fastify();
    const answer: RouteAnswer = (_, reply) => reply.code(204).send();
    addInterface(app, patterns.map(route), { root: '/r', answer, model: () => null });
    for (const url of ['/x/1', '/x/a', '/x/a1', '/y/z/z', '']) {
      expect((await app.inject({ url: `/r${url}` })).statusCode).toBe(204);
    }
    expect(app.findRoute({ method: 'GET', url: '/r/x/:id' })).not.toBeNull();
    await app.close();
  });

  it('makes no schema until somebody looks, and validates nothing by it', async () => {
    const { app, close } = await openRoutes(() => {
      throw new Error('looked at');
    });
    expect((await app.inject({ url: '/cms-json/cms/v2/posts?per_page=x' })).statusCode).toBe(204);
    await close();
  });
});

/** Registers all routes on an application that answers 204. */
async function openRoutes(lookedAt?: () => never) {
  const { node } = await openTestNode();
  const { log, store } = node;
  const config = readConfig({ DATA_DIR: 'unused' });
  const source = { model: () => store.reader, read: log.read, changed: () => () => undefined };
  const routes = routesOf({ config, store, source, clock: () => 0, uploads: store.uploads, files: () => null });
  const seen = new Map<string, RouteOptions>();
  const app = fastify({ exposeHeadRoutes: false });
  app.addHook('onRoute', (options) => {
    for (const method of [options.method].flat()) seen.set(`${method} ${options.url}`, options);
  });
  const answer: RouteAnswer = (_, reply) => reply.code(204).send();
  const model = () => store.reader;
  addInterface(app, routes, { root: '/cms-json', answer, model: lookedAt ?? model });
  await app.ready();
  const close = async () => {
    await app.close();
    await node.close();
  };
  return {
    app,
    routes,
    model,
    seen,
    schemaOf: (key: string) => seen.get(key)?.schema as RouteSchema | undefined,
    close,
  };
}
