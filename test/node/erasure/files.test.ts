import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import { eraseEntry } from '#commands/erasure.ts';
import { post } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Node } from '../../../src/node/node.ts';
import { someOrder } from '../../support/erasure-order.ts';
import { admin, openTestNode } from '../../support/node.ts';
import { carryOut } from '../../support/place.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { filesWith } from './support.ts';

const SECRET = 'Anaximander';
/** Enough for a segment of the search index. */
const posts = 130;

const settle = (node: Node) => {
  while (node.work());
};

function count({ store }: Node, text: string): number {
  const query = { kind: 'post', statuses: [{ status: 'publish' }], orderBy: 'date', order: 'asc' } as const;
  const search = { text, columns: [], exact: false, skipProtected: false };
  return store.reader.find({ ...query, search, offset: 0, limit: 10 }).total;
}

/** A site whose search index and ready answers are saved, with revised texts. */
async function siteWith(directory: string) {
  const first = await openTestNode(directory);
  const { submit } = first.node.store;
  const ids: number[] = [];
  for (let i = 0; i < posts; i++) {
    const content = `${i === 60 ? SECRET : 'Thales'} of Miletus, number ${i}`;
    const fields = { title: `Plain ${i}`, slug: `plain-${i}`, content, status: 'publish' } as const;
    const { value } = await submit(admin, (session) => createEntry(session, post, fields));
    if (isRefusal(value)) throw new Error(value.code);
    ids.push(value);
  }
  settle(first.node);
  await submit(admin, (session) => saveEntry(session, ids[60] ?? 0, { content: `${SECRET} revised` }));
  settle(first.node);
  await first.node.close();
  const { node } = await openTestNode(directory);
  settle(node);
  return { node, secret: ids[60] ?? 0 };
}

describe('the files of an erased entry', () => {
  it('lose its words at once, and are made again without them', async () => {
    const directory = temporaryDirectory();
    const { node, secret } = await siteWith(directory);
    const before = filesWith(directory, SECRET);
    expect(before).toContain('projections.db-search/1');
    expect(before).toContain('views/0.views');
    await node.store.submit(admin, (session) => eraseEntry(session, secret, someOrder));
    await node.store.erasing.finish();
    expect(filesWith(directory, SECRET)).toEqual([]);
    expect(node.store.rebuilding.state.run).toBe(0);
    settle(node);
    expect([count(node, SECRET), count(node, 'Thales')]).toEqual([0, posts - 1]);
    expect(filesWith(directory, SECRET)).toEqual([]);
    expect(readdirSync(join(directory, 'projections.db-search'))).not.toEqual([]);
    await node.close();
    expect(filesWith(directory, SECRET)).toEqual([]);
    expect(await carryOut(directory, 'verify')).toMatchObject({ kind: 'done' });
    const { node: again } = await openTestNode(directory);
    expect([count(again, SECRET), count(again, 'Thales')]).toEqual([0, posts - 1]);
    await again.close();
  });

  it('stay without them when the node is closed right away', async () => {
    const directory = temporaryDirectory();
    const { node, secret } = await siteWith(directory);
    await node.store.submit(admin, (session) => eraseEntry(session, secret, someOrder));
    await node.store.erasing.finish();
    await node.close();
    expect(filesWith(directory, SECRET)).toEqual([]);
    expect(readdirSync(join(directory, 'projections.db-search'))).not.toEqual([]);
  });
});
