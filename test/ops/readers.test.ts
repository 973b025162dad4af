import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '#domain/user/roles.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let whole: Site;

const list = (n: number) => `GET /posts?per_page=100&_embed&orderby=id&_=${n}`;
const ready = async () => {
  while (site.readers?.isReady !== true) await site.call('editor', list(0));
};

beforeAll(async () => {
  [site, whole] = await Promise.all([startSite({ readers: { pause: 0 } }), startSite()]);
  for (let n = 0; n < 40; n++)
    for (const one of [site, whole]) await one.make('editor', '/posts', { title: `Post ${n}`, status: 'publish' });
});
afterAll(async () => {
  await Promise.all([site.close(), whole.close()]);
});

describe('a reader thread', () => {
  it('shows each write in the reads that follow it', async () => {
    await ready();
    for (let n = 0; n < 20; n++) {
      const id = await site.make('editor', '/posts', { title: `New ${n}`, status: 'publish', tags: [] });
      const { body } = await site.call('anonymous', list(n));
      expect(body.map((post: { id: number }) => post.id)).toContain(id);
      await site.call('editor', `DELETE /posts/${id}?force=true`);
      const after = await site.call('anonymous', list(100 + n));
      expect(after.body.map((post: { id: number }) => post.id)).not.toContain(id);
    }
  });

  it('may end at any moment: every request is answered as without it', async () => {
    const expected = (await whole.call('editor', list(1))).text;
    for (let round = 0; round < 2; round++) {
      await ready();
      const reads = Array.from({ length: 6 }, (_, i) => site.call('editor', list(1000 + 10 * round + i)));
      await sleep(2 * round);
      // As after projections have been replaced.
      site.readers?.publish(null);
      for (const { status, text } of await Promise.all(reads)) {
        expect(status).toBe(200);
        expect(text.length).toBe(expected.length);
      }
    }
  });

  it('may be ended while it starts', async () => {
    const starting = await startSite({ readers: { pause: 0 } });
    for (const n of [0, 1]) {
      const read = starting.call('editor', list(n));
      await sleep(40 * n);
      starting.readers?.publish(null);
      expect((await read).status).toBe(200);
    }
    const last = starting.call('editor', list(9)).catch(() => undefined);
    await starting.close();
    await last;
  });

  it('makes pages, and the texts in the answers to writes that show other data', async () => {
    const content = '<!-- wp:latest-posts {"postsToShow":30} /-->'.repeat(3);
    const [made, same] = await Promise.all(
      [site, whole].map((one) => one.call('editor', 'POST /posts', { title: 'Lists', content, status: 'publish' })),
    );
    expect(made?.body.content.rendered.replaceAll(/\d\d:\d\d:\d\d/g, '')).toBe(
      same?.body.content.rendered.replaceAll(/\d\d:\d\d:\d\d/g, ''),
    );
    const page = await fetch(`http://127.0.0.1:${site.port}/?_=1`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Lists');
  });

  it('does not begin a read that nobody waits for any more', async () => {
    await ready();
    const content =
      '<!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->'.repeat(500);
    await site.make('editor', '/posts', { title: 'Long', content, status: 'publish' });
    const read = {
      ...{ method: 'GET', url: '/cms-json/cms/v2/posts?per_page=100&_embed', path: '/cms/v2/posts', peer: '' },
      ...{ query: 'per_page=100&_embed', headers: {}, viewer: anonymous, correlationId: 'gone' },
    };
    expect(await site.readers?.read(read, () => false)).toMatchObject({ reply: { status: 200 } });
    expect(await site.readers?.read(read, () => true)).toBeNull();
    expect(await site.readers?.read(read, () => false)).toMatchObject({ reply: { status: 200 } });
  });

  it('leaves to the main thread what it does not have', async () => {
    await ready();
    const { status, body } = await site.call('administrator', 'GET /users/1/application-passwords?per_page=50');
    expect([status, Array.isArray(body)]).toEqual([200, true]);
  });
});
