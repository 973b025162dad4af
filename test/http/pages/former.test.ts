import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';

const pathOf = (address: string) => address.replace('http://site.example', '');

async function visit(site: Site, path: string) {
  const { status, headers } = await fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual' });
  return { status, to: headers.get('location') };
}

const moved = (to: string) => ({ status: 301, to });
const missing = { status: 404, to: null };

describe('a former address', () => {
  let site: Site;
  const link = async (path: string) => (await site.call('administrator', `GET ${path}`)).body.link as string;
  const change = (path: string, body: object) => site.call('administrator', `PUT ${path}`, body);
  const formerOf = async (path: string, body: object) => {
    const before = pathOf(await link(path));
    expect((await change(path, body)).status).toBe(200);
    return before;
  };

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  it('of a post leads to the present one, whatever changed since; so do its feed, frame and comments', async () => {
    const id = await site.make('author', '/posts', { title: 'One', status: 'publish' });
    expect(await formerOf(`/posts/${id}`, { slug: 'two' })).toBe('/one/');
    await change(`/posts/${id}`, { content: 'New words' });
    await change(`/posts/${id}`, { slug: 'three' });
    const now = await link(`/posts/${id}`);
    for (const path of ['/one/', '/two/', '/one', '/ONE/'])
      expect([path, await visit(site, path)]).toEqual([path, moved(now)]);
    expect(await visit(site, '/one/feed/')).toEqual(moved(`${now}feed/`));
    expect(await visit(site, '/one/feed/atom')).toEqual(moved(`${now}feed/atom/`));
    expect(await visit(site, '/two/embed/')).toEqual(moved(`${now}embed/`));
    expect(await visit(site, '/two/comment-page-1/')).toEqual(moved(`${now}comment-page-1/`));
    expect(await visit(site, '/four/')).toEqual(missing);
  });

  it('of a page below a page that was renamed or moved leads to the present one', async () => {
    const top = await site.make('editor', '/pages', { title: 'Top', status: 'publish' });
    const other = await site.make('editor', '/pages', { title: 'Other', status: 'publish' });
    const child = await site.make('editor', '/pages', { title: 'Child', status: 'publish', parent: top });
    await change(`/pages/${top}`, { slug: 'up' });
    await change(`/pages/${child}`, { parent: other });
    await change(`/pages/${other}`, { slug: 'elsewhere' });
    const now = await link(`/pages/${child}`);
    for (const path of ['/top/child/', '/up/child/', '/other/child/'])
      expect([path, await visit(site, path)]).toEqual([path, moved(now)]);
    expect(await visit(site, '/elsewhere/top/')).toEqual(missing);
    expect(await visit(site, '/top/')).toEqual(moved(await link(`/pages/${top}`)));
  });

  it('of a category, a tag and an author leads to the present one', async () => {
    const top = await site.make('editor', '/categories', { name: 'Above' });
    const below = await site.make('editor', '/categories', { name: 'Below', parent: top });
    const tag = await site.make('editor', '/tags', { name: 'Marked' });
    await site.make('author', '/posts', { title: 'Of an author', status: 'publish' });
    await change(`/categories/${top}`, { slug: 'over' });
    await change(`/tags/${tag}`, { slug: 'noted' });
    await change('/users/3', { slug: 'writer' });
    expect(await visit(site, '/category/above/below/')).toEqual(moved(await link(`/categories/${below}`)));
    expect(await visit(site, '/category/above/feed/')).toEqual(moved(`${await link(`/categories/${top}`)}feed/`));
    expect(await visit(site, '/tag/marked/')).toEqual(moved(await link(`/tags/${tag}`)));
    expect(await visit(site, '/author/author/')).toEqual(moved(await link('/users/3')));
  });

  it('of an author leads on, however many posts came since', async () => {
    const account = { username: 'busy', email: 'busy@example.org', password: 'x', roles: ['author'] };
    const author = await site.make('administrator', '/users', account);
    const write = (title: string) => site.make('editor', '/posts', { title, status: 'publish', author });
    await write('The first');
    await change(`/users/${author}`, { slug: 'now-busy' });
    for (let i = 0; i < 52; i++) await write(`Later ${i}`);
    expect(await visit(site, '/author/busy/')).toEqual(moved(await link(`/users/${author}`)));
  });

  it('of what never was public, or is not now, reveals nothing', async () => {
    const draft = await site.make('author', '/posts', { title: 'Draft', slug: 'draft-name', status: 'draft' });
    await change(`/posts/${draft}`, { slug: 'public-name', status: 'publish' });
    expect(await visit(site, '/draft-name/')).toEqual(missing);
    const hidden = await site.make('author', '/posts', { title: 'Shown once', status: 'publish' });
    await change(`/posts/${hidden}`, { slug: 'hidden-now' });
    await change(`/posts/${hidden}`, { status: 'private' });
    for (const path of ['/shown-once/', '/hidden-now/']) expect(await visit(site, path)).toEqual(missing);
    await site.make('contributor', '/posts', { title: 'Never', status: 'draft' });
    await change('/users/4', { slug: 'nobody' });
    expect(await visit(site, '/author/contributor/')).toEqual(missing);
    // A name from before the first public post was seen by nobody.
    await change('/users/2', { slug: 'second' });
    await site.make('editor', '/posts', { title: 'First of an editor', status: 'publish' });
    expect(await visit(site, '/author/editor/')).toEqual(missing);
  });

  it('shows what has the address now', async () => {
    const first = await site.make('author', '/posts', { title: 'Wanted', status: 'publish' });
    await change(`/posts/${first}`, { slug: 'gave-way' });
    const second = await site.make('editor', '/pages', { title: 'Wanted', status: 'publish' });
    expect(await visit(site, '/wanted/')).toEqual({ status: 200, to: null });
    await site.call('administrator', `DELETE /pages/${second}?force=true`);
    expect(await visit(site, '/wanted/')).toEqual(moved(await link(`/posts/${first}`)));
  });
});

