import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { configureSite, siteStream } from '#domain/site/state.ts';
import { manyActs, perform } from '../support/acts.ts';
import { refusal } from '../support/history.ts';
import { admin } from '../support/node.ts';
import { type As, type Site, startSite } from '../support/site.ts';

const collections = ['/posts', '/pages', '/categories', '/tags'] as const;
const asked = [
  '/posts?per_page=3&status=any,trash&context=edit',
  '/posts?per_page=2&page=2&status=any&orderby=title&order=asc',
  '/posts?search=text&orderby=relevance&status=any',
  '/posts?ignore_sticky=false&_embed=wp:term,author',
  '/posts?categories=2,4&categories_exclude=3&status=publish,future',
  '/posts?slug=own,one&orderby=include_slugs&status=any',
  '/pages?per_page=3&status=any&orderby=menu_order&context=edit',
  '/pages?parent=0&offset=1&status=any,trash',
  '/categories?orderby=count&order=desc',
  '/categories?hide_empty=true&search=t',
  '/tags?context=edit',
  '/tags?post=2',
];

const totals = (headers: Headers) => [headers.get('x-cms-total'), headers.get('x-cms-totalpages')];
const asOf = (path: string, moment: string | number) => `${path}${path.includes('?') ? '&' : '?'}as_of=${moment}`;

describe('the past', () => {
  it('is shown by no route to those who may not edit the posts of others, and only by routes that say so', async () => {
    const site = await startSite();
    await site.make('editor', '/posts', { title: 'One', status: 'publish' });
    const { body: index } = await site.call('administrator', 'GET /cms-json/');
    const paths = Object.keys(index.routes).filter((path) => path !== '/' && !path.includes('('));
    const shown: string[] = [];
    for (const path of paths) {
      for (const as of ['anonymous', 'contributor', 'administrator'] as const) {
        const { status } = await site.call(as, `GET /cms-json${path}?as_of=2`);
        expect(status, `${as} ${path}`).toBeLessThan(500);
        if (status === 200) shown.push(`${as} ${path}`);
      }
    }
    await site.close();
    const routes = ['posts', 'pages', 'categories', 'tags', 'comments', 'templates', 'settings'];
    for (const route of routes) expect(shown).toContain(`administrator /cms/v2/${route}`);
    // A write by GET; it ignores the parameter.
    const written = 'contributor /host-ai-assistant/v1/website';
    expect(shown.filter((one) => !one.startsWith('administrator') && one !== written)).toEqual([]);
  });

  it('is not found under a kind that the item never had, whatever the rights to the item', async () => {
    const site = await startSite();
    const block = await site.make('editor', '/blocks', { title: 'Mine', status: 'private' });
    for (const path of [`/posts/${block}`, `/pages/${block}?as_of=1`, `/posts/${block}?as_of=${site.position()}`]) {
      const { status, body } = await site.call('administrator', `GET ${path}`);
      expect([path, status, body.code]).toEqual([path, 404, 'rest_post_invalid_id']);
    }
    await site.close();
  });
});

