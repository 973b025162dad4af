import { expect, it, onTestFinished } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { siteOfPosts } from '../support/long-log.ts';
import { admin, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';

const posts = 700;
const statuses = [{ status: 'publish' }];
const search = { text: 'another', columns: [], exact: false, skipProtected: false } as const;
const list = { kind: 'post', statuses, orderBy: 'id', order: 'desc', offset: 0, limit: 5 } as const;

it('a node whose indexes are not loaded yet serves items, lists and writes like one that has them', async () => {
  const directory = await siteOfPosts(posts);
  const open = async () => {
    const { node } = await openTestNode(directory);
    onTestFinished(() => node.close());
    return node;
  };
  const built = await open();
  const { reader } = built.store;
  const [newest = 0] = reader.find(list).ids;
  expect(reader.find(list).total).toBe(posts);
  await built.close();

  const listing = await open();
  expect(listing.store.reader.entry(newest)?.status).toBe('publish');
  expect(listing.store.reader.find(list)).toMatchObject({
    total: posts,
    ids: [newest, ...reader.find(list).ids.slice(1)],
  });
  await listing.close();

  const writing = await open();
  const { value: id } = await writing.store.submit(admin, (session) =>
    entries.createEntry(session, post, { title: 'Another', status: 'publish' }),
  );
  expect(writing.store.reader.find(list)).toMatchObject({ total: posts + 1, ids: { 0: id } });
  await writing.close();

  const waiting = await open();
  waiting.start();
  await eventually(() => expect(waiting.readiness.reasons).toEqual([]));
  expect(waiting.store.reader.find({ ...list, search })).toMatchObject({ total: 1, ids: [id] });
});
