import { request } from 'node:http';
import fc from 'fast-check';
import { pino } from 'pino';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { tools } from '#domain/tools/area.ts';
import { sourceOf } from '#http/feed/source.ts';
import { toolsOf } from '#http/mcp/tools.ts';
import { allRoutes } from '#http/tables/all.ts';
import { pluginEnv } from '../support/plugins.ts';
import { type As, type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';
import { fittingArgs } from './fitting.ts';
import { requestToPlaces } from './places.ts';
import { exchange, rawExchange } from './raw.ts';
import { type FuzzedRequest, requestTo, type Target } from './shapes.ts';

export interface FuzzOptions {
  readonly deployment: Deployment;
  readonly count: number;
  readonly seed: number;
  /** Only routes whose pattern matches this expression. */
  readonly only?: string | undefined;
}

export interface FuzzAnswer {
  readonly asked: FuzzedRequest;
  readonly status: number;
  readonly body: string;
  readonly type: string;
  readonly ms: number;
  /** Processor time on all threads in milliseconds, which other programs disturb less. */
  readonly busy: number;
}

/** Milliseconds of processor time, or of elapsed time if hardly any was used, that no request here should take. */
const PATIENCE = 30_000;
const LONGEST = 600_000;
/** Requests after which a new site is started: administrators’ requests may close a site to everybody. */
const ON_ONE_SITE = 500;

/** Number of requests per connection with arbitrary bytes. */
const PER_CONNECTION = 20;

/** Sends requests to routes and other places, one after the other, and passes each response to `look`. */
export async function fuzz(options: FuzzOptions, look: (answer: FuzzAnswer) => void): Promise<void> {
  const { deployment, count } = options;
  for (let done = 0; done < count; done += ON_ONE_SITE) {
    const failed: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void failed.push(line) });
    const site = await startSite({ env: { ...pluginEnv(deployment), VISITOR_COMMENTS: '1000' }, logger });
    try {
      await sendTo(
        site,
        { ...options, seed: options.seed + done, count: Math.min(ON_ONE_SITE, count - done) },
        (answer) => {
          // Faults that no status reveals.
          const isClosed = answer.status === 503 && site.node.store.reader.plugin(tools).switches.maintenance_mode;
          // Visitors get a 503 while an administrator has closed the site.
          const status = isClosed ? 200 : failed.length > 0 && answer.status < 500 ? 500 : answer.status;
          look({ ...answer, status, body: failed.splice(0).join('') || answer.body });
        },
      );
    } finally {
      await site.close();
    }
  }
}

async function sendTo(
  site: Site,
  { deployment, count, seed, only = '' }: FuzzOptions,
  look: (answer: FuzzAnswer) => void,
): Promise<void> {
  const identities = await furnish(site);
  const routes = routesOf(site, deployment);
  const targets = targetsOf(routes).filter(({ pattern }) => new RegExp(only).test(pattern));
  const named = toolsOf(routes).map(({ name }) => name);
  const anyRequest = fc.oneof(
    { weight: 5, arbitrary: requestTo(targets) },
    ...(only === '' ? [{ weight: 2, arbitrary: requestToPlaces(named) }] : []),
  );
  const requests = fc.sample(anyRequest, { numRuns: count, seed });
  const connections = fc.sample(rawExchange, { numRuns: Math.ceil(count / PER_CONNECTION), seed });
  for (const [index, asked] of requests.entries()) {
    look(await send(site, asked, identities));
    const connection = index % PER_CONNECTION === 0 && only === '' ? connections[index / PER_CONNECTION] : undefined;
    if (connection !== undefined) look(await sendRaw(site, connection));
  }
}

function routesOf({ node: { store } }: Site, deployment: Deployment) {
  return allRoutes({ clock: () => 0, source: sourceOf(store), uploads: store.uploads, deployment });
}

function targetsOf(routes: ReturnType<typeof routesOf>): Target[] {
  return routes.map(({ pattern, endpoints }) => {
    const names = endpoints.flatMap(({ args }) => Object.keys(args));
    // A request that waits for changes is answered only after a change.
    const isQuick = (name: string) => pattern !== '/cms/v2/changes' || name !== 'wait';
    const described = endpoints.map(({ methods, args }) => ({
      methods,
      args: fittingArgs(args).filter(({ name }) => isQuick(name) && !pattern.includes(`<${name}>`)),
    }));
    return { pattern, names: names.filter(isQuick), endpoints: described };
  });
}