describe('collections of the past', () => {
  let site: Site;
  let past: number;
  beforeAll(async () => {
    site = await startSite();
    const tag = await site.make('editor', '/tags', { name: 'Old' });
    await site.make('author', '/posts', { title: 'Gone later', status: 'publish', tags: [tag] });
    const kept = await site.make('editor', '/posts', { title: 'Before', status: 'publish', tags: [tag] });
    await site.make('author', '/posts', { title: 'Draft', status: 'draft' });
    past = site.position();
    site.clock.now += 60_000;
    await site.call('editor', `PUT /posts/${kept}`, { title: 'After', status: 'draft' });
    await site.call('editor', `DELETE /tags/${tag}?force=true`);
    const [gone] = (await site.call('editor', 'GET /posts?search=gone')).body;
    await site.call('editor', `DELETE /posts/${gone.id}?force=true`);
    await site.make('editor', '/posts', { title: 'New', status: 'publish' });
  });
  afterAll(() => site.close());

  const titles = async (path: string) =>
    (await site.call('editor', `GET ${path}`)).body.map((post: { title: { rendered: string } }) => post.title.rendered);

  it('contain the items, names, order and totals of that time', async () => {
    expect(await titles('/posts')).toEqual(['New']);
    expect(await titles(`/posts?as_of=${past}&orderby=id&order=asc`)).toEqual(['Gone later', 'Before']);
    expect(await titles(`/posts?as_of=${past}&search=before`)).toEqual(['Before']);
    const { body, headers } = await site.call('editor', `GET /tags?as_of=${past}`);
    expect(body).toMatchObject([{ name: 'Old', count: 2 }]);
    expect(totals(headers)).toEqual(['1', '1']);
  });

  it('link to further pages as of the same position', async () => {
    const { headers } = await site.call('editor', `GET /posts?per_page=1&as_of=${past}`);
    expect(totals(headers)).toEqual(['2', '2']);
    expect(headers.get('link')).toContain(`as_of=${past}&page=2>; rel="next"`);
  });

  it('are the same by time and by position', async () => {
    const time = encodeURIComponent(new Date(site.clock.now - 30_000).toISOString());
    for (const path of collections) {
      const [byTime, byPosition] = [time, past].map((moment) => site.call('editor', `GET ${asOf(path, moment)}`));
      expect((await byTime)?.body).toEqual((await byPosition)?.body);
    }
  });

  it('as of a day show its end, as of a minute its beginning, with or without an offset', async () => {
    const { body: now } = await site.call('editor', 'GET /posts?orderby=id');
    const at = async (moment: string) =>
      (await site.call('editor', `GET ${asOf('/posts?orderby=id', encodeURIComponent(moment))}`)).body;
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    expect(await at(day(site.clock.now + 86_400_000))).toEqual(now);
    expect(await at(day(site.clock.now - 7 * 86_400_000))).toEqual([]);
    for (const moment of ['2020-01-01T12:00', '2020-01-01 12:00', '2020-01-01T12:00Z', '2020-01-01T12:00:00+05:30'])
      expect([moment, await at(moment)]).toEqual([moment, []]);
  });

  it.each(collections)('%s are limited to those who may edit what others wrote', async (path) => {
    const status = async (as: As) => (await site.call(as, `GET ${path}?as_of=${past}`)).status;
    const all = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
    expect(await Promise.all(all.map(status))).toEqual([401, 403, 403, 403, 200, 200]);
  });

  it('include single terms at their own routes', async () => {
    const [{ id }] = (await site.call('editor', `GET /tags?as_of=${past}`)).body;
    expect((await site.call('editor', `GET /tags/${id}?as_of=${past}`)).body).toMatchObject({ name: 'Old', count: 2 });
    expect((await site.call('editor', `GET /tags/${id}`)).status).toBe(404);
    expect((await site.call('author', `GET /tags/${id}?as_of=${past}`)).status).toBe(403);
  });

  it.each(['tomorrow', '-1', '999999999', '1e3', '', '1.5', '2026-13-01T00:00:00', '2026-02-29T12:00:00'])(
    'refuse "%s"',
    async (moment) => {
      for (const path of collections) {
        const reply = await site.call('editor', `GET ${asOf(path, moment)}`);
        expect(refusal(reply)).toEqual([400, 'rest_invalid_as_of']);
      }
    },
  );

  it('refuse an array as as_of', async () => {
    const reply = await site.call('editor', 'GET /posts?as_of[]=1');
    expect(refusal(reply)).toEqual([400, 'rest_invalid_param']);
  });

  it('show terms below the parents they had, although these were deleted since', async () => {
    const above = await site.make('editor', '/categories', { name: 'Above' });
    const between = await site.make('editor', '/categories', { name: 'Between', parent: above });
    const below = await site.make('editor', '/categories', { name: 'Below', parent: between });
    const first = site.position();
    await site.call('editor', `DELETE /categories/${between}?force=true`);
    const second = site.position();
    await site.call('editor', `DELETE /categories/${above}?force=true`);
    const parentAt = async (position: number) =>
      (await site.call('editor', `GET /categories?slug=below&as_of=${position}`)).body[0].parent;
    expect([await parentAt(first), await parentAt(second)]).toEqual([between, above]);
    expect((await site.call('editor', `GET /categories/${below}?as_of=${second}`)).body.parent).toBe(above);
  });

  it('sort by the slugs of that time', async () => {
    const first = await site.make('editor', '/posts', { title: 'First', slug: 'swap-a', status: 'publish' });
    const second = await site.make('editor', '/posts', { title: 'Second', slug: 'swap-b', status: 'publish' });
    const before = site.position();
    await site.call('editor', `PUT /posts/${first}`, { slug: 'swap-c' });
    await site.call('editor', `PUT /posts/${second}`, { slug: 'swap-a' });
    await site.call('editor', `PUT /posts/${first}`, { slug: 'swap-b' });
    const ids = async (slugs: string, position: number) => {
      const path = `GET /posts?slug=${slugs}&orderby=include_slugs&as_of=${position}`;
      return (await site.call('editor', path)).body.map(({ id }: { id: number }) => id);
    };
    expect(await ids('swap-a,swap-b', before)).toEqual([first, second]);
    expect(await ids('swap-b,swap-a', before)).toEqual([second, first]);
    expect(await ids('swap-a,swap-b', site.position())).toEqual([second, first]);
  });

  it('show a generated slug that was free at that time', async () => {
    const slug = async (id: number, position: number) =>
      (await site.call('editor', `GET /posts/${id}?context=edit&as_of=${position}`)).body.generated_slug;
    const id = await site.make('editor', '/posts', { title: 'Named', slug: 'another', status: 'publish' });
    const free = site.position();
    const other = await site.make('editor', '/posts', { title: 'Named', status: 'publish' });
    const taken = site.position();
    await site.call('editor', `PUT /posts/${other}`, { slug: 'renamed' });
    expect([await slug(id, free), await slug(id, taken), await slug(id, site.position())]).toEqual([
      'named',
      'named-2',
      'named',
    ]);
  });

  it('embed what they link to, also when the address of the site has changed since', async () => {
    const path = `/posts?as_of=${past}&_embed=author&slug=before`;
    const [before] = (await site.call('editor', `GET ${path}`)).body;
    expect(before._embedded.author).toHaveLength(1);
    await site.node.store.submit(admin, (session) => {
      const settings = session.site();
      session.stage(siteStream, configureSite(settings, { ...settings, url: 'http://moved.example' }));
    });
    expect((await site.call('editor', `GET ${path}`)).body).toEqual([before]);
  });

  it('are empty as of position 0', async () => {
    for (const path of collections) {
      const { status, body, headers } = await site.call('editor', `GET ${path}?as_of=0`);
      expect([status, body, totals(headers)]).toEqual([200, [], ['0', '0']]);
    }
  });

  it('never show part of a commit', async () => {
    const first = await site.call('editor', 'GET /categories?as_of=1');
    expect((await site.call('editor', 'GET /categories?as_of=2')).body.length).toBeGreaterThanOrEqual(
      first.body.length,
    );
    const begin = site.position();
    const requests = [1, 2, 3].map((n) => ({
      path: '/cms/v2/posts',
      body: { title: `Batch ${n}`, status: 'publish' },
    }));
    await site.call('editor', 'POST /cms-json/batch/v1', { requests });
    const counts = [];
    for (let position = begin; position <= site.position(); position++) {
      const { headers } = await site.call('editor', `GET /posts?search=batch&as_of=${position}`);
      counts.push(headers.get('x-cms-total'));
    }
    expect(new Set(counts)).toEqual(new Set(['0', '3']));
  });

  it('answer HEAD without a body, and 304 to a matching tag', async () => {
    for (const path of collections) {
      const address = `${path}?as_of=${past}`;
      const { headers } = await site.call('editor', `GET ${address}`);
      const head = await site.call('editor', `HEAD ${address}`);
      expect([head.status, head.text, totals(head.headers)]).toEqual([200, '', totals(headers)]);
      const tag = headers.get('etag') ?? '';
      await site.make('editor', '/posts', { title: 'Meanwhile', status: 'publish' });
      const again = await site.call('editor', `GET ${address}`, undefined, { headers: { 'if-none-match': tag } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  it('are the same after a restart and after a rebuild', async () => {
    const all = () =>
      Promise.all(collections.map(async (path) => (await site.call('editor', `GET ${path}?as_of=${past}`)).body));
    const before = await all();
    await site.restart();
    expect(await all()).toEqual(before);
    await site.rebuild();
    expect(await all()).toEqual(before);
  });
});

/** Performs acts on a site and records all answers after each. */
async function history(site: Site, sequence: Parameters<typeof perform>[1][]) {
  const moments: { position: number; answers: unknown[] }[] = [];
  for (const act of sequence) {
    site.clock.now += 700;
    await site.node.store.submit(admin, (session) => {
      session.attempt(() => {
        const value = perform(session, act);
        return isRefusal(value) ? value : null;
      });
    });
    const answers = await Promise.all(asked.map((path) => answer(site, path)));
    moments.push({ position: site.position(), answers });
  }
  return moments;
}

async function answer(site: Site, path: string) {
  const { status, body, headers } = await site.call('administrator', `GET ${path}`);
  return { status, body, totals: totals(headers) };
}

describe('any collection as of any position', () => {
  it('equals the answer given at that position, and so do its items', async () => {
    await fc.assert(
      fc.asyncProperty(manyActs, async (sequence) => {
        const site = await startSite();
        try {
          for (const { position, answers } of await history(site, sequence)) {
            const then = await Promise.all(asked.map((path) => answer(site, asOf(path, position))));
            expect(then).toEqual(answers);
            const items: { id: number; type: string }[] = then[0]?.body ?? [];
            for (const item of items) {
              const single = await site.call(
                'administrator',
                `GET ${asOf(`/posts/${item.id}?context=edit`, position)}`,
              );
              expect(single.body).toEqual(item);
            }
          }
        } finally {
          await site.close();
        }
      }),
      { numRuns: 4 },
    );
  });
});

describe('a position', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  it('is searched and counted as it was, also after a new start', async () => {
    const id = await site.make('editor', '/posts', { title: 'Then', status: 'publish', content: 'needle' });
    const position = site.position();
    await site.call('editor', `PUT /posts/${id}`, { title: 'Now', content: 'hay' });
    const then = async () => {
      const { body, headers } = await site.call('editor', `GET /posts?search=needle&as_of=${position}`);
      return [body[0]?.title.rendered, ...totals(headers)];
    };
    expect(await then()).toEqual(['Then', '1', '1']);
    expect((await site.call('editor', `GET /categories?as_of=${position}`)).body).toMatchObject([{ count: 1 }]);
    await site.restart();
    expect(await then()).toEqual(['Then', '1', '1']);
    await site.rebuild();
    expect(await then()).toEqual(['Then', '1', '1']);
  });

  it('is shown by a page of the audit, and to a client that sends the parameters of a read in a body', async () => {
    const id = await site.make('editor', '/posts', { title: 'Shown then', status: 'publish' });
    const position = site.position();
    await site.call('editor', `PUT /posts/${id}`, { title: 'Shown now' });
    const authorization = site.credentials.get('administrator') ?? '';
    const page = await fetch(`http://127.0.0.1:${site.port}/cms-audit/site/${position}/`, {
      headers: { authorization },
    });
    expect(await page.text()).toMatch(/Shown then/);
    const body = { as_of: position, include: [id] };
    const headers = { 'x-http-method-override': 'GET' };
    const reply = await site.call('editor', 'POST /posts', body, { headers });
    expect(reply.body).toMatchObject([{ id, title: { rendered: 'Shown then' } }]);
  });
});
