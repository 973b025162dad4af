import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteOfPosts } from '../support/long-log.ts';
import { openTestNode } from '../support/node.ts';

const posts = 6000;

it('a start that loads a large site, with or without its search index, gives the same results', async () => {
  const directory = await siteOfPosts(posts);
  const { node } = await openTestNode(directory);
  const statuses = [{ status: 'publish' }];
  const query = { kind: 'post', statuses, orderBy: 'id', order: 'desc', offset: 0, limit: 5 } as const;
  const found = node.store.reader.find(query);
  expect(found.total).toBe(posts);
  await node.close();
  const again = await openTestNode(directory);
  expect(again.node.store.reader.find(query)).toEqual(found);
  await again.node.close();
  const index = join(directory, 'projections.db-search');
  rmSync(index, { recursive: true });
  const indexing = await openTestNode(directory);
  expect(indexing.node.store.health().unindexed).toBe(0);
  expect(readdirSync(index)).not.toEqual([]);
  await indexing.node.close();
});
