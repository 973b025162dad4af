import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  const publicCaching = { maxAge: 0, sharedMaxAge: 600, staleWhileRevalidate: 30, tagHeader: 'Surrogate-Key' };
  site = await startSite({ app: { publicCaching } });
});
afterAll(() => site.close());

const tags = async (path: string, as: 'anonymous' | 'editor' = 'anonymous') => {
  const { headers } = await site.call(as, `GET ${path}`);
  return headers.get('surrogate-key')?.split(' ').sort();
};

describe('the tags of public answers', () => {
  it('name what they depend on, however often and from wherever they are answered', async () => {
    const id = await site.make('editor', '/posts', { title: 'Tagged', status: 'publish' });
    for (let i = 0; i < 3; i += 1) {
      expect(await tags(`/posts/${id}`)).toEqual([`entry-${id}`, 'site', 'terms']);
      expect(await tags(`/posts/${id}?_fields=id`)).toEqual([`entry-${id}`, 'site', 'terms']);
      expect(await tags('/posts')).toEqual(['entries', 'site', 'terms']);
    }
    const { headers } = await site.call('anonymous', `GET /posts/${id}`);
    expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=600, stale-while-revalidate=30');
  });

  it('are on nothing that is for one user, nor on refusals', async () => {
    const id = await site.make('editor', '/posts', { title: 'Private', status: 'private' });
    expect(await tags(`/posts/${id}`, 'editor')).toBeUndefined();
    expect(await tags(`/posts/${id}`)).toBeUndefined();
    const { headers } = await site.call('anonymous', `GET /posts/${id}`);
    expect(headers.get('cache-control')).toBe('no-cache');
  });
});
