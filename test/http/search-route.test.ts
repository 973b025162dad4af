import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop } from '../support/shop.ts';
import { BASE, SITE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  for (let day = 1; day <= 6; day += 1) {
    const path = day % 2 === 0 ? '/posts' : '/pages';
    const date = `2020-01-0${day}T10:00:00`;
    await site.make('editor', path, {
      title: `Day ${day}`,
      content: day === 2 ? 'needle' : '',
      status: 'publish',
      date,
    });
  }
  await site.make('editor', '/pages', { title: 'The needle', status: 'publish', date: '2019-01-01T10:00:00' });
  await site.make('editor', '/posts', {
    title: 'An aside',
    status: 'publish',
    format: 'aside',
    date: '2018-01-01T10:00:00',
  });
});
afterAll(() => site.close());

const titles = async (query: string) => {
  const { body } = await site.call('anonymous', `GET /search?${query}`);
  return body.map(({ title }: { title: string }) => title);
};

describe('a search', () => {
  it('without words lists public entries of all kinds, newest first', async () => {
    const expected = ['Day 6', 'Day 5', 'Day 4', 'Day 3', 'Day 2', 'Day 1', 'The needle', 'An aside'];
    expect(await titles('')).toEqual(expected);
    const paged = await Promise.all([1, 2, 3].map((page) => titles(`per_page=3&page=${page}`)));
    expect(paged.flat()).toEqual(expected);
  });

  it('ranks matches in the title first', async () => {
    expect(await titles('search=needle')).toEqual(['The needle', 'Day 2']);
  });

  it('accepts known subtypes only, in any case', async () => {
    expect((await titles('subtype=PAGE')).length).toBe(4);
    expect((await site.call('anonymous', 'GET /search?subtype=product')).body.code).toBe('rest_invalid_param');
  });

  it('finds products while the shop is active', async () => {
    const shop = await startSite();
    await openShop(shop);
    await shop.make('editor', '/products', { title: 'Lamp', status: 'publish', regular_price: '7' });
    for (const query of ['', '?subtype=product', '?subtype=any']) {
      const { body } = await shop.call('anonymous', `GET /search${query}`);
      expect(body).toMatchObject([{ title: 'Lamp', subtype: 'product', url: `${SITE}/product/lamp/` }]);
    }
    await shop.close();
  });

  it('returns the taxonomy of terms as their type, without a subtype', async () => {
    const id = await site.make('editor', '/categories', { name: 'Fish & Chips' });
    const { headers, body } = await site.call('anonymous', 'GET /search?type=term&search=fish');
    expect(Object.keys(body[0])).toEqual(['id', 'title', 'url', 'type', '_links']);
    expect(body).toMatchObject([
      { id, title: 'Fish &amp; Chips', type: 'category', url: `${SITE}/category/fish-chips/` },
    ]);
    expect(body[0]._links.self).toEqual([
      { embeddable: true, href: `${BASE}/categories/${id}`, targetHints: { allow: ['GET'] } },
    ]);
    expect(headers.get('x-cms-total')).toBe('1');
  });

  it('embeds the results', async () => {
    const { body } = await site.call('anonymous', 'GET /search?type=term&search=uncat&_embed');
    expect(body[0]._embedded.self).toMatchObject([{ id: 1, name: 'Uncategorized' }]);
  });

  it('lists all formats ever used, also after a rebuild', async () => {
    const id = await site.make('editor', '/posts', { title: 'Once a quote', format: 'quote' });
    await site.call('editor', `POST /posts/${id}`, { format: 'standard' });
    const formats = async (query = '') =>
      (await site.call('anonymous', `GET /search?type=post-format${query}`)).body.map((hit: { id: string }) => hit.id);
    expect(await formats()).toEqual(['aside', 'quote']);
    await site.rebuild();
    expect(await formats()).toEqual(['aside', 'quote']);
    expect(await formats('&search=QUO')).toEqual(['quote']);
    expect(await formats('&include=1&exclude=2')).toEqual(['aside', 'quote']);
    const { body } = await site.call('anonymous', 'GET /search?type=post-format&per_page=1');
    expect(body).toEqual([
      {
        ...{ id: 'aside', title: 'Aside', url: `${SITE}/type/aside/`, type: 'post-format' },
        _links: { collection: [{ href: `${BASE}/search` }] },
      },
    ]);
  });

  it('returns URLs of existing pages', async () => {
    for (const type of ['post', 'term', 'post-format']) {
      const { body } = await site.call('anonymous', `GET /search?type=${type}`);
      for (const { url } of body) {
        const { status } = await fetch(url.replace(SITE, `http://127.0.0.1:${site.port}`));
        expect([url, status]).toEqual([url, 200]);
      }
    }
  });
});
