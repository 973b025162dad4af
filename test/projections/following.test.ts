import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { trail } from '#projections/audit/trail.ts';
import { queryBlocks } from '#projections/plugins/query-blocks.ts';
import { positionsIn } from '#projections/projector/followers.ts';
import { acts } from '../support/acts.ts';
import { failingFile } from '../support/failing-file.ts';
import { live } from '../support/live.ts';
import { admin, dump, openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const block = (id: string) => `<!-- wp:builder/posts {"bldQueryId":"${id}"} -->x<!-- /wp:builder/posts -->`;

type Opened = Awaited<ReturnType<typeof openTestNode>>;

async function create({ node }: Opened, content = 'Text'): Promise<number> {
  const input = { title: 'Post', content, status: 'publish' } as const;
  return (await node.store.submit(admin, (session) => createEntry(session, post, input))).value as number;
}

/** The position of the following projections in the file. */
function followed(directory: string): number {
  const db = new DatabaseSync(join(directory, 'projections.db'), { readOnly: true });
  const positions = [...positionsIn(db).values()];
  db.close();
  return Math.min(...positions);
}

/** Changes the closed file, and removes the checksum that would reveal it. */
function change(directory: string, sql: string): void {
  rmSync(join(directory, 'projections.db-sum'), { force: true });
  const db = new DatabaseSync(join(directory, 'projections.db'));
  db.exec(sql);
  db.close();
}

describe('following projections', () => {
  it('are never far behind, and contain everything when they are read', async () => {
    const opened = await openTestNode();
    const { node, directory } = opened;
    const behind: number[] = [];
    for (let i = 0; i < 100; i++) {
      await create(opened, i % 40 === 39 ? block(`list-${i}`) : 'Text');
      behind.push(node.log.head().position - followed(directory));
    }
    expect(Math.max(...behind)).toBeGreaterThan(0);
    expect(Math.max(...behind)).toBeLessThanOrEqual(64);
    const blocks = await node.store.reader.following(queryBlocks);
    expect([39, 79].map((i) => blocks.of(`list-${i}`))).toEqual([[40], [80]]);
    expect(followed(directory)).toBe(node.log.head().position);
    await node.close();
  });

  it('make readers wait during a commit, and are not available to decisions', async () => {
    const opened = await openTestNode();
    const { node } = opened;
    const { reader } = node.store;
    await create(opened, block('one'));
    const asked: (readonly number[] | Promise<readonly number[]>)[] = [];
    await node.store.submit(admin, (session) => {
      expect(() => session.following(queryBlocks)).toThrow(TypeError);
      createEntry(session, post, { title: 'Meanwhile', content: block('one') });
      const later = reader.following(queryBlocks);
      expect(later).toBeInstanceOf(Promise);
      asked.push(Promise.resolve(later).then((blocks) => blocks.of('one')));
    });
    expect((await asked[0])?.[0]).toBe(1);
    await node.close();
  });

  it('catch up at the start after a kill, with the same rows', async () => {
    const opened = await openTestNode();
    for (let i = 0; i < 5; i++) await create(opened, block(`list-${i}`));
    const killed = temporaryDirectory();
    cpSync(opened.directory, killed, { recursive: true });
    expect(followed(killed)).toBeLessThan(opened.node.log.head().position);
    await opened.node.close();
    const again = await openTestNode(killed);
    expect(followed(killed)).toBe(again.node.log.head().position);
    await again.node.close();
    expect(dump(killed)).toEqual(dump(opened.directory));
  });

  it('have the rows of a replay, in whatever steps they caught up', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node, directory } = await live(sequence);
        await node.close();
        const before = dump(directory);
        change(directory, 'UPDATE following SET version = version - 1');
        await (await openTestNode(directory)).node.close();
        expect(dump(directory)).toEqual(before);
      }),
      { numRuns: 10 },
    );
  });

  for (const [what, sql] of [
    ['another version', "UPDATE following SET version = 99 WHERE name = 'query-blocks'"],
    ['a place that is damaged', "UPDATE following SET position = position + 1 WHERE name = 'query-blocks'"],
    ['no place', "DELETE FROM following WHERE name = 'query-blocks'; DROP TABLE query_blocks"],
    ['others beside them', "INSERT INTO following VALUES ('gone', 0, 'left', 3, 0); CREATE TABLE left (one INTEGER)"],
  ] as const) {
    it(`are rebuilt alone if the file has ${what}`, async () => {
      const opened = await openTestNode();
      await create(opened, block('one'));
      await opened.node.close();
      const before = dump(opened.directory);
      change(opened.directory, `INSERT INTO query_blocks VALUES ('planted', 1); ${sql}`);
      // Tables that are not rebuilt keep the change.
      change(opened.directory, "INSERT INTO media_hashes VALUES ('planted')");
      const again = await openTestNode(opened.directory);
      expect((await again.node.store.reader.following(trail)).position()).toBe(again.node.log.head().position);
      await again.node.close();
      const { media_hashes, query_blocks, ...after } = dump(opened.directory);
      const { media_hashes: hashes, query_blocks: blocks, ...rest } = before;
      expect(after).toEqual(rest);
      expect(media_hashes).toEqual([...(hashes ?? []), { hash: 'planted' }]);
      if (what !== 'others beside them') expect(query_blocks).toEqual(blocks);
    });
  }

  it('may be behind after a start on a full disk, and catch up once there is space', async () => {
    const opened = await openTestNode();
    const id = await create(opened, block('list'));
    const killed = temporaryDirectory();
    cpSync(opened.directory, killed, { recursive: true });
    await opened.node.close();
    const file = failingFile('projections.db');
    file.failing = true;
    const again = await openTestNode(killed);
    const { store, log } = again.node;
    expect([store.reader.position, store.reader.entry(id)?.id]).toEqual([log.head().position, id]);
    expect(followed(killed)).toBeLessThan(log.head().position);
    file.failing = false;
    await create(again);
    await again.node.close();
    expect(followed(killed)).toBe(log.head().position);
    expect(dump(killed)['query_blocks']).toHaveLength(1);
  });
});