type Identities = Readonly<Record<'token' | 'session', Readonly<Record<string, string>>>>;

/** Creates an item for every kind of address. Returns the headers of tokens and sessions. */
async function furnish(site: Site): Promise<Identities> {
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
  await uploadBody(site, 'author', { name: 'picture.png', type: 'image/png', bytes: pngOf(9, 9) });
  await site.call('administrator', 'POST /cms-json/webhooks/v1/hooks', { address: 'http://hook.example/' });
  return { token: await tokenOf(site), session: await sessionOf(site) };
}

/** The headers of a token; none if the deployment does not support programs. */
async function tokenOf(site: Site): Promise<Identities['token']> {
  const assistant = '/cms-json/host-ai-assistant/v1';
  const { status } = await site.call('administrator', `POST ${assistant}/toggle-mcp-plugin`, { action: 'setup' });
  if (status !== 200) return {};
  const { body } = await site.call('administrator', `POST ${assistant}/tokens`, { name: 'Program', publish: true });
  return { authorization: `Bearer ${body.token}` };
}

async function sessionOf({ port, authorization }: Site): Promise<Identities['session']> {
  const login = `http://127.0.0.1:${port}/cms-audit/login`;
  const form = await fetch(login);
  const [cookie = ''] = form.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  const token = /name="token" value="([^"]*)"/.exec(await form.text())?.[1] ?? '';
  const [name = '', password = ''] = Buffer.from(authorization('administrator').slice(6), 'base64')
    .toString()
    .split(':');
  const body = new URLSearchParams({ token, login: name, password });
  const { headers } = await fetch(login, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
  return {
    cookie: headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; '),
  };
}

function send(site: Site, asked: FuzzedRequest, identities: Identities): Promise<FuzzAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<FuzzAnswer>();
  const spent = spending();
  const { method, path, as } = asked;
  const headers = {
    ...asked.headers,
    ...(as === 'token' || as === 'session' ? identities[as] : loginOf(site, as)),
    ...(asked.body.length === 0 ? {} : { 'content-length': String(asked.body.length) }),
  };
  const sent = request({ port: site.port, host: '127.0.0.1', method, path, headers, timeout: PATIENCE });
  sent.on('timeout', () => {
    const { ms, busy } = spent();
    if (busy > PATIENCE || ms > LONGEST) sent.destroy(new Error(`no answer: ${method} ${path}`));
    else sent.setTimeout(PATIENCE);
  });
  sent.on('error', (error) => {
    // The server may close an idle connection just when it is reused.
    if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET') resolve(send(site, asked, identities));
    else reject(error);
  });
  sent.on('response', (response) => {
    const { statusCode: status = 0, headers: own } = response;
    const type = own['content-encoding'] === undefined ? (own['content-type'] ?? '') : '';
    const chunks: Buffer[] = [];
    const end = () => resolve({ asked, status, body: Buffer.concat(chunks).toString('utf8'), type, ...spent() });
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', end);
    // A feed never ends.
    if (type.startsWith('text/event-stream')) {
      response.off('error', reject).on('error', () => undefined);
      end();
      sent.destroy();
    }
  });
  sent.end(asked.body);
  return promise;
}

/** The worst status on a connection, including a request after it. */
async function sendRaw(site: Site, connection: Parameters<typeof exchange>[1]): Promise<FuzzAnswer> {
  const path = `${connection.end} ${JSON.stringify(connection.pieces.map((piece) => piece.toString('latin1')))}`;
  const asked = { as: 'anonymous' as const, method: 'connection', path, headers: {}, body: Buffer.alloc(0) };
  const spent = spending();
  const statuses = await exchange(site.port, connection);
  const { status } = await site.call('anonymous', 'GET /types');
  return { asked, status: Math.max(status, ...statuses), body: '', type: '', ...spent() };
}

function loginOf(site: Site, as: As): Readonly<Record<string, string>> {
  const authorization = site.authorization(as);
  return authorization === '' ? {} : { authorization };
}

function spending(): () => Pick<FuzzAnswer, 'ms' | 'busy'> {
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { ms: performance.now() - started, busy: (user + system) / 1000 };
  };
}
