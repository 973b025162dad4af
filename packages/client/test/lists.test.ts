import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../../test/support/site.ts';
import { CmsError, createClient } from '../src/index.ts';
import { itemsById } from '../src/lists.ts';
import type { CmsAnswer } from '../src/types.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const client = () => createClient(`http://127.0.0.1:${site.port}/cms-json/`);
const term = (name: string) => site.make('administrator', '/categories', { name });
const remove = async (id: number) => {
  const { status } = await site.call('administrator', `DELETE /categories/${id}?force=true`);
  expect(status).toBe(200);
};

describe('a list by ids, while others write', () => {
  it('has everything that stays exactly once, and what comes at its end', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 230; i += 1) ids.push(await term(`Term ${i}`));
    const seen: number[] = [];
    let added = 0;
    for await (const { id } of client().each('/cms/v2/categories', { query: { _fields: ['name'] } }) as AsyncIterable<{
      id: number;
    }>) {
      seen.push(id);
      if (id === ids[40]) for (const gone of ids.slice(0, 30)) await remove(gone);
      if (id === ids[90]) added = await term('Late');
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(seen).toEqual(expect.arrayContaining([...ids, added]));
  });

  it('is refused where there is no such order', async () => {
    await expect(client().each('/cms/v2/statuses').next()).rejects.toThrow('This list has no order by id');
  });

  it('is whole, however many items go and come between two requests', async () => {
    const changes = fc.array(fc.record({ gone: fc.array(fc.nat(600), { maxLength: 300 }), come: fc.nat(150) }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(600), changes, async (count, steps) => {
        let now = Array.from({ length: count }, (_, i) => i + 1);
        const always = new Set(now.filter((id) => !steps.some(({ gone }) => gone.includes(id))));
        let at = 0;
        let last = count;
        const read = async ({ page, per_page }: { page: number; per_page: number }) => {
          expect(per_page).toBeLessThanOrEqual(100);
          const start = (page - 1) * per_page;
          if (start > 0 && start >= now.length)
            throw new CmsError('rest_post_invalid_page_number', 'beyond', { status: 400 });
          const data = now.slice(start, start + per_page).map((id) => ({ id }));
          const headers = {
            'X-CMS-Total': String(now.length),
            'X-CMS-TotalPages': String(Math.ceil(now.length / per_page)),
          };
          const { gone = [], come = 0 } = steps[at++] ?? {};
          now = now.filter((id) => !gone.includes(id));
          for (let i = 0; i < come; i += 1) now.push(++last);
          return { data, headers: new Headers(headers) } as unknown as CmsAnswer<unknown>;
        };
        const seen: number[] = [];
        for await (const item of itemsById(read as never, {})) seen.push((item as { id: number }).id);
        expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
        expect([...always].filter((id) => !seen.includes(id))).toEqual([]);
      }),
    );
  });
});

describe('the pages of a list', () => {
  it('follow one another with all parameters, and end where the list has become shorter', async () => {
    const make = (title: string) => site.make('administrator', '/posts', { title, status: 'publish' });
    const ids = [await make('Two'), await make('One'), await make('Three'), await make('Four')];
    const query = { include: ids, per_page: 1, orderby: 'include', _fields: ['id', 'title'] };
    const seen: unknown[] = [];
    for await (const { data, total } of client().pages('/cms/v2/posts', { query })) {
      const [post, ...others] = data as { id: number; title: object }[];
      expect([others, total]).toEqual([[], 4]);
      seen.push(post?.id);
      expect(Object.keys(post ?? {}).filter((name) => name !== '_links')).toEqual(['id', 'title']);
    }
    expect(seen).toEqual(ids);
    let pages = 0;
    for await (const { status } of client().pages('/cms/v2/posts', { query })) {
      expect(status).toBe(200);
      pages += 1;
      if (pages === 2) for (const id of ids.slice(0, 3)) await site.call('administrator', `DELETE /posts/${id}`);
    }
    expect(pages).toBe(2);
  });
});
