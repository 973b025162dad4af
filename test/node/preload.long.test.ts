import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteOfPosts } from '../support/long-log.ts';
import { openTestNode } from '../support/node.ts';

const posts = 3000;

it('the start of a large site yields to other work while it loads, and gives the same results', async () => {
  const directory = await siteOfPosts(posts);
  const { node } = await openTestNode(directory);
  const statuses = [{ status: 'publish' }];
  const query = { kind: 'post', statuses, orderBy: 'id', order: 'desc', offset: 0, limit: 5 } as const;
  const found = node.store.reader.find(query);
  expect(found.total).toBe(posts);
  await node.close();
  const { again, turns } = await countedStart(directory);
  expect(turns).toBeGreaterThanOrEqual(posts / 500);
  expect(again.node.store.reader.find(query)).toEqual(found);
  await again.node.close();
  const index = join(directory, 'projections.db-search');
  rmSync(index, { recursive: true });
  const indexing = await countedStart(directory);
  expect(indexing.turns).toBeGreaterThan(turns + 10);
  expect(indexing.again.node.store.health().unindexed).toBe(0);
  expect(readdirSync(index)).not.toEqual([]);
  await indexing.again.node.close();
});

/** Starts a node and counts the turns of the event loop meanwhile. */
async function countedStart(directory: string) {
  let turns = 0;
  let counting = true;
  const count = () => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const again = await openTestNode(directory);
  counting = false;
  return { again, turns };
}
