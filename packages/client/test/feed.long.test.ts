import { expect, it, onTestFinished } from 'vitest';
import { startSite } from '../../../test/support/site.ts';
import { createClient } from '../src/index.ts';
import { startProxy } from './proxy.ts';

it('a feed of which nothing is heard any more is asked for again', async () => {
  const site = await startSite();
  const proxy = await startProxy(() => site.port);
  onTestFinished(async () => {
    proxy.close();
    await site.close();
  });
  // The proxy keeps the connection and passes nothing on.
  proxy.fates.push('lost');
  const feed = createClient(proxy.root).changes({ since: site.position() });
  const id = await site.make('editor', '/posts', { title: 'Unheard', status: 'publish' });
  const { value } = await feed.next();
  expect(value).toMatchObject({
    changes: expect.arrayContaining([expect.objectContaining({ resource: 'posts', id })]),
  });
  expect(proxy.seen).toHaveLength(2);
  await feed.return(undefined);
});