type Move = {
  readonly do: 'create' | 'rename' | 'move' | 'status' | 'delete';
  readonly at: number;
  readonly to: number;
};

it('after any changes, every address that was public once leads to what had it last and is public, and no other does', async () => {
  const someMove = fc.record<Move>({
    do: fc.constantFrom('create', 'rename', 'rename', 'move', 'status', 'delete'),
    at: fc.nat(9),
    to: fc.nat(5),
  });
  const slugs = ['a', 'b', 'c'];
  await fc.assert(
    fc.asyncProperty(fc.array(someMove, { minLength: 10, maxLength: 30 }), async (moves) => {
      const site = await startSite();
      try {
        const items: string[] = [];
        const seen: Map<string, string>[] = [];
        const send = (method: string, path: string, body?: object) =>
          site.call('administrator', `${method} ${path}`, body);
        const make = async (to: number) => {
          const base = ['/pages', '/pages', '/posts', '/categories'][to % 4] ?? '';
          const named = {
            slug: slugs[to % 3],
            ...(base === '/categories' ? { name: `Name ${items.length}` } : { title: 'x', status: 'publish' }),
          };
          const { status, body } = await send('POST', base, named);
          if (status === 201) items.push(`${base}/${body.id}`);
        };
        const look = async () => {
          const lists = ['/posts?per_page=100', '/pages?per_page=100', '/categories?per_page=100'];
          const found = await Promise.all(
            lists.map(async (list) => {
              const { body } = await site.call('anonymous', `GET ${list}`);
              const base = list.split('?')[0];
              return (body as { id: number; link: string }[]).map(
                ({ id, link }) => [pathOf(link), `${base}/${id}`] as const,
              );
            }),
          );
          seen.push(new Map(found.flat()));
        };
        for (const { do: what, at, to } of moves) {
          const item = items[at % Math.max(1, items.length)];
          if (what === 'create' || item === undefined) await make(at + to);
          else if (what === 'rename') await send('PUT', item, { slug: slugs[to % 3] });
          else if (what === 'move')
            await send('PUT', item, { parent: Number(items[to % items.length]?.split('/')[2] ?? 0) });
          else if (what === 'status') await send('PUT', item, { status: to % 2 === 0 ? 'publish' : 'draft' });
          else await send('DELETE', `${item}?force=true`);
          await look();
        }
        const now = seen.at(-1) ?? new Map<string, string>();
        const present = new Map([...now].map(([path, item]) => [item, path]));
        const all = new Set(seen.flatMap((one) => [...one.keys()]));
        for (const path of all) {
          const owner = seen.map((one) => one.get(path)).findLast((one) => one !== undefined && present.has(one));
          const to = owner === undefined ? undefined : present.get(owner);
          const right = now.has(path)
            ? { status: 200, to: null }
            : to === undefined
              ? missing
              : moved(`http://site.example${to}`);
          expect([path, await visit(site, path)]).toEqual([path, right]);
        }
      } finally {
        await site.close();
      }
    }),
    { numRuns: 20 },
  );
});
