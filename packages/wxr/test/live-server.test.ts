import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openLiveSite } from '../src/live.ts';
import { isSameSite, type LiveSiteOptions } from '../src/live-requests.ts';

type Answering = (asked: IncomingMessage, answer: ServerResponse, url: URL) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers as told. */
async function serve(answering: Answering) {
  const seen: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((asked, answer) => {
    const url = new URL(asked.url ?? '/', 'http://here');
    seen.push({ path: asked.url ?? '', authorization: asked.headers.authorization });
    answering(asked, answer, url);
  });
  servers.push(server);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const json = (answer: ServerResponse, body: unknown, status = 200, headers = {}) =>
  answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const html = (answer: ServerResponse, body: string, headers = {}) =>
  answer.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);

const post = (id: number) => ({ id, type: 'post', link: `/${id}`, title: { rendered: `Post ${id}` } });
const names = ['posts', 'types', 'taxonomies', 'users', 'comments', 'settings'];
const routes = Object.fromEntries(['/x/v7', ...names.map((name) => `/x/v7/${name}`)].map((name) => [name, {}]));
const index = {
  name: 'Fake',
  description: '',
  url: 'http://here',
  home: 'http://here',
  gmt_offset: -3.5,
  namespaces: ['x/v7'],
  routes,
};

/** The answer of a small interface with some posts to the path of a route. */
function small(answer: ServerResponse, path: string, query: URLSearchParams, posts: readonly number[]): void {
  if (path === '/') return void json(answer, index);
  if (path === '/x/v7/types') return void json(answer, { post: { rest_base: 'posts', rest_namespace: 'x/v7' } });
  if (path === '/x/v7/taxonomies') return void json(answer, {});
  if (path === '/x/v7/users/me') return void json(answer, { id: 1 });
  if (path !== '/x/v7/posts') return void json(answer, { code: 'rest_forbidden' }, 401);
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
  const asked = query.get('include')?.split(',').map(Number) ?? posts;
  const listed = asked.slice((page - 1) * size, page * size).map(post);
  const pages = Math.ceil(asked.length / size);
  json(answer, listed, 200, { 'X-Any-Total': asked.length, 'X-Any-TotalPages': pages });
}

const readAll = async (address: string, options: LiveSiteOptions = {}) => {
  const source = await openLiveSite(address, { backoff: 1, ...options });
  return { source, parts: await Array.fromAsync(source.read()) };
};
const titlesOf = (parts: Awaited<ReturnType<typeof readAll>>['parts']) =>
  parts.flatMap((part) => ('record' in part && part.record.kind === 'item' ? [part.record.title] : []));
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ name, code, message }) => ({ name, code, message }),
  );
const many = Array.from({ length: 230 }, (_, i) => i + 1);

it('a list is read to its end, page by page, and what a page names as its interface is found', async () => {
  const { address } = await serve((_, answer, { pathname, searchParams }) => {
    if (pathname.startsWith('/api')) return small(answer, pathname.slice(4) || '/', searchParams, many);
    html(answer, '<link rel="https://api.any.example/" href="/api/"><link rel="next" href="/other">');
  });
  const { source, parts } = await readAll(`${address}/welcome`);
  expect(titlesOf(parts)).toEqual(many.map((id) => `Post ${id}`));
  expect([source.total, source.done()]).toEqual([230, 230]);
  expect(parts[0]).toMatchObject({ notice: { code: 'not_allowed' } });
  const [site] = parts.flatMap((part) => ('record' in part ? [part.record] : []));
  expect(site).toMatchObject({ title: 'Fake', timezone: '-03:30' });
});

it('a list that answers the same page for ever ends, and numbers with fractions are no ids', async () => {
  const { address, seen } = await serve((_, answer, { pathname, searchParams }) => {
    if (pathname !== '/x/v7/posts' || searchParams.has('include')) return small(answer, pathname, searchParams, many);
    json(answer, [...many.slice(0, 99), 1.5].map(post));
  });
  const { parts } = await readAll(address);
  expect(new Set(titlesOf(parts)).size).toBeLessThan(101);
  expect(parts.some((part) => 'record' in part && part.record.kind === 'item' && part.record.id === 1.5)).toBe(false);
  expect(seen.length).toBeLessThan(30);
});

