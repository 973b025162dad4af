import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultNames } from '#domain/site/interface-names.ts';
import { FollowingReader } from '#node/following-reader.ts';
import { noChanges } from '#projections/kernel/changes.ts';
import { startSite } from '../support/site.ts';

it('a following reader shows a position when all up to it is published and written, and nothing in between', async () => {
  const site = await startSite();
  const place = { logPath: join(site.directory, 'log.db'), path: join(site.directory, 'projections.db') };
  const following = new FollowingReader({ ...place, names: defaultNames, network: null });
  const titles = () => {
    if (!following.begin()) return null;
    const found = following.reader.find({
      ...{ kind: 'post', statuses: [{ status: 'publish' }], orderBy: 'date', order: 'asc', offset: 0, limit: 9 },
    });
    following.end();
    return found.ids.map((id) => following.reader.entry(id)?.title);
  };
  expect(titles()).toEqual([]);
  const id = await site.make('editor', '/posts', { title: 'First', status: 'publish' });
  // Written, but not yet published here.
  expect(titles()).toBeNull();
  const position = site.position();
  following.publish({ changes: { ...noChanges(), entries: new Set([id]) }, position });
  expect(titles()).toEqual(['First']);
  // Its other work waits for an answer that takes several turns.
  expect([following.begin(), following.work()]).toEqual([true, true]);
  following.end();
  expect(titles()).toEqual(['First']);
  // Published, but not written: the main thread shows it.
  following.publish({ changes: noChanges(), position: position + 1 });
  expect(titles()).toBeNull();
  await site.close();
});
