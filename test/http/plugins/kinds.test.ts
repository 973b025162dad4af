import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployments } from '#domain/plugins/deployment.ts';
import { sourceOf } from '#http/feed/source.ts';
import { allRoutes } from '#http/tables/all.ts';
import { startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';

const kinds = [null, true, 0, -1.5, 1e21, '', 'x', '12', [], [[]], [{}], ['x'], {}, { a: 1 }, { a: { b: [] } }];
/** Methods that have a body, so that values keep their kind. */
const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
const tried = new Set<string>();

/** Routes that both deployments have are tried in the first. */
function isNew(parameter: string): boolean {
  const isFirst = !tried.has(parameter);
  tried.add(parameter);
  return isFirst;
}

describe.each(deployments)('a parameter of a plugin in deployment %s', (deployment) => {
  let site: Site;
  beforeAll(async () => {
    site = await startPluginSite(deployment);
    await site.make('editor', '/posts', { title: 'P', status: 'publish' });
  });
  afterAll(() => site.close());

  it('that is of any kind is no fault of the server', async () => {
    const { store } = site.node;
    const routes = allRoutes({ clock: () => 0, source: sourceOf(store), uploads: store.uploads, deployment });
    const faults: string[] = [];
    let sent = 0;
    for (const { pattern, endpoints } of routes.filter(
      (route) => !/^\/(?:cms\/v2|batch)(?:\/|$)/.test(route.pattern),
    )) {
      const path = `/cms-json${pattern.replace(/\(\?P?<\w+>[^()]*(?:\([^()]*\)[^()]*)*\)/g, '1').replace(/<\w+>/g, '1')}`;
      for (const { methods: own, args } of endpoints) {
        for (const method of own.filter((one) => methods.includes(one))) {
          for (const name of Object.keys(args).filter((each) => isNew(`${method} ${path} ${each}`))) {
            for (const value of kinds) {
              const body = { [name]: value };
              // Only a session can tell whether a request with a key was carried out before.
              for (const headers of [{}, { 'idempotency-key': `kinds-${sent}` }]) {
                const { status } = await site.call('administrator', `${method} ${path}`, body, { headers });
                sent += 1;
                if (status >= 500 && status !== 501)
                  faults.push(`${method} ${path} ${JSON.stringify(body)}: ${status}`);
              }
            }
          }
        }
      }
    }
    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThan(100);
  });
});
