import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, endAccount, setRole } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { sourceOf } from '#http/feed/source.ts';
import { routeTemplate } from '#http/openapi/place.ts';
import { allRoutes } from '#http/tables/all.ts';
import { eraseControls } from '#ops/erase-orders.ts';
import { performOn } from '#ops/perform.ts';
import { pageOf, wanted } from '../support/authorize-page.ts';
import { eventually } from '../support/patience.ts';
import { openShop } from '../support/shop.ts';
import { type Site, startSite } from '../support/site.ts';
import { pngOf } from '../support/uploads.ts';

const PASSWORD = 'vellum-and-ink';
const AUDITOR = 6;
const DAY = 24 * 60 * 60 * 1000;

let site: Site;
let credentials = '';

/** Adds an auditor, and something of every kind that routes show. */
beforeAll(async () => {
  site = await startSite({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
  await openShop(site);
  credentials = await auditor('hilda');
  const make = (path: string, body: unknown) => site.make('administrator', path, body);
  const post = await make('/posts', { title: 'One', content: 'Text', status: 'publish' });
  await site.call('administrator', `PUT /posts/${post}`, { content: 'Other text' });
  await make('/posts', { title: 'Locked', status: 'publish', password: PASSWORD });
  await make('/posts', { title: 'Draft' });
  await make('/pages', { title: 'Page', status: 'private' });
  await make('/blocks', { title: 'Pattern', content: 'x', status: 'publish' });
  await make('/products', { title: 'Book', status: 'publish', regular_price: '1' });
  for (const path of ['/categories', '/tags', '/wp_pattern_category']) await make(path, { name: 'Hymns' });
  const menu = await make('/menus', { name: 'Menu' });
  await make('/menu-items', { title: 'Home', url: 'https://a.example/', menus: menu });
  await make('/comments', { post, content: 'Well said', author_name: 'Reader', author_email: 'reader@example.org' });
  await site.call('administrator', `POST /posts/${post}/autosaves`, { content: 'Third text' });
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
  await site.call('administrator', 'POST /media', pngOf(4, 4), { headers });
  await site.call('administrator', 'POST /cms-json/webhooks/v1/hooks', { address: 'http://127.0.0.1:9/' });
  site.node.store.transparency.checkpoints.make();
}, 60_000);
afterAll(() => site.close());

async function auditor(login: string, { node } = site): Promise<string> {
  const { value } = await node.store.submit({ viewer: null, correlationId: 'test' }, (session) =>
    addUser(session, { login, role: 'auditor', email: `${login}@example.org` }),
  );
  if (isRefusal(value)) throw new Error(value.message);
  return `Basic ${Buffer.from(`${login}:${value.password}`).toString('base64')}`;
}

const call = (request: string, body?: unknown, authorization = credentials) =>
  site.call('anonymous', request, body, { headers: { authorization } });

interface Place {
  readonly method: string;
  readonly path: string;
  readonly pattern: string;
  readonly template: string;
}

/** Highest number of an item that exists. */
const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** A request to each endpoint of the interface, and of those with a number in their path, one for each number. */
function places({ node: { store } } = site, deployment: Deployment = 'A'): readonly Place[] {
  const uploads = store.uploads;
  const origins = undefined;
  const hooks = { ...store.hooks, mayReach: () => true };
  const routes = allRoutes({
    deployment,
    ...{ clock: () => site.clock.now, source: sourceOf(store), uploads, hooks, prove: store.prove, uses: store.uses },
    audit: { store, origins },
  });
  return routes.flatMap((route) => {
    const { path, names } = routeTemplate(route);
    const numbered = names.length === 0 ? [path] : ids.map((id) => fill(path, names, String(id)));
    return route.endpoints.flatMap(({ methods }) =>
      methods.flatMap((method) =>
        numbered.map((one) => ({ method, path: one, pattern: route.pattern, template: path })),
      ),
    );
  });
}

const words: Readonly<Record<string, string>> = {
  type: 'post',
  taxonomy: 'category',
  status: 'publish',
  location: 'primary',
  field: 'title',
};

function fill(path: string, names: readonly string[], id: string): string {
  return names.reduce((text, name, i) => text.replace(`{${name}}`, words[name] ?? (i === 0 ? id : '1')), path);
}

/** Whatever an auditor must not change: the log, and what the node notes, except what it notes of reads. */
function standing({ node: { log, store } } = site): unknown {
  const rows = (['origins', 'hooks', 'feeds'] as const).map((table) => store.nodeFile.rows(table));
  const { reader } = store;
  return [
    log.head().position,
    createHash('sha256')
      .update(JSON.stringify([rows, reader.users()]))
      .digest('hex'),
  ];
}

/** What may differ: an auditor has no links to what only writers can do. */
function withoutActions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutActions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'targetHints' && !/:action-|^curies$/.test(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutActions(one)]));
}

