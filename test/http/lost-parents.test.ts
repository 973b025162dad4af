import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dump } from '../support/node.ts';
import { type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const post = (more: Readonly<Record<string, unknown>>) =>
  site.make('editor', '/posts', { title: 'Post', content: 'Amber', status: 'publish', ...more });
const settle = () => {
  while (site.node.work());
};

describe('deleting a page with children', () => {
  let number = 0;
  const page = (more: Readonly<Record<string, unknown>>) => {
    number += 1;
    return site.make('editor', '/pages', { title: `Page ${number}`, content: 'Amber', status: 'publish', ...more });
  };
  const remove = (id: number) => site.call('editor', `DELETE /pages/${id}?force=true`);
  const upload = async (host: number, name: string) => {
    const file = { name, type: 'image/png', bytes: pngOf(2, 2) };
    const { body } = await uploadBody(site, 'administrator', file, { query: `post=${host}` });
    return body.id as number;
  };
  const seen = async (path: string, query = '') => {
    const { headers, body } = await site.call('editor', `GET ${path}${query}`);
    return {
      etag: headers.get('etag'),
      parent: body.parent ?? body.post,
      link: body.link,
      up: body._links.up?.[0].href,
    };
  };
  const listed = async (query: string) => {
    const { headers, body } = await site.call('editor', `GET /pages?orderby=id&order=asc&per_page=100&${query}`);
    return { total: headers.get('x-cms-total'), ids: body.map(({ id }: { id: number }) => id) };
  };

  it('moves children and files to its parent in every answer, also after a restart', async () => {
    const top = await page({ slug: 'top' });
    const middle = await page({ slug: 'middle', parent: top });
    const [first, second] = [
      await page({ slug: 'first', parent: middle }),
      await page({ slug: 'second', parent: middle }),
    ];
    const leaf = await page({ slug: 'leaf', parent: first });
    const [draft, other] = [await page({ status: 'draft', parent: middle }), await page({ parent: top })];
    const file = await upload(middle, 'm.png');
    settle();
    const paths = [first, second, leaf, draft].map((id) => `/pages/${id}`);
    const before = await Promise.all(paths.map((path) => seen(path)));
    expect(before[2]?.link).toMatch(/\/top\/middle\/first\/leaf\/$/);
    const [position, elsewhere] = [site.position(), await seen(`/pages/${other}`)];
    expect((await remove(middle)).status).toBe(200);
    expect(site.position()).toBe(position + 1);
    const check = async () => {
      const after = await Promise.all(paths.map((path) => seen(path)));
      expect(after.map(({ parent }) => parent)).toEqual([top, top, first, top]);
      expect(after.some(({ etag }, i) => etag === before[i]?.etag)).toBe(false);
      expect(after[1]?.link).toMatch(/\/top\/second\/$/);
      expect(after[2]?.link).toMatch(/\/top\/first\/leaf\/$/);
      expect(after[0]?.up).toMatch(new RegExp(`/pages/${top}$`));
      expect(await seen(`/pages/${other}`)).toEqual(elsewhere);
      const shown = await fetch(`http://127.0.0.1:${site.port}/top/first/leaf/`);
      expect(shown.status).toBe(200);
      const below = [first, second, draft, other];
      expect(await listed(`parent=${top}&status=publish,draft`)).toEqual({ total: '4', ids: below });
      expect((await listed(`parent=${middle}&status=publish,draft`)).total).toBe('0');
      expect((await listed(`search=amber&parent=${top}`)).ids).toEqual([first, second, other]);
      expect((await listed('orderby=parent')).ids.indexOf(second)).toBeLessThan(
        (await listed('orderby=parent')).ids.indexOf(leaf),
      );
      expect((await seen(`/media/${file}`)).parent).toBe(top);
      expect((await site.call('editor', `GET /media?parent=${top}`)).headers.get('x-cms-total')).toBe('1');
      const then = await Promise.all(paths.map((path) => seen(path, `?as_of=${position}`)));
      expect(then.map(({ parent, link }) => [parent, link])).toEqual(before.map(({ parent, link }) => [parent, link]));
      expect((await seen(`/media/${file}`, `?as_of=${position}`)).parent).toBe(middle);
      expect((await listed(`parent=${middle}&status=publish,draft&as_of=${position}`)).ids).toEqual([
        first,
        second,
        draft,
      ]);
      expect((await listed(`search=amber&parent=${middle}&as_of=${position}`)).ids).toEqual([first, second]);
      return after;
    };
    const shownAfter = await check();
    settle();
    expect(await check()).toEqual(shownAfter);
    await site.restart();
    expect(await check()).toEqual(shownAfter);
  });

  it('applies to pages changed afterwards, and again when the new parent is deleted', async () => {
    const top = await page({});
    const middle = await page({ parent: top });
    const low = await page({ parent: middle });
    const [kept, moved] = [await page({ parent: low }), await page({ parent: low })];
    const file = await upload(low, 'n.png');
    await remove(low);
    const { etag } = await seen(`/pages/${kept}`);
    await site.call('editor', `PUT /pages/${moved}`, { title: 'Changed' });
    await remove(middle);
    expect([(await seen(`/pages/${kept}`)).parent, (await seen(`/pages/${moved}`)).parent]).toEqual([top, top]);
    expect((await seen(`/pages/${kept}`)).etag).not.toBe(etag);
    await remove(top);
    expect([(await seen(`/pages/${kept}`)).parent, (await seen(`/media/${file}`)).parent]).toEqual([0, null]);
    await site.call('editor', `PUT /pages/${kept}`, { title: 'Changed, too' });
    expect((await seen(`/pages/${kept}`)).parent).toBe(0);
  });

  it('keeps slugs unique under the new parent', async () => {
    const top = await page({});
    const middle = await page({ parent: top });
    const passed = await page({ title: 'Same', parent: middle });
    await remove(middle);
    const { body: next } = await site.call('editor', 'POST /pages', { title: 'Same', status: 'publish', parent: top });
    const { body: third } = await site.call('editor', 'POST /pages', { title: 'Same', status: 'publish', parent: top });
    expect([next.slug, third.slug]).toEqual(['same-2', 'same-3']);
    expect((await site.call('editor', `GET /pages/${passed}`)).body.slug).toBe('same');
  });

  it('keeps files of private pages private', async () => {
    const top = await page({});
    const hidden = await page({ parent: top, status: 'private' });
    const [own, below] = [await upload(hidden, 'o.png'), await page({ parent: hidden })];
    const open = await upload(below, 'p.png');
    const shows = await post({ featured_media: own });
    const read = async (as: 'anonymous' | 'author' | 'editor', id: number) =>
      (await site.call(as, `GET /media/${id}`)).status;
    const embedded = async (as: 'anonymous' | 'editor') => {
      const { body } = await site.call(as, `GET /posts/${shows}?_embed=cms:featuredmedia`);
      return body._embedded?.['cms:featuredmedia']?.[0]?.source_url ?? null;
    };
    await remove(hidden);
    const check = async () => {
      expect([await read('anonymous', own), await read('author', own), await read('editor', own)]).toEqual([
        401, 403, 200,
      ]);
      expect(await read('anonymous', open)).toBe(200);
      const { headers } = await site.call('anonymous', `GET /media?search=o&parent=${top}`);
      expect(headers.get('x-cms-total')).toBe('0');
      expect([await embedded('anonymous'), await embedded('editor')]).toEqual([null, expect.stringContaining('o.png')]);
    };
    await check();
    settle();
    await check();
    await site.call('administrator', `PUT /media/${own}`, { title: 'Changed' });
    await remove(top);
    expect(await read('anonymous', own)).toBe(401);
    await site.restart();
    expect(await read('anonymous', own)).toBe(401);
  });

  it('writes no rows of the children', async () => {
    const top = await page({});
    for (let i = 0; i < 5; i++) {
      await page({ parent: top });
      await upload(top, `q${i}.png`);
    }
    settle();
    const rows = () => {
      const { entries: pages, media } = dump(site.directory);
      return { pages: pages?.filter((row) => (row as { id: number }).id !== top), media };
    };
    const [before, position] = [rows(), site.position()];
    await remove(top);
    expect(rows()).toEqual(before);
    expect(site.position()).toBe(position + 1);
  });
});
