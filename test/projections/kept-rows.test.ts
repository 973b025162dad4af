import { StatementSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Reader } from '#projections/reading/reader.ts';
import { type Site, startSite } from '../support/site.ts';
import { uploadBody } from '../support/uploads.ts';

let site: Site;
let image: number;
beforeAll(async () => {
  site = await startSite();
  image = (await uploadBody(site, 'editor', { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('a') })).body.id;
});
afterAll(() => site.close());

/** The number of statements that read rows meanwhile. */
function statementsOf(look: () => unknown): number {
  const [get, all] = [vi.spyOn(StatementSync.prototype, 'get'), vi.spyOn(StatementSync.prototype, 'all')];
  try {
    look();
    return get.mock.calls.length + all.mock.calls.length;
  } finally {
    get.mockRestore();
    all.mockRestore();
  }
}

const model = () => site.node.store.reader as Reader;

describe('cached rows', () => {
  it.each<[string, (id: number) => unknown]>([
    ['the terms of a taxonomy', () => model().terms('category')],
    ['the users', () => model().users()],
    ['a media item', () => model().media(image)],
    ['an entry and those above it', (id) => [model().lineage(id), model().entry(id)]],
  ])('are not read again until something changes: %s', async (name, look) => {
    const id = await site.make('editor', '/posts', { title: name, status: 'publish' });
    const first = statementsOf(() => look(id));
    expect(first).toBeGreaterThan(0);
    expect(statementsOf(() => look(id))).toBe(0);
  });

  it('are current after a change', async () => {
    const before = [model().terms('category').length, model().users().length, model().media(image)?.title];
    await site.make('editor', '/categories', { name: 'New' });
    await site.make('administrator', '/users', {
      username: 'new',
      email: 'new@example.org',
      password: 'secret secret',
    });
    await site.call('editor', `POST /media/${image}`, { title: 'Other' });
    const after = [model().terms('category').length, model().users().length, model().media(image)?.title];
    expect(before).toEqual([1, 5, 'a']);
    expect(after).toEqual([2, 6, 'Other']);
  });

  it('are not queried if a count is zero', async () => {
    const id = await site.make('editor', '/posts', { title: 'Silent', status: 'publish' });
    const threads = () => model().comments.threads(id);
    const silent = statementsOf(threads);
    await site.make('editor', '/comments', { post: id, content: 'A word' });
    expect(threads()).toHaveLength(1);
    expect(statementsOf(threads)).toBeGreaterThan(silent);
  });
});
