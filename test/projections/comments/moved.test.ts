import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { startSite } from '../../support/site.ts';

it('a deleted comment was lost by the post that it was moved to, however its events are grouped', async () => {
  const site = await startSite();
  const [first, second] = [
    await site.make('editor', '/posts', { title: 'First', status: 'publish' }),
    await site.make('editor', '/posts', { title: 'Second', status: 'publish' }),
  ];
  const id = await site.make('editor', '/comments', { post: first, content: 'Moved' });
  // So that a replay applies the next two events together, but not the first.
  await site.make('editor', '/posts', { title: 'Between' });
  expect((await site.call('editor', `PUT /comments/${id}`, { post: second })).status).toBe(200);
  expect((await site.call('editor', `DELETE /comments/${id}?force=true`)).status).toBe(200);
  const lost = () => {
    const db = new DatabaseSync(join(site.directory, 'projections.db'), { readOnly: true });
    const rows = db.prepare('SELECT id, post FROM lost_comments').all();
    db.close();
    return rows.map((row) => ({ ...row }));
  };
  await site.restart();
  expect(lost()).toEqual([{ id, post: second }]);
  await site.rebuild();
  expect(lost()).toEqual([{ id, post: second }]);
  await site.close();
});
