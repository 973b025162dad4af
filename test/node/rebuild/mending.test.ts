import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import { createTerm } from '#commands/terms.ts';
import { addUser } from '#commands/users.ts';
import { post } from '#domain/entry/kinds.ts';
import { category } from '#domain/term/kinds.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { healthOf } from '#ops/metrics/health.ts';
import { admin, dump, openTestNode } from '../../support/node.ts';
import { eventually } from '../../support/patience.ts';

const hello = (title: string) => ({ title, content: 'World', status: 'publish' as const });

/** A site with posts that were each saved twice, terms and users. */
async function sampleSite() {
  const { node, directory } = await openTestNode();
  await node.store.submit(admin, (session) => {
    for (let i = 1; i <= 5; i++)
      saveEntry(session, createEntry(session, post, hello(`Post ${i}`)) as number, { title: `Title ${i}` });
    createTerm(session, category, { name: 'One' });
    addUser(session, { login: 'ada', role: 'editor' });
  });
  const next = { ...(await node.store.submit(admin, (session) => ({ ...session.next }))).value };
  return { node, directory, next };
}

function plant(directory: string, sql: string): void {
  const db = new DatabaseSync(join(directory, 'projections.db'), { timeout: 60_000 });
  db.exec(sql);
  db.close();
}

describe('projections with a wrong next id', () => {
  it.each(['next_id = 1', 'next_id = next_id - 1', 'next_id = next_id + 1', 'next_id = next_id + 4096'])(
    'are rebuilt at the start, and no entry is overwritten (%s)',
    startIsRight,
  );
  it.each([
    'next_term = 1',
    'next_term = next_term + 8',
    'next_user = 1',
    'next_user = 100',
    'next_ord = next_ord - 1',
  ])('are rebuilt at the start (%s)', startIsRight);

  async function startIsRight(change: string): Promise<void> {
    const { node, directory, next } = await sampleSite();
    await node.close();
    const before = dump(directory);
    plant(directory, `UPDATE checkpoint SET ${change}`);
    const warnings: string[] = [];
    const again = await openTestNode(directory, { reporter: { warning: (message) => warnings.push(message) } });
    expect(warnings).toEqual([expect.stringContaining('made again from the log')]);
    const { value } = await again.node.store.submit(admin, (session) => ({ ...session.next }));
    expect(value).toEqual(next);
    await again.node.close();
    expect(dump(directory)).toEqual(before);
  }

  it('are not rebuilt when they are merely behind the log', async () => {
    const { node, directory } = await sampleSite();
    await node.close();
    cpSync(join(directory, 'projections.db'), join(directory, 'earlier.db'));
    const { node: later } = await openTestNode(directory);
    await later.store.submit(admin, (session) => {
      createTerm(session, category, { name: 'Two' });
      addUser(session, { login: 'grace', role: 'editor' });
      createEntry(session, post, hello('Later'));
    });
    await later.close();
    const before = dump(directory);
    for (const suffix of ['-wal', '-shm', '-sum']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
    renameSync(join(directory, 'earlier.db'), join(directory, 'projections.db'));
    const warnings: string[] = [];
    const again = await openTestNode(directory, { reporter: { warning: (message) => warnings.push(message) } });
    await again.node.close();
    expect(warnings).toEqual([]);
    expect(dump(directory)).toEqual(before);
  });

  it('are not rebuilt when they are right', async () => {
    const { node, directory } = await sampleSite();
    await node.close();
    const warnings: string[] = [];
    const again = await openTestNode(directory, { reporter: { warning: (message) => warnings.push(message) } });
    await again.node.close();
    expect(warnings).toEqual([]);
  });
});

describe('a write decided on damaged projections', () => {
  it('is refused by the log; writes are refused until the projections are rebuilt, and nothing is lost', async () => {
    const { node, directory } = await sampleSite();
    await node.close();
    const warnings: string[] = [];
    const { node: damaged } = await openTestNode(directory, {
      reporter: { warning: (message) => warnings.push(message) },
    });
    const create = (title: string) =>
      damaged.store.submit(admin, (session) => createEntry(session, post, hello(title)));
    const head = damaged.log.head();
    // Simulates a flipped byte in memory, or one that no check detects.
    const posts = [...damaged.log.read()].filter(({ type }) => type === 'EntryCreated').map(({ stream }) => stream);
    const spoilt = damaged.store.submit(admin, (session) => {
      session.next.nextId = Number(posts[0]?.slice('entry-'.length));
      return createEntry(session, post, hello('Overwrites'));
    });
    await expect(spoilt).rejects.toThrow(LogUnavailable);
    expect(damaged.log.head()).toEqual(head);
    expect(healthOf(damaged).reasons()).toMatchObject([{ code: 'projections_damaged' }]);
    await expect(create('Meanwhile')).rejects.toThrow(LogUnavailable);
    expect(damaged.store.reader.entry(1)?.title).toBe('Title 1');

    await eventually(() => expect(healthOf(damaged).reasons()).toEqual([]));
    const { value } = await create('After');
    expect(damaged.store.reader.entry(value as number)?.title).toBe('After');
    expect(damaged.store.reader.entry(1)?.title).toBe('Title 1');
    expect(warnings).toEqual([expect.stringContaining('no writes are taken'), expect.stringContaining('made again')]);
    await damaged.close();
  });
});
