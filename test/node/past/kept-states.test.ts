import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { keepState } from '../../../src/node/past/kept-states.ts';
import { openState } from '../../../src/node/past/open-state.ts';
import { admin, openTestNode } from '../../support/node.ts';

/** A site with a number of posts, each created by a commit of its own. */
async function siteWith(posts: number) {
  const { node, directory } = await openTestNode();
  const folder = join(directory, 'past');
  const positions: number[] = [];
  const add = async (title: string) => {
    const { position } = await node.store.submit(admin, (session) => {
      createEntry(session, post, { title, status: 'publish' });
    });
    positions.push(position);
  };
  for (let n = 1; n <= posts; n++) await add(`Post ${n}`);
  let time = 0;
  const keep = (position: number) => {
    time += 1000;
    return keepState({ log: node.log, directory: folder, position, clock: () => time });
  };
  const count = (position: number) => {
    const present = join(directory, 'projections.db');
    const state = openState({ log: node.log, path: keep(position), position, present });
    try {
      const query = { kind: 'post', statuses: [{ status: 'publish' }], orderBy: 'id', order: 'asc' } as const;
      return state.reader.find({ ...query, offset: 0, limit: 10 }).total;
    } finally {
      state.close();
    }
  };
  return { node, folder, positions, keep, count, add };
}

describe('kept states', () => {
  it('are made only once', async () => {
    const { node, positions, keep } = await siteWith(2);
    const path = keep(positions[0] ?? 0);
    const before = readFileSync(path);
    await node.store.submit(admin, (session) => {
      createEntry(session, post, { title: 'Later', status: 'publish' });
    });
    expect(keep(positions[0] ?? 0)).toBe(path);
    expect(readFileSync(path).equals(before)).toBe(true);
    await node.close();
  });

  it('are made again when damaged, and never from damaged ones', async () => {
    const { node, positions, keep, count } = await siteWith(3);
    const [first = 0, second = 0, third = 0] = positions;
    writeFileSync(keep(first), 'not a database at all');
    expect(count(second)).toBe(2);
    writeFileSync(keep(second), readFileSync(keep(first)));
    expect([count(second), count(third)]).toEqual([2, 3]);
    await node.close();
  });

  it('of another log are not used', async () => {
    const [one, other] = [await siteWith(3), await siteWith(3)];
    const position = one.positions[1] ?? 0;
    one.keep(position);
    writeFileSync(other.keep(position), readFileSync(join(one.folder, `${position}.db`)));
    expect(other.count(position)).toBe(2);
    expect(other.count(other.positions[2] ?? 0)).toBe(3);
    await one.node.close();
    await other.node.close();
  });

  it('are limited to six: the least recently used one is removed', async () => {
    const { node, folder, positions, keep } = await siteWith(8);
    for (const position of positions.slice(0, 6)) keep(position);
    keep(positions[0] ?? 0);
    for (const position of positions.slice(6)) keep(position);
    const left = readdirSync(folder).map((file) => Number.parseInt(file, 10));
    const gone = positions.filter((position) => !left.includes(position));
    expect([left.length, gone]).toEqual([6, positions.slice(1, 3)]);
    await node.close();
  });

  it('leave no files behind when making one was interrupted', async () => {
    const { node, folder, positions, keep } = await siteWith(2);
    keep(positions[0] ?? 0);
    // No process has an id that large.
    const work = join(folder, `${positions[1]}.db.999999999.new`);
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(work + suffix, 'half');
    keep(positions[1] ?? 0);
    expect(existsSync(work)).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(positions.map((position) => `${position}.db`).sort());
    await node.close();
  });
});
