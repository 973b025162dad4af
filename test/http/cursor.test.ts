import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/history.ts';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const publish = (title: string) => site.make('administrator', '/posts', { title, status: 'publish', content: title });

/** All pages of a list, by the addresses in `Link`; `between` runs after each. */
async function pagesOf(path: string, between: () => Promise<unknown>, as: As = 'anonymous') {
  const ids: number[] = [];
  const titles: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body, headers } = await site.call(as, `GET ${next}`);
    expect(status).toBe(200);
    for (const { id, title } of body) {
      ids.push(id);
      titles.push(title.rendered);
    }
    next = /<[^>]*\/cms\/v2([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    await between();
  }
  return { ids, titles };
}

describe('pages with a cursor', () => {
  it('have each item once while others publish, trash and change, for everybody', async () => {
    const made: number[] = [];
    for (let i = 0; i < 9; i += 1) made.push(await publish(`Post ${i}`));
    const [gone = 0, renamed = 0] = [made[1], made[0]];
    let turn = 0;
    const { ids, titles } = await pagesOf('/posts?cursor=now&per_page=3&_fields=id,title', async () => {
      turn += 1;
      await publish(`New ${turn}`);
      if (turn > 1) return;
      await site.call('administrator', `DELETE /posts/${gone}`);
      await site.call('administrator', `PATCH /posts/${renamed}`, { title: 'As it is now' });
    });
    expect(ids).toEqual(made.toReversed().filter((id) => id !== gone));
    expect(titles.at(-1)).toBe('As it is now');
  });

  it('name their position in the address of the next page, and count as of it', async () => {
    for (let i = 0; i < 3; i += 1) await publish(`Count ${i}`);
    const first = await site.call('anonymous', 'GET /posts?cursor=now&per_page=2&_fields=id');
    const position = site.position();
    expect(first.headers.get('link')).toContain(`cursor=${position}&`);
    await publish('Later');
    const again = await site.call('anonymous', `GET /posts?cursor=${position}&per_page=2&_fields=id`);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('x-cms-total')).toBe(first.headers.get('x-cms-total'));
  });

  it('say what to do where there is none', async () => {
    const refused = async (query: string) => refusal(await site.call('anonymous', `GET /posts?${query}`));
    expect(await refused('cursor=later')).toEqual([400, 'rest_invalid_param']);
    expect(await refused(`cursor=${site.position() + 1}`)).toEqual([400, 'rest_invalid_param']);
    expect(await refused('cursor=now&search=post')).toEqual([400, 'rest_invalid_param']);
    for (const one of ['include=1', 'slug=a'])
      expect(await refused(`cursor=now&${one}`)).toEqual([400, 'rest_invalid_param']);
    const then = site.position();
    await publish('After');
    const searched = await site.call('editor', `GET /posts?cursor=${then}&search=after&_fields=id`);
    expect(searched.body).toEqual([]);
  });
});