/** Addresses of a route, with the keys of up to three items that the collection before each parameter lists. */
async function addresses(path: string): Promise<readonly string[]> {
  const [, before = '', after = ''] = /^(.*?)\/\{\w+\}(.*)$/.exec(path) ?? [];
  if (before === '') return [path];
  const { body } = await site.call('administrator', `GET /cms-json${before}?per_page=20`).catch(() => ({ body: null }));
  const listed: unknown[] = Array.isArray(body) ? body : Object.values(body ?? {});
  const keys = listed.flatMap((one) => keyOf(one) ?? []).slice(0, 3);
  const all = keys.length === 0 ? ['1', '2', '3'] : keys;
  return (await Promise.all(all.map((key) => addresses(`${before}/${key}${after}`)))).flat();
}

function keyOf(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null;
  const { id, slug, stylesheet, plugin, name } = record as Record<string, unknown>;
  return String(stylesheet ?? plugin ?? id ?? slug ?? name).replace(/^core\//, 'core/');
}

const PATHS = ['', 'day', 'messages', 'public?from=2026-01-01&to=2026-12-31', 'logins', 'log/8', 'things/user-3'];
const MORE = ['things/entry-1', 'things/entry-1/blame?field=content', 'things/entry-1/versions', 'things/user-1'];
const CSV = ['timeline.csv', 'messages.csv'];

async function audit(path: string, authorization: string, sent: RequestInit = {}) {
  const { headers, ...others } = sent;
  const response = await fetch(`http://127.0.0.1:${site.port}/cms-audit/${path}`, {
    redirect: 'manual',
    headers: { ...(authorization === '' ? {} : { authorization }), ...headers },
    ...others,
  });
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return { status: response.status, text: await response.text(), cookie: cookies.join('; ') };
}

const passwordIn = (authorization: string) => Buffer.from(authorization.slice(6), 'base64').toString().split(':')[1];

/** Logs in at the audit pages. Also returns the token of the form, which stays valid. */
async function session() {
  const page = await audit('login', '');
  const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const form = { token, to: '', login: 'hilda', password: passwordIn(credentials) ?? '' };
  const headers = { cookie: page.cookie };
  const answer = await audit('login', '', { method: 'POST', headers, body: new URLSearchParams(form) });
  return { ...answer, token, cookie: `${page.cookie}; ${answer.cookie}` };
}

/** Routes that an auditor is refused, because they show secrets or write; and those whose answer depends on who asks, or when. */
const secret = /application-passwords(?!\/introspect)|regenerate-bypass-code/;
const own = /\/users\/me|introspect|\/audit\/readings|tests\/page-cache/;
/** What an auditor is not shown: passwords of posts, the code for the maintenance page, links of their own. */
const hide = (text: string) =>
  text
    .replaceAll(PASSWORD, '')
    .replace(/"bypass_code":"\w*"/, '"bypass_code":""')
    .replace(/preview_nonce=\w+/g, '');

/** Every address of the interface that can be read, of each kind some. */
async function reads(): Promise<readonly Pick<Place, 'path' | 'pattern'>[]> {
  const all = places().filter(({ method, pattern }) => method === 'GET' && !own.test(pattern));
  const templates = [...new Map(all.map(({ pattern, template }) => [pattern, template]))];
  const found = templates.map(async ([pattern, template]) =>
    (await addresses(template)).map((path) => ({ path, pattern })),
  );
  const more = ['core/archives', 'core/calendar'].map((name) => `/cms/v2/block-renderer/${name}`);
  const others = [...more, '/cms/v2/templates/lookup?slug=index', '/cms-block-editor/v1/export'];
  return [...all, ...(await Promise.all(found)).flat(), ...others.map((path) => ({ path, pattern: path }))];
}

describe('an auditor reads', () => {
  it('by every route what an administrator reads, except secrets', async () => {
    const wrong: unknown[] = [];
    const seen = new Set<string>();
    for (const { path, pattern } of await reads()) {
      const first = path.includes('?') ? '&' : '?';
      for (const query of ['', `${first}context=edit`, `${first}context=edit&as_of=12`]) {
        const expected = await site.call('administrator', `GET /cms-json${path}${query}`).catch(() => null);
        // Pages and files.
        if (expected === null) continue;
        const got = await call(`GET /cms-json${path}${query}`);
        if (secret.test(pattern)) {
          if (expected.status < 400 && got.status !== 403) wrong.push([path, query, got.status]);
          continue;
        }
        if (expected.status === 200) seen.add(pattern);
        const [shown, other] = [expected.body, got.body].map((body) => hide(JSON.stringify(withoutActions(body))));
        const same = shown === other;
        if (got.status !== expected.status || !same) wrong.push([path, query, expected.status, got.status]);
        if (got.text.includes(PASSWORD) || /bypass_code":"\w/.test(got.text)) wrong.push([path, query, 'password']);
        if (got.status === 200 && /POST|PUT|DELETE/.test(got.headers.get('allow') ?? '')) wrong.push([path, 'Allow']);
        if (/"allow":\[[^\]]*"(?:POST|DELETE)"/.test(got.text) && !/OPTIONS/.test(path)) wrong.push([path, 'hints']);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(115);
  }, 240_000);

  it.each([...PATHS, ...MORE, ...CSV])('the audit page /%s as an administrator does', async (path) => {
    const [expected, got] = [await audit(path, site.authorization('administrator')), await audit(path, credentials)];
    expect(got.status).toBe(200);
    if (path !== 'logins') expect(got.text).toBe(expected.text);
    expect(got.text).not.toContain(PASSWORD);
  });

  it('the site of the past, and nothing as an author of content', async () => {
    const past = `site/${new Date(site.clock.now).toISOString().slice(0, 16)}/`;
    expect((await audit(past, credentials)).status).toBe(200);
    const { body } = await site.call('administrator', 'GET /users?who=authors&per_page=100');
    expect(body.map(({ id }: { id: number }) => id)).not.toContain(AUDITOR);
  });

  it('of the own account only the rights to read', async () => {
    const { body } = await call('GET /users/me?context=edit');
    expect(body).toMatchObject({ id: AUDITOR, roles: ['auditor'], email: 'hilda@example.org' });
    expect(body.capabilities).toEqual({
      ...{ read: true, read_private_posts: true, read_private_pages: true },
      ...{ list_users: true, auditor: true },
    });
    expect((await call('GET /users/me/application-passwords')).status).toBe(403);
    expect((await call('GET /users/1/application-passwords')).status).toBe(403);
  });

  it('no password in a proof', async () => {
    const answers = ['', '?open_password=true', '?open_also=true', '?open_password=true&open_also=true'];
    const locked = (await call('GET /posts?search=Locked')).body[0].id;
    site.node.store.transparency.checkpoints.make();
    for (const query of answers) {
      const { status, text } = await call(`GET /posts/${locked}/proof${query}`);
      expect(status).toBe(query.includes('password') ? 403 : 200);
      expect(text).not.toContain(PASSWORD);
    }
  });
});

describe('an auditor changes nothing', () => {
  it.each(['A', 'B'] as const)(
    'by any route of the interface, of deployment %s',
    async (deployment) => {
      const isFirst = deployment === 'A';
      const here = isFirst ? site : await startSite({ env: { DEPLOYMENT: deployment } });
      const authorization = isFirst ? credentials : await auditor('hilda', here);
      const before = standing(here);
      const all = places(here, deployment).filter(({ method }) => method !== 'GET');
      expect(all.length).toBeGreaterThan(500);
      const wrong: unknown[] = [];
      for (const { method, path } of all) {
        const asked = `${method} /cms-json${path}${method === 'DELETE' ? '?force=true' : ''}`;
        for (const body of [{ title: 'x', name: 'x', force: true, requests: [] }, undefined]) {
          const { status } = await here.call('anonymous', asked, body, { headers: { authorization } });
          if (![401, 403, 404].includes(status)) wrong.push([method, path, status]);
        }
      }
      expect(wrong).toEqual([]);
      expect(standing(here)).toEqual(before);
      if (!isFirst) await here.close();
    },
    240_000,
  );

  it('by another method in a header or parameter, and not by what a reader may do without an account', async () => {
    const before = standing();
    const headers = { authorization: credentials, 'x-http-method-override': 'DELETE' };
    expect((await site.call('anonymous', 'POST /posts/1', {}, { headers })).status).toBe(403);
    expect((await call('POST /posts/1?_method=PUT', { title: 'x' })).body.code).toBe('rest_read_only');
    expect((await call('POST /comments', { post: 1, content: 'x' })).body.code).toBe('rest_read_only');
    expect((await call('PUT /users/me', { name: 'x' })).body.code).toBe('rest_read_only');
    expect((await call('POST /users/me/application-passwords', { name: 'x' })).body.code).toBe('rest_read_only');
    expect(standing()).toEqual(before);
  });

  it('by the forms of the audit pages and of programs', async () => {
    const { cookie, token, status } = await session();
    expect(status).toBe(303);
    const before = standing();
    const page = await audit('things/entry-1/changes?to=2', '', { headers: { cookie } });
    expect([page.status, page.text.includes('class="restore"')]).toEqual([200, false]);
    const body = new URLSearchParams({ token, revision: '1' });
    const answer = await audit('things/entry-1/restore', '', { method: 'POST', headers: { cookie }, body });
    expect([answer.status, answer.text.includes('change nothing')]).toEqual([403, true]);
    const programs = pageOf(site);
    const entered = await programs.logIn(wanted, 'hilda', passwordIn(credentials) ?? '');
    const approved = { do: 'approve', token: entered.token, name: 'Pocket' };
    const given = await programs.ask(wanted, { cookie: entered.cookie, form: approved });
    expect([given.status, given.text.includes('change nothing')]).toEqual([403, true]);
    expect(standing()).toEqual(before);
  });

  it('by ordering an erasure', async () => {
    const before = standing();
    const perform = performOn(site.node.store, eraseControls, (error) => expect.unreachable(String(error)));
    const order = { id: '1', as: 'hilda', reason: 'asked', yes: true };
    expect(await perform('erase order entry', order)).toMatchObject({ code: 'erasure_not_allowed' });
    expect(standing()).toEqual(before);
  });

  it('in a session, whatever asks for it', async () => {
    const context = { viewer: { id: AUDITOR, role: 'auditor' as const }, correlationId: 'test' };
    const work = site.node.store.submit(context, (one) => setRole(one, 'author', 'editor'));
    await expect(work).rejects.toMatchObject({ refusal: { code: 'rest_read_only' } });
  });
});

describe('what an auditor has read', () => {
  it('is noted, and shown to administrators', async () => {
    await call('GET /users/3?context=edit&search=secret');
    await call('GET /users/3?context=edit');
    await call('POST /users/2?context=edit&_method=GET');
    await audit('things/user-4', credentials);
    const [{ id, source_url: address }] = (await site.call('administrator', 'GET /media?status=inherit')).body;
    await site.call('administrator', `PUT /media/${id}`, { status: 'private' });
    const { pathname } = new URL(address);
    const file = `http://127.0.0.1:${site.port}${pathname}`;
    expect((await fetch(file)).status).toBe(404);
    expect((await fetch(file, { headers: { authorization: credentials } })).status).toBe(200);
    await eventually(async () => {
      const { body } = await site.call('administrator', 'GET /audit/readings');
      expect(body).toContainEqual(
        expect.objectContaining({
          user: { id: AUDITOR, name: 'hilda' },
          route: '/cms/v2/users/(?P<id>[\\d]+)',
          item: '/cms-json/cms/v2/users/3',
          day: '2026-03-01',
          last: '2026-03-01T11:00:00.000Z',
        }),
      );
      // A read is one however it is sent.
      expect(body).toContainEqual(expect.objectContaining({ item: '/cms-json/cms/v2/users/2' }));
      expect(body).toContainEqual(expect.objectContaining({ route: 'audit', item: '/cms-audit/things/user-4' }));
      expect(body).toContainEqual(expect.objectContaining({ route: 'file', item: pathname }));
      expect(JSON.stringify(body)).not.toContain('secret');
    });
    const { text } = await audit('logins', site.authorization('administrator'));
    expect(text).toContain('/cms-audit/things/user-4');
  });

  it('is not noted of others, and forgotten with the addresses of writes', async () => {
    await site.call('administrator', 'GET /users/4?context=edit');
    const of = (id: number) => site.node.store.readings.all().filter(({ user }) => user === id).length;
    expect(of(1)).toBe(0);
    expect(of(AUDITOR)).toBeGreaterThan(10);
    site.clock.now += 91 * DAY;
    await call('GET /users/1');
    await eventually(async () => expect(of(AUDITOR)).toBe(1));
  });
});

describe('the account of an auditor', () => {
  const end = (day: string) =>
    site.node.store.submit({ viewer: null, correlationId: 'test' }, (one) => endAccount(one, 'hilda', day));

  it('ends after its last day in the time zone of the site', async () => {
    site.clock.now = Date.parse('2026-07-01T10:00:00Z');
    await end('2026-07-01');
    const { cookie } = await session();
    const inside = () => audit('', '', { headers: { cookie } });
    expect([(await call('GET /users/me')).status, (await inside()).status]).toEqual([200, 200]);
    site.clock.now = Date.parse('2026-07-01T21:59:59Z');
    const still = await session();
    expect([(await call('GET /users/me')).status, still.status]).toEqual([200, 303]);
    site.clock.now = Date.parse('2026-07-01T22:00:00Z');
    expect((await call('GET /users/me')).status).toBe(401);
    expect((await call('GET /posts/1?context=edit')).status).toBe(401);
    expect((await audit('', credentials)).status).toBe(401);
    expect((await audit('', '', { headers: { cookie: still.cookie } })).status).toBe(401);
    expect((await session()).status).toBe(401);
    await end('');
    expect((await call('GET /users/me')).status).toBe(200);
  });

  it('is made by administrators, and has no other role', async () => {
    const make = (roles: string[], username: string) =>
      site.call('administrator', 'POST /users', { username, email: `${username}@example.org`, password: 'p', roles });
    expect(await make(['auditor'], 'ine')).toMatchObject({ status: 201, body: { roles: ['auditor'] } });
    expect(await make(['auditor', 'editor'], 'offa')).toMatchObject({
      status: 400,
      body: { code: 'rest_user_invalid_role' },
    });
    const change = await site.call('administrator', 'PUT /users/1', { roles: ['auditor'] });
    expect(change).toMatchObject({ status: 403, body: { code: 'rest_user_invalid_role' } });
  });
});
