import { request } from 'node:http';
import fc from 'fast-check';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { sourceOf } from '#http/feed/source.ts';
import { allRoutes } from '#http/tables/all.ts';
import { type Site, startSite } from '../support/site.ts';
import { fittingArgs } from './fitting.ts';
import { type FuzzedRequest, requestTo, type Target } from './shapes.ts';

export interface FuzzOptions {
  readonly deployment: Deployment;
  readonly count: number;
  readonly seed: number;
  /** Only routes whose pattern has a part that this expression matches. */
  readonly only?: string | undefined;
}

export interface FuzzAnswer {
  readonly asked: FuzzedRequest;
  readonly status: number;
  readonly body: string;
  readonly type: string;
  readonly ms: number;
}

/** Milliseconds; no request here takes as long. */
const PATIENCE = 30_000;
/** Requests after which a new site is begun: what administrators send may close it to everybody. */
const ON_ONE_SITE = 500;

/** Sends requests made from the table of routes, one after the other, and shows each answer. */
export async function fuzz(
  { deployment, count, seed, only = '' }: FuzzOptions,
  look: (answer: FuzzAnswer) => void,
): Promise<void> {
  for (let done = 0; done < count; done += ON_ONE_SITE) {
    const site = await startSite({ env: { DEPLOYMENT: deployment } });
    try {
      await furnish(site);
      const requests = fc.sample(
        requestTo(targetsOf(site, deployment).filter(({ pattern }) => new RegExp(only).test(pattern))),
        {
          numRuns: Math.min(ON_ONE_SITE, count - done),
          seed: seed + done,
        },
      );
      for (const asked of requests) look(await send(site, asked));
    } finally {
      await site.close();
    }
  }
}

function targetsOf({ node: { store } }: Site, deployment: Deployment): Target[] {
  const routes = allRoutes({ clock: () => 0, source: sourceOf(store), uploads: store.uploads, deployment });
  return routes.map(({ pattern, endpoints }) => {
    const names = endpoints.flatMap(({ args }) => Object.keys(args));
    // A request that waits for changes is answered when there are some.
    const isQuick = (name: string) => pattern !== '/cms/v2/changes' || name !== 'wait';
    const described = endpoints.map(({ methods, args }) => ({
      methods,
      args: fittingArgs(args).filter(({ name }) => isQuick(name) && !pattern.includes(`<${name}>`)),
    }));
    return { pattern, names: names.filter(isQuick), endpoints: described };
  });
}

/** Something behind every kind of address. */
async function furnish(site: Site): Promise<void> {
  const post = await site.make('author', '/posts', { title: 'One', content: '<p>One</p>', status: 'publish' });
  await site.call('author', `PUT /posts/${post}`, { title: 'Two' });
  await site.make('editor', '/pages', { title: 'Page', content: 'x', status: 'publish', password: 'x' });
  await site.make('author', '/posts', { title: 'Draft' });
  await site.make('editor', '/tags', { name: 'Tag' });
  await site.make('editor', '/comments', { post, content: 'Comment' });
  await site.make('editor', '/blocks', { title: 'Pattern', content: '<!-- wp:query /-->', status: 'publish' });
  const menu = await site.make('administrator', '/menus', { name: 'Menu' });
  await site.make('administrator', '/menu-items', {
    title: 'Item',
    url: 'http://x.example/',
    menus: menu,
    status: 'publish',
  });
  await site.make('administrator', '/navigation', { title: 'Navigation', content: '', status: 'publish' });
}

function send(site: Site, asked: FuzzedRequest): Promise<FuzzAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<FuzzAnswer>();
  const started = performance.now();
  const login = site.authorization(asked.as);
  const headers = {
    ...asked.headers,
    ...(login === '' ? {} : { authorization: login }),
    ...(asked.body.length === 0 ? {} : { 'content-length': String(asked.body.length) }),
  };
  const { method, path } = asked;
  const sent = request({ port: site.port, host: '127.0.0.1', method, path, headers, timeout: PATIENCE });
  sent.on('timeout', () => sent.destroy(new Error(`no answer: ${method} ${path}`)));
  sent.on('error', reject);
  sent.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { statusCode: status = 0, headers: own } = response;
      const type = own['content-encoding'] === undefined ? (own['content-type'] ?? '') : '';
      resolve({ asked, status, body, type, ms: performance.now() - started });
    });
  });
  sent.end(asked.body);
  return promise;
}