it('the name of a source has no password that stands in its address', async () => {
  const { address } = await serve((_, answer, { pathname, searchParams }) => small(answer, pathname, searchParams, []));
  const { source } = await readAll(address.replace('://', '://ada:quill@'));
  expect(source.name).toBe(address);
});

it('an interface is found by a header, and where addresses have no paths', async () => {
  const { address } = await serve((_, answer, { pathname, searchParams }) => {
    if (pathname.startsWith('/deep/api')) return small(answer, pathname.slice(9) || '/', searchParams, [1]);
    html(answer, '', { link: '</style.css>; rel="preload", </deep/api/>; rel="https://api.any.example/"' });
  });
  expect(titlesOf((await readAll(address)).parts)).toEqual(['Post 1']);
  const plain = await serve((_, answer, { pathname, searchParams }) => {
    const route = searchParams.get('rest_route');
    if (pathname === '/blog/' && route !== null) return small(answer, route, searchParams, [1, 2]);
    answer.writeHead(pathname === '/blog/' ? 200 : 404).end('<p>Hello');
  });
  expect(titlesOf((await readAll(`${plain.address}/blog/`)).parts)).toEqual(['Post 1', 'Post 2']);
});

it('a server that is busy is left alone as long as it asks for, and asked again', async () => {
  let refusals = 0;
  const { address } = await serve((_, answer, { pathname, searchParams }) => {
    if (pathname === '/x/v7/posts' && refusals < 4) {
      refusals += 1;
      const date = new Date(Date.UTC(2026, 0, 1)).toUTCString();
      const headers = [{ 'retry-after': '0' }, { 'retry-after': date, date }, {}][refusals % 3] ?? {};
      return void answer.writeHead(refusals % 2 === 0 ? 429 : 503, headers).end('<h1>Busy</h1>');
    }
    small(answer, pathname, searchParams, [1]);
  });
  expect(titlesOf((await readAll(address)).parts)).toEqual(['Post 1']);
  expect(refusals).toBe(4);
});

it('a server that wants to be left alone for a day, or fails again and again, is a clear fault', async () => {
  const later = await serve((_, answer) => answer.writeHead(429, { 'retry-after': '86400' }).end());
  expect(await failureOf(readAll(later.address))).toMatchObject({
    code: 'source_unreachable',
    message: expect.stringContaining('86400'),
  });
  expect(later.seen).toHaveLength(1);
  const failing = await serve((_, answer) => answer.writeHead(502).end());
  expect(await failureOf(readAll(failing.address))).toMatchObject({
    name: 'SourceFault',
    code: 'source_unreachable',
    message: expect.stringContaining('502'),
  });
  expect(failing.seen).toHaveLength(5);
  const cut = await serve((asked) => asked.destroy());
  expect(await failureOf(readAll(cut.address))).toMatchObject({ code: 'source_unreachable' });
  expect(cut.seen).toHaveLength(5);
});

it('a list that becomes shorter meanwhile ends, and one that is refused on its way is named', async () => {
  const refusing = (status: number) =>
    serve((_, answer, { pathname, searchParams }) => {
      const isThird = pathname === '/x/v7/posts' && searchParams.get('page') === '3';
      if (isThird) json(answer, { code: 'no' }, status);
      else small(answer, pathname, searchParams, many);
    });
  const about = async (status: number) => {
    const { address } = await refusing(status);
    const { parts } = await readAll(address);
    const told = parts.filter((part) => 'notice' in part && part.notice.place.file.endsWith('/posts'));
    return [titlesOf(parts).length, told.length];
  };
  expect(await about(400)).toEqual([200, 0]);
  expect(await about(403)).toEqual([200, 1]);
});

