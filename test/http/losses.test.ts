import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dump } from '../support/node.ts';
import { type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const make = (path: string, name: string) => site.make('administrator', path, { name });
const post = (more: Readonly<Record<string, unknown>>) =>
  site.make('editor', '/posts', { title: 'Post', content: 'Amber', status: 'publish', ...more });
const shown = async (id: number, query = '') => {
  const { headers, body } = await site.call('editor', `GET /posts/${id}${query}`);
  const { categories, tags, featured_media: image } = body;
  return { etag: headers.get('etag'), categories, tags, image };
};
const found = async (query: string) => {
  const { headers, body } = await site.call('editor', `GET /posts?orderby=id&order=asc&per_page=100&${query}`);
  return { total: headers.get('x-cms-total'), ids: body.map(({ id }: { id: number }) => id) };
};
const count = async (path: string) => (await site.call('editor', `GET ${path}`)).body.count;
const settle = () => {
  while (site.node.work());
};

describe('deleting a term that posts have', () => {
  it('leaves the posts without it, or with the default category, in every answer, also after a restart', async () => {
    const [lost, kept, tag] = [
      await make('/categories', 'Lost'),
      await make('/categories', 'Kept'),
      await make('/tags', 'T'),
    ];
    const alone = await post({ categories: [lost], tags: [tag] });
    const both = await post({ categories: [lost, kept] });
    const draft = await post({ categories: [lost], status: 'draft' });
    const other = await post({ categories: [kept] });
    settle();
    const before = await Promise.all([alone, both, draft, other].map((id) => shown(id)));
    const [position, defaults] = [site.position(), await count('/categories/1')];

    await site.call('administrator', `DELETE /categories/${lost}?force=true`);
    await site.call('administrator', `DELETE /tags/${tag}?force=true`);
    const check = async () => {
      const after = await Promise.all([alone, both, draft, other].map((id) => shown(id)));
      expect(after.map(({ categories, tags }) => [categories, tags])).toEqual([
        [[1], []],
        [[kept], []],
        [[1], []],
        [[kept], []],
      ]);
      expect(after.map(({ etag }, i) => etag === before[i]?.etag)).toEqual([false, false, false, true]);
      expect(await found(`categories=${lost}`)).toEqual({ total: '0', ids: [] });
      expect((await found('categories=1')).ids).toContain(alone);
      expect((await found(`categories=${kept}`)).ids).toEqual([both, other]);
      expect((await found(`tags=${tag}`)).ids).toEqual([]);
      expect(await count('/categories/1')).toBe(defaults + 1);
      const then = await Promise.all([alone, both, draft, other].map((id) => shown(id, `?as_of=${position}`)));
      expect(then.map(({ categories, tags }) => [categories, tags])).toEqual(
        before.map((row) => [row.categories, row.tags]),
      );
      expect((await found(`categories=${lost}&as_of=${position}`)).ids).toEqual([alone, both]);
      expect((await found(`search=amber&categories=${lost}&as_of=${position}`)).ids).toEqual([alone, both]);
      return after.map(({ etag }) => etag);
    };
    const etags = await check();
    settle();
    expect(await check()).toEqual(etags);
    await site.restart();
    expect(await check()).toEqual(etags);
  });

  it('holds for posts that were changed since, and hands on what the default category got', async () => {
    const [first, second, tag] = [
      await make('/categories', 'First'),
      await make('/categories', 'Second'),
      await make('/tags', 'U'),
    ];
    const id = await post({ categories: [first, second], tags: [tag] });
    await site.call('administrator', `DELETE /categories/${first}?force=true`);
    await site.call('editor', `PUT /posts/${id}`, { title: 'Changed' });
    const { etag } = await shown(id);
    const refused = await site.call('editor', `PUT /posts/${id}`, { title: 'No' }, { headers: { 'if-match': '"0"' } });
    expect(refused.status).toBe(412);
    await site.call('administrator', `DELETE /categories/${second}?force=true`);
    expect(await shown(id)).toMatchObject({ categories: [1], tags: [tag] });
    expect((await shown(id)).etag).not.toBe(etag);
    await site.call('administrator', `DELETE /tags/${tag}?force=true`);
    await site.call('editor', `PUT /posts/${id}`, { sticky: true });
    expect(await shown(id)).toMatchObject({ categories: [1], tags: [] });
    expect((await found('categories=1')).ids).toContain(id);
  });

  it('writes nothing for each post, so that it takes no longer for many', async () => {
    const [category, tag] = [await make('/categories', 'Many'), await make('/tags', 'V')];
    const { id: image } = (await uploadBody(site, 'editor', { name: 'a.png', type: 'image/png', bytes: pngOf(2, 2) }))
      .body;
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await post({ categories: [category], tags: [tag], featured_media: image }));
    settle();
    const rows = () => dump(site.directory)['entries'];
    const before = rows();
    for (const path of [`/categories/${category}`, `/tags/${tag}`, `/media/${image}`]) {
      expect((await site.call('administrator', `DELETE ${path}?force=true`)).status).toBe(200);
    }
    expect(rows()).toEqual(before);
    for (const id of ids) expect(await shown(id)).toMatchObject({ categories: [1], tags: [], image: 0 });
  });
});

describe('deleting an image that posts feature', () => {
  it('leaves them without one, and as they were in the past', async () => {
    const { id: image } = (await uploadBody(site, 'editor', { name: 'b.png', type: 'image/png', bytes: pngOf(2, 2) }))
      .body;
    const id = await post({ featured_media: image });
    settle();
    const [before, position] = [await shown(id), site.position()];
    await site.call('administrator', `DELETE /media/${image}?force=true`);
    expect(await shown(id)).toMatchObject({ image: 0 });
    expect((await shown(id)).etag).not.toBe(before.etag);
    expect(await shown(id, `?as_of=${position}`)).toMatchObject({ image });
    settle();
    expect(await shown(id)).toMatchObject({ image: 0 });
  });
});
