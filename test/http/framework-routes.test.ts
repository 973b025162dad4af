import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { addInterface } from '#http/app/app.ts';
import { routesOf } from '#ops/site-app.ts';
import { readConfig } from '../../src/config.ts';
import { openTestNode } from '../support/node.ts';

describe('the framework', () => {
  it('sees each route of the interface with its pattern and methods, and all else by one route', async () => {
    const { node } = await openTestNode();
    const config = readConfig({ DATA_DIR: 'unused' });
    const { store } = node;
    const source = { model: () => store.reader, read: node.log.read, changed: () => () => undefined };
    const routes = routesOf({ config, store, source, clock: () => 0, uploads: store.uploads, files: () => null });
    const seen = new Map<string, string>();
    const patterns = new Set<string>();
    const app = fastify();
    app.addHook('onRoute', ({ url, method, config: about }) => {
      seen.set(url, [method].flat().join(' '));
      if (about?.pattern !== undefined) patterns.add(about.pattern);
    });
    addInterface(app, routes, { root: '/cms-json', answer: (_, reply) => reply });
    await app.ready();
    expect(seen.get('/cms-json/cms/v2/posts')).toBe('GET POST HEAD OPTIONS');
    expect(seen.get('/cms-json/cms/v2/posts/:id')).toBe('GET POST PUT PATCH DELETE HEAD OPTIONS');
    expect(seen.has('/cms-json/*')).toBe(true);
    expect(patterns.has('/cms/v2/posts/(?P<id>[\\d]+)')).toBe(true);
    expect(app.printRoutes()).toContain('posts');
    await app.close();
    await node.close();
  });
});
