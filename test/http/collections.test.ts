import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

describe.each(['/posts', '/pages'])('the collection %s ordered by slugs', (path) => {
  const slugs = async (query: string) => {
    const { headers, body } = await site.call('anonymous', `GET ${path}?orderby=include_slugs&${query}`);
    return { total: headers.get('x-cms-total'), slugs: body.map(({ slug }: { slug: string }) => slug) };
  };
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
    for (const [day, slug] of [
      [2, 'middle'],
      [1, 'oldest'],
      [3, 'newest'],
    ])
      await site.make('editor', path, { title: 'Text', status: 'publish', slug, date: `2018-01-0${day}T00:00:00` });
  });
  afterAll(() => site.close());

  it.each(['asc', 'desc'])('returns entries in the order of the parameter (%s)', async (order) => {
    expect(await slugs(`order=${order}&slug=oldest,newest`)).toEqual({ total: '2', slugs: ['oldest', 'newest'] });
  });

  it.each(['order=asc', 'order=desc', 'slug='])(
    'returns all, oldest first, when no slug is given (%s)',
    async (query) => {
      expect(await slugs(query)).toEqual({ total: '3', slugs: ['oldest', 'middle', 'newest'] });
      expect(await slugs(`${query}&per_page=2&page=2`)).toEqual({ total: '3', slugs: ['newest'] });
    },
  );
});
