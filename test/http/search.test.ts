import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

const longest = 1600;

let site: Site;
let post: number;
beforeAll(async () => {
  site = await startSite();
  for (const path of ['/posts', '/pages']) {
    await site.make('editor', path, { title: 'Amber', content: 'one two three four five six', status: 'publish' });
    await site.make('editor', path, { title: 'Stone', content: 'six five four', status: 'publish' });
  }
  await uploadBody(site, 'editor', { name: 'a.png', type: 'image/png', bytes: pngOf(2, 2) });
  post = await site.make('editor', '/posts', { title: 'Kept', content: 'first', status: 'draft' });
  await site.call('editor', `PUT /posts/${post}`, { content: 'second' });
});
afterAll(() => site.close());

/** Returns the total of a search, sent as a body to avoid the length limit of URLs. */
async function total(as: As, path: string, search: string, more: Readonly<Record<string, unknown>> = {}) {
  const { status, headers } = await site.call(as, `POST ${path}`, { search, ...more }, asGet);
  expect(status).toBe(200);
  return Number(headers.get('x-cms-total'));
}
const asGet = { headers: { 'x-http-method-override': 'GET' } };

describe.each(['/posts', '/pages'])('a search of %s', (path) => {
  it('of more than nine terms matches the whole text as one phrase', async () => {
    expect(await total('anonymous', path, 'one two three four five six amber')).toBe(1);
    expect(await total('anonymous', path, 'six five four one two three x1 x2 x3 x4')).toBe(0);
    await site.make('editor', path, { title: 'p', content: 'a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11', status: 'publish' });
    expect(await total('anonymous', path, 'a11 a10 a9 a8 a7 a6 a5 a4 a3')).toBe(1);
    expect(await total('anonymous', path, 'a11 a10 a9 a8 a7 a6 a5 a4 a3 a2')).toBe(0);
    expect(await total('anonymous', path, 'a1 a2 a3 a4 a5 a6 a7 a8 a9 a10')).toBe(1);
  });

  it.each(['date', 'relevance', 'title'])('of more than 1,600 bytes is ignored (by %s)', async (orderby) => {
    const all = await total('anonymous', path, '');
    expect(all).toBeGreaterThan(2);
    for (const search of ['x'.repeat(longest), 'ä'.repeat(longest / 2)]) {
      expect(await total('anonymous', path, search, { orderby })).toBe(0);
      expect(await total('anonymous', path, `${search}x`, { orderby })).toBe(all);
    }
    expect(await total('anonymous', path, Array(1_000).fill('-x').join(' '), { orderby })).toBe(all);
  });
});

describe('an order by relevance', () => {
  it.each(['', ' ', '<b>', '<p></p> '])('needs a term, which %j is not', async (search) => {
    const { status, body } = await site.call(
      'anonymous',
      `GET /posts?orderby=relevance&search=${encodeURIComponent(search)}`,
    );
    expect([status, body.code]).toEqual([400, 'rest_no_search_term_defined']);
  });
});

describe('a search of more than 1,600 bytes is ignored', () => {
  it.each([
    ['among revisions', 'editor', '/posts/{post}/revisions'],
    ['among media', 'editor', '/media'],
  ] as const)('%s', async (_, as, list) => {
    const path = list.replace('{post}', String(post));
    const all = await total(as, path, '');
    expect(all).toBeGreaterThan(0);
    expect(await total(as, path, 'x'.repeat(longest))).toBe(0);
    expect(await total(as, path, 'x'.repeat(longest + 1))).toBe(all);
  });

  it('as of an earlier position', async () => {
    const position = site.position();
    await site.make('editor', '/posts', { title: 'Later', status: 'publish' });
    const then = (search: string) => total('editor', '/posts', search, { as_of: String(position) });
    expect(await then('x'.repeat(longest))).toBe(0);
    expect(await then('x'.repeat(longest + 1))).toBe(await then(''));
  });
});

it.each(['/posts', '/pages', '/media', '/categories', '/tags', '/users'])(
  'a word of 60,000 letters can be searched in %s',
  async (path) => {
    expect(await total('administrator', path, 'x'.repeat(60_000))).toBeGreaterThanOrEqual(0);
  },
);

describe('letters and digits of another form', () => {
  const titles = ['_x', '-a', '—dash', '"q"', '(x)', '①', '½', '10', '2', '٣', '9', 'ﬁ', '™', 'x²', 'ア', 'ﾂ'];
  const made: number[] = [];
  beforeAll(async () => {
    const category = await site.make('editor', '/categories', { name: 'Forms' });
    for (const title of titles.toReversed()) {
      made.push(await site.make('editor', '/posts', { title, categories: [category], status: 'publish' }));
    }
    made.push(category);
  });

  it('are found by the plain ones', async () => {
    const found = async (search: string) => {
      const path = `/posts?categories=${made.at(-1)}&search=${encodeURIComponent(search)}`;
      return ((await site.call('anonymous', `GET ${path}`)).body as { title: { rendered: string } }[]).map(
        ({ title }) => title.rendered,
      );
    };
    expect(await found('あ')).toEqual(['ア']);
    expect(await found('ツ')).toEqual(['ﾂ']);
    expect(await found('x2')).toEqual(['x²']);
    expect(new Set(await found('1'))).toEqual(new Set(['①', '½', '10']));
    expect(await found('3')).toEqual(['٣']);
  });

  it('stand beside the plain ones in the order of titles', async () => {
    const { body } = await site.call(
      'editor',
      `GET /posts?categories=${made.at(-1)}&orderby=title&order=asc&per_page=20&context=edit`,
    );
    expect((body as { title: { raw: string } }[]).map(({ title }) => title.raw)).toEqual(titles);
  });
});
