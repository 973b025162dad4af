import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';

const count = 60;

describe('a read that takes long', () => {
  let site: Site;
  /** The same site, with reads in the main thread. */
  let whole: Site;
  const ids: number[] = [];
  let tag = 0;

  beforeAll(async () => {
    site = await startSite({ readers: {} });
    whole = await startSite();
    site.readers?.wake();
    await eventually(() => expect(site.readers?.isReady).toBe(true));
    tag = await site.make('editor', '/tags', { name: 'Tag 0' });
    await whole.make('editor', '/tags', { name: 'Tag 0' });
    for (let n = 0; n < count; n++) {
      const post = { title: `Post ${n}`, status: 'publish', tags: [tag] };
      ids.push(await site.make('editor', '/posts', post));
      await whole.make('editor', '/posts', post);
    }
  });
  afterAll(async () => {
    await site.close();
    await whole.close();
  });

  const large = (more = '') => `GET /posts?per_page=${count}&_embed&orderby=id${more}`;
  /** Gives the first and the last post and the tag the same number in one commit. */
  const renumber = (n: number) =>
    site.call('administrator', 'POST /cms-json/batch/v1', {
      validation: 'require-all-validate',
      requests: [
        ...[ids[0], ids.at(-1)].map((id) => ({ path: `/cms/v2/posts/${id}`, body: { title: `Number ${n}` } })),
        { path: `/cms/v2/tags/${tag}`, body: { name: `Number ${n}` } },
      ],
    });

  it('returns the same from another thread', async () => {
    for (const request of [
      large(),
      large('&context=edit'),
      large('&_envelope'),
      large('&_fields=id,_links,_embedded'),
    ]) {
      const [made, expected] = await Promise.all([site, whole].map((one) => one.call('editor', request)));
      expect(made?.status).toBe(200);
      expect(site.readers?.isReady).toBe(true);
      expect(made?.text).toBe(expected?.text);
      expect(made?.headers.get('etag')).toBe(expected?.headers.get('etag'));
    }
  });

  it('returns the same batch of reads, and the same pages with a cursor', async () => {
    const path = `/cms/v2${large().slice('GET '.length)}`;
    const requests = [
      { method: 'GET', path },
      { method: 'GET', path: `${path}&cursor=${site.position() - 3}` },
      { method: 'GET', path: '/cms/v2/posts?context=edit' },
    ];
    for (const as of ['editor', 'anonymous'] as const) {
      const batch = { reads: true, requests };
      const [made, expected] = await Promise.all(
        [site, whole].map((one) => one.call(as, 'POST /cms-json/batch/v1', batch)),
      );
      expect(made?.status).toBe(207);
      expect(made?.text).toBe(expected?.text);
      expect(made?.headers.get('x-cms-position')).toBeNull();
    }
    const write = await site.call('editor', 'POST /cms-json/batch/v1', {
      reads: true,
      requests: [requests[0], { method: 'POST', path: '/cms/v2/tags', body: { name: 'Beside a read' } }],
    });
    expect(write.body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 201]);
    await whole.make('editor', '/tags', { name: 'Beside a read' });
  });

  it('returns the same search results', async () => {
    const searches = ['post 1', '"post 1"', '"st 1"', '" post"', 'o s t -5', '"t 1" -"t 2"', '"t 1"&orderby=relevance'];
    for (const search of searches) {
      const request = `GET /posts?search=${search.replaceAll(' ', '%20')}&per_page=${count}`;
      const [made, expected] = await Promise.all([site, whole].map((one) => one.call('editor', request)));
      expect(made?.status).toBe(200);
      expect(made?.text).toBe(expected?.text);
    }
  });

  it('lets later short requests be answered first', async () => {
    await site.call('anonymous', `GET /posts/${ids[0]}`);
    const order: string[] = [];
    const first = site.call('anonymous', large('&_=1')).then(() => order.push('large'));
    const others = [1, 2, 3].map((n) =>
      site.call('anonymous', `GET /posts/${ids[n]}?_=1`).then(() => order.push('small')),
    );
    await Promise.all([first, ...others]);
    expect(order).toEqual(['small', 'small', 'small', 'large']);
  });

  it('shows one position, whatever is committed meanwhile', async () => {
    let n = 0;
    const seen = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const reads = [1, 2, 3].map((i) => site.call('editor', large(`&context=edit&_=${round}-${i}`)));
      const writes = [1, 2].map(() => renumber(++n));
      expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([207, 207]);
      for (const { body } of await Promise.all(reads)) {
        const tags = body.map((post: { _embedded: { 'cms:term': { name: string }[][] } }) =>
          post._embedded['cms:term']
            .flat()
            .find(({ name }) => /^(Number|Tag) \d+$/.test(name))
            ?.name.replace('Tag', 'Number'),
        );
        const titles = [body[0], body.at(-1)].map(({ title }) => title.raw);
        if (titles[0] === `Post ${count - 1}`) titles.fill('Number 0');
        expect(new Set([...tags, ...titles]).size).toBe(1);
        seen.add(titles[0]);
      }
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('returns its error when it is refused', async () => {
    const { status, body } = await site.call('anonymous', 'GET /posts?per_page=50&page=9&_embed');
    expect([status, body.code]).toEqual([400, 'rest_post_invalid_page_number']);
  });
});
