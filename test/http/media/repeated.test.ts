import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody, uploadForm } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const text = (name: string, bytes = `text of ${name}`) => ({ name, type: 'text/plain', bytes });
const repeated = 'x-cms-repeated';

describe('an upload as a form that is repeated within a minute', () => {
  it('is answered with the item of the first one, and appends nothing', async () => {
    const file = { name: 'sea view.png', type: 'image/png', bytes: pngOf(400, 300) };
    const fields = { alt_text: 'The sea', title: 'Sea' };
    const first = await uploadForm(site, 'author', file, { fields });
    const position = site.position();
    const again = await uploadForm(site, 'author', file, { fields });
    expect([first.status, first.headers.get(repeated)]).toEqual([201, null]);
    expect([again.status, again.headers.get(repeated), again.headers.get('location')]).toEqual([
      201,
      'true',
      `${BASE}/media/${first.body.id}`,
    ]);
    expect([again.body, site.position()]).toEqual([first.body, position]);
  });

  it('shows the item as it is now', async () => {
    const first = await uploadForm(site, 'author', text('changed.txt'));
    await site.call('author', `PUT /media/${first.body.id}`, { title: 'Another', slug: 'another-slug' });
    const again = await uploadForm(site, 'author', text('changed.txt'));
    expect([again.body.id, again.body.title.raw, again.headers.get(repeated)]).toEqual([
      first.body.id,
      'Another',
      'true',
    ]);
  });

  it('is found under a name that got a number, and after a restart', async () => {
    await uploadForm(site, 'editor', text('numbered.txt', 'other bytes'));
    const first = await uploadForm(site, 'author', text('numbered.txt'));
    await site.restart();
    const again = await uploadForm(site, 'author', text('numbered.txt'));
    expect([first.body.filename, again.body.id]).toEqual(['numbered-1.txt', first.body.id]);
  });

  it('makes one item of several that arrive at once', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => uploadForm(site, 'author', text('at once.txt'))));
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect(all.filter(({ headers }) => headers.get(repeated) === 'true')).toHaveLength(3);
  });

  it('is shown to pages of other origins', async () => {
    await uploadForm(site, 'author', text('origin.txt'));
    const { headers } = await uploadForm(site, 'author', text('origin.txt'), {
      headers: { origin: 'http://site.example' },
    });
    expect([headers.get(repeated), headers.get('access-control-expose-headers')]).toEqual([
      'true',
      expect.stringContaining('X-CMS-Repeated'),
    ]);
  });
});

describe('an upload makes another item', () => {
  const other: readonly [string, () => ReturnType<typeof uploadForm>][] = [
    ['with another name', () => uploadForm(site, 'author', text('b.txt', 'same'))],
    ['with other bytes', () => uploadForm(site, 'author', text('a.txt', 'others'))],
    ['with another title', () => uploadForm(site, 'author', text('a.txt', 'same'), { fields: { title: 'Another' } })],
    ['that is private', () => uploadForm(site, 'editor', text('a.txt', 'same'), { fields: { status: 'private' } })],
    [
      'with another date',
      () => uploadForm(site, 'author', text('a.txt', 'same'), { fields: { date: '2019-01-02T03:04:05' } }),
    ],
    ['by another user', () => uploadForm(site, 'editor', text('a.txt', 'same'))],
    [
      'with an Idempotency-Key',
      () => uploadForm(site, 'author', text('a.txt', 'same'), { headers: { 'idempotency-key': 'deliberate' } }),
    ],
  ];
  it.each(other)('%s', async (_, upload) => {
    site.clock.now += 60_000;
    const first = await uploadForm(site, 'author', text('a.txt', 'same'));
    const { status, headers, body } = await upload();
    expect([status, headers.get(repeated), body.id === first.body.id]).toEqual([201, null, false]);
  });

  it('after a minute, but not before', async () => {
    const first = await uploadForm(site, 'author', text('later.txt'));
    site.clock.now += 59_000;
    const again = await uploadForm(site, 'author', text('later.txt'));
    site.clock.now += 1000;
    const later = await uploadForm(site, 'author', text('later.txt'));
    expect([again.body.id === first.body.id, later.body.id === first.body.id]).toEqual([true, false]);
    expect([later.headers.get(repeated), later.body.filename]).toEqual([null, 'later-1.txt']);
  });

  it('after the first one was deleted', async () => {
    const first = await uploadForm(site, 'author', text('deleted.txt'));
    await site.call('author', `DELETE /media/${first.body.id}?force=true`);
    const again = await uploadForm(site, 'author', text('deleted.txt'));
    expect([again.status, again.headers.get(repeated), again.body.id === first.body.id]).toEqual([201, null, false]);
  });

  it('as a bare file, whose name then gets a number', async () => {
    const first = await uploadBody(site, 'author', text('bare.txt'));
    const again = await uploadBody(site, 'author', text('bare.txt'));
    expect([first.body.filename, again.body.filename, again.headers.get(repeated)]).toEqual([
      'bare.txt',
      'bare-1.txt',
      null,
    ]);
  });

  it('than that of a user who has lost the right to edit it', async () => {
    const first = await uploadForm(site, 'author', text('given.txt'));
    await site.call('editor', `PUT /media/${first.body.id}`, { author: 2 });
    const again = await uploadForm(site, 'author', text('given.txt'));
    expect([again.status, again.body.id === first.body.id]).toEqual([201, false]);
  });
});
