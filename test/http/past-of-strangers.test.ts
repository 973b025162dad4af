import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaOf } from '../support/media-site.ts';
import { type As, type Site, startSite } from '../support/site.ts';

/** Positions before, in and after the life of each item tell those who may edit nothing the same. */

let site: Site;
/** Path of each item, and the status with which its past is refused. */
const items: [what: string, path: string, status: 401 | 404][] = [];

beforeAll(async () => {
  site = await startSite();
  const make = (path: string, body: object, as: As = 'administrator') => site.make(as, path, body);
  await make('/posts', { title: 'First', status: 'publish' });
  const open = await make('/posts', { title: 'Open', status: 'publish' });
  const secret = await make('/posts', { title: 'Private', status: 'private' });
  const draft = await make('/pages', { title: 'Draft', status: 'draft' });
  const gone = await make('/posts', { title: 'Gone', status: 'publish' });
  const hidden = await make('/posts', { title: 'Hidden later', status: 'publish' });
  const category = await make('/categories', { name: 'Kept' });
  const lost = await make('/tags', { name: 'Lost' });
  const comment = await make('/comments', { post: secret, content: 'Inner' });
  const item = await make('/menu-items', { title: 'Home', url: 'https://example.org/', status: 'publish' });
  await site.call('administrator', `DELETE /posts/${gone}?force=true`);
  await site.call('administrator', `DELETE /tags/${lost}?force=true`);
  await site.call('administrator', `PUT /posts/${hidden}`, { status: 'private' });
  const { image } = mediaOf(() => site);
  const [shown, kept, erased] = [await image(), await image(), await image()];
  await site.call('author', `PUT /media/${kept}`, { status: 'private' });
  await site.call('author', `DELETE /media/${erased}?force=true`);
  items.push(
    ['a media item', `/media/${shown}`, 401],
    ['a private media item', `/media/${kept}`, 404],
    ['a deleted media item', `/media/${erased}`, 404],
    ['a public post', `/posts/${open}`, 401],
    ['a category', `/categories/${category}`, 401],
    ['a private post', `/posts/${secret}`, 404],
    ['a draft', `/pages/${draft}`, 404],
    ['a deleted post', `/posts/${gone}`, 404],
    ['a post that was public', `/posts/${hidden}`, 404],
    ['a number that is not used', '/posts/999', 404],
    ['a post as a page', `/pages/${open}`, 404],
    ['a deleted tag', `/tags/${lost}`, 404],
    ['a comment on a private post', `/comments/${comment}`, 404],
    ['an item of a menu', `/menu-items/${item}`, 404],
  );
});
afterAll(() => site.close());

describe('as_of and at tell those who may edit nothing', () => {
  it('nothing: neither when an item was made nor when it was deleted', async () => {
    const positions = Array.from({ length: site.position() }, (_, i) => i + 1);
    for (const [what, path, status] of items) {
      for (const [as, other] of [
        ['anonymous', status],
        ['subscriber', status === 401 ? 403 : 404],
      ] as const) {
        const shown = async (at: number) => {
          const answer = await site.call(as, `GET ${path}?as_of=${at}`);
          return `${answer.status} ${answer.text}`;
        };
        const answers = new Set(await Promise.all(positions.map(shown)));
        expect([what, as, answers.size, [...answers][0]?.slice(0, 3)]).toEqual([what, as, 1, String(other)]);
      }
    }
  });

  it('and a proof no more than that', async () => {
    for (const [what, path, status] of items.filter(([, one]) => /^\/(posts|pages|media|comments)\//.test(one))) {
      const shown = async (at: number) => (await site.call('anonymous', `GET ${path}/proof?at=${at}`)).status;
      const answers = await Promise.all([1, 6, 9, 12, site.position()].map(shown));
      expect([what, [...new Set(answers)]]).toEqual([what, [status]]);
    }
  });
});