it('an item that the server fails at is left out, and named', async () => {
  const { address } = await serve((_, answer, { pathname, searchParams }) => {
    if (searchParams.get('include')?.split(',').includes('3')) return void answer.writeHead(500).end('Fatal');
    small(answer, pathname, searchParams, [1, 2, 3, 4, 5]);
  });
  const { parts } = await readAll(address);
  expect(titlesOf(parts)).toEqual(['Post 1', 'Post 2', 'Post 4', 'Post 5']);
  const told = parts.flatMap((part) =>
    'notice' in part && part.notice.code === 'server_failure' ? [part.notice] : [],
  );
  expect(told.map(({ place }) => place.file)).toEqual([`${address}/x/v7/posts/3`]);
});

it('a password reaches no other host, whatever redirects and pages say', async () => {
  const other = await serve((_, answer, { pathname, searchParams }) => small(answer, pathname, searchParams, [1]));
  const moved = await serve((_, answer) => answer.writeHead(301, { location: `${other.address}/` }).end());
  const account = { user: 'ada', password: 'quill' };
  const fault = await failureOf(readAll(moved.address, account));
  expect(fault).toMatchObject({ code: 'redirected_elsewhere', message: expect.stringContaining(other.address) });
  const linking = await serve((_, answer, { pathname }) => {
    if (pathname === '/') html(answer, `<link rel="https://api.any.example/" href="${other.address}/">`);
    else answer.writeHead(404).end();
  });
  const named = await failureOf(readAll(linking.address, account));
  expect(named).toMatchObject({ code: 'not_an_interface', message: expect.stringContaining(`${other.address}/`) });
  expect(other.seen).toEqual([]);
  const within = await serve((_, answer, { pathname, searchParams }) => {
    if (pathname === '/') return void answer.writeHead(302, { location: '/api/' }).end();
    small(answer, pathname.slice(4) || '/', searchParams, [1]);
  });
  expect(titlesOf((await readAll(within.address, account)).parts)).toEqual(['Post 1']);
  expect(new Set(within.seen.map(({ authorization }) => authorization))).toEqual(
    new Set([`Basic ${btoa('ada:quill')}`]),
  );
});

it.each([
  ['http://a.example', 'https://a.example/x', true],
  ['https://a.example', 'http://a.example/', false],
  ['https://a.example', 'https://b.a.example/', false],
  ['https://a.example', 'https://a.example:8443/', false],
])('a password for %s is sent to %s: %s', (host, url, expected) => {
  expect(isSameSite(new URL(host), new URL(url))).toBe(expected);
});

it('what is no interface, and an interface that answers with pages, are clear faults', async () => {
  const page = await serve((_, answer) => html(answer, '<h1>Just a moment</h1>'));
  expect(await failureOf(readAll(page.address))).toMatchObject({ name: 'SourceFault', code: 'not_an_interface' });
  const guarded = await serve((_, answer, { pathname, searchParams }) => {
    if (pathname === '/x/v7/posts') html(answer, '<h1>Just a moment</h1>');
    else small(answer, pathname, searchParams, [1]);
  });
  expect(await failureOf(readAll(guarded.address))).toMatchObject({
    code: 'not_an_interface',
    message: expect.stringContaining('browser'),
  });
  const empty = await serve((_, answer) => json(answer, { namespaces: ['x/v1'], routes: { '/x/v1/things': {} } }));
  expect(await failureOf(readAll(empty.address))).toMatchObject({
    code: 'not_an_interface',
    message: expect.stringContaining('without posts'),
  });
  expect(await failureOf(readAll('file:///etc/hosts'))).toMatchObject({ code: 'no_address' });
});

it('reading ends when it is told to, and asks for no more at once than it may', async () => {
  let [now, most] = [0, 0];
  const { address } = await serve((_, answer, { pathname, searchParams }) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      small(answer, pathname, searchParams, many);
    }, 5);
  });
  await readAll(address, { concurrency: 3 });
  expect(most).toBe(3);
  const stop = new AbortController();
  const source = await openLiveSite(address, { signal: stop.signal });
  const reading = source.read();
  const aborted = (async () => {
    for await (const part of reading) if ('record' in part && part.record.kind === 'item') stop.abort();
  })();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
});
