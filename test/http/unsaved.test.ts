import { describe, expect, it } from 'vitest';
import { failingFile } from '../support/failing-file.ts';
import { refusal } from '../support/history.ts';
import { dump } from '../support/node.ts';
import { startSite } from '../support/site.ts';

const published = (title: string) => ({ title, status: 'publish' });

describe('a write that is in the log but cannot be projected', () => {
  it('is returned and shown to everybody; refused writes are not stored', async () => {
    const projections = failingFile('projections.db');
    const site = await startSite();
    projections.failing = true;
    const titles = ['Alpha', 'Beta', 'Gamma', 'Delta'];
    const answers = await Promise.all(titles.map((title) => site.call('editor', 'POST /posts', published(title))));
    const stored = answers.filter(({ status }) => status === 201);
    expect(stored.length).toBeGreaterThan(0);
    for (const answer of answers) {
      if (answer.status !== 201) expect(refusal(answer)).toEqual([503, 'rest_store_unavailable']);
    }
    for (const { body, headers } of stored) {
      const named = { headers: { 'x-cms-position': headers.get('x-cms-position') ?? '' } };
      const shown = await site.call('anonymous', `GET /posts/${body.id}`, undefined, named);
      expect([shown.status, shown.body.title?.rendered]).toEqual([200, body.title.rendered]);
      const found = await site.call('anonymous', `GET /posts?search=${body.title.rendered}`);
      expect(found.body.map(({ id }: { id: number }) => id)).toEqual([body.id]);
    }
    const total = async () => Number((await site.call('anonymous', 'GET /posts')).headers.get('x-cms-total'));
    expect(await total()).toBe(stored.length);

    const before = site.position();
    expect(refusal(await site.call('editor', 'POST /posts', published('Late')))).toEqual([
      503,
      'rest_store_unavailable',
    ]);
    expect([site.position(), await total()]).toEqual([before, stored.length]);

    projections.failing = false;
    expect((await site.call('editor', 'POST /posts', published('Late'))).status).toBe(201);
    expect(await total()).toBe(stored.length + 1);
    await site.node.store.followed();
    const rows = dump(site.directory);
    await site.rebuild();
    expect(dump(site.directory)).toEqual(rows);
    await site.close();
  });

  it('is projected after a restart', async () => {
    const projections = failingFile('projections.db');
    const site = await startSite();
    projections.failing = true;
    const id = await site.make('editor', '/posts', published('Kept'));
    await site.restart(() => {
      projections.failing = false;
    });
    expect((await site.call('anonymous', `GET /posts/${id}`)).status).toBe(200);
    await site.close();
  });
});
