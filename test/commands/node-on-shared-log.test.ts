import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommitTooLarge } from '#commands/commit-size.ts';
import { LogUnavailable, OutcomeUnknown } from '#eventstore/port.ts';
import { entries as entryRows } from '#projections/entries/definition.ts';
import type { TestNode } from '../support/live.ts';
import { admin, openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { carryOut } from '../support/place.ts';
import { create, due, nodeOn, noise } from '../support/shared-log.ts';
import { slowness } from '../support/slowness.ts';
import { impatient, quick, standInForTest } from '../support/wire-store.ts';

const fail = (error: unknown) => {
  throw error;
};

/** Creates once the server answers again. A try whose outcome is unknown may have been carried out as well. */
async function createAgain(one: TestNode): Promise<void> {
  expect((await eventually(() => create(one))).value).toBeGreaterThan(1);
}

describe('a node on a shared log', () => {
  const appendBytes = 65_536;
  const small = { env: { EVENTSTORE_APPEND_BYTES: String(appendBytes) } };

  it('does not open without its server’s address, unless the marker file is deleted', async () => {
    const standIn = await standInForTest();
    const { node, directory } = await openTestNode(undefined, { env: { EVENTSTORE_URL: standIn.url }, timings: quick });
    await node.close();
    await expect(openTestNode(directory)).rejects.toThrow('set EVENTSTORE_URL');
    await expect(carryOut(directory, 'import', { file: '-' })).rejects.toThrow('set EVENTSTORE_URL');
    rmSync(join(directory, 'shared-log'));
    const alone = await openTestNode(directory);
    expect((await create(alone)).value).toBe(1);
    await alone.node.close();
  });

  it('fills an append up to its size limit, and no further', async () => {
    const standIn = await standInForTest({ maxAppendBytes: appendBytes });
    const works: number[] = [];
    const meter = { conflict: () => fail('a conflict with nobody'), group: (count: number) => works.push(count) };
    const one = await nodeOn(standIn, { ...small, meter });
    const content = noise(27_000);
    await Promise.all(Array.from({ length: 12 }, () => create(one, { content, status: 'draft' })));
    expect(one.node.store.reader.entry(12)?.title).toBe('Hello');
    expect(Math.max(...works)).toBe(2);
  });

  it('refuses a commit too large for an append before sending it; waiting writes are carried out', async () => {
    const standIn = await standInForTest({ maxAppendBytes: appendBytes });
    const one = await nodeOn(standIn, small);
    const calls = standIn.calls.append;
    await expect(create(one, { content: noise(70_000) })).rejects.toThrow(CommitTooLarge);
    expect(standIn.calls.append).toBe(calls);
    const mixed = [create(one), create(one, { content: noise(70_000) }), create(one)];
    const outcomes = await Promise.allSettled(mixed);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('publishes many due entries in several appends of limited size', async () => {
    const standIn = await standInForTest({ maxAppendBytes: appendBytes });
    const one = await nodeOn(standIn, small);
    await Promise.all(Array.from({ length: 150 }, () => create(one, { date: due })));
    one.clock.now = Date.parse('2026-03-01T12:00:01.000Z');
    one.node.start();
    const table = one.node.store.reader.of(entryRows);
    await eventually(() => expect(table.nextDue()).toBeNull());
    const released = Array.from(one.node.log.read(), ({ type, commit }) =>
      type === 'EntryReleased' ? commit.id : null,
    );
    expect(released.filter((id) => id !== null)).toHaveLength(150);
    expect(new Set(released).size).toBeGreaterThan(2);
  });

  it('reports the outcome of a write as unknown when the server is silent, and continues without it', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: impatient });
    await create(one);
    standIn.faults.silent = true;
    await expect(create(one, { title: 'Unclear' })).rejects.toThrow(OutcomeUnknown);
    await expect(create(one)).rejects.toThrow(LogUnavailable);
    standIn.faults.silent = false;
    await eventually(() => expect(one.node.replica?.connected).toBe(true));
    expect((await create(one)).value).toBe(2);
  });

  // The append timeout is never reached: these writes end because the server is known to be lost.
  const lasting = { ...quick, deadline: 300 * slowness, appendTimeout: 600_000 };

  it('abandons a pending write when its server is lost, and refuses new ones', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: lasting });
    await create(one);
    standIn.faults.silent = true;
    await expect(create(one)).rejects.toThrow(OutcomeUnknown);
    await expect(create(one)).rejects.toThrow(LogUnavailable);
    standIn.faults.silent = false;
    await createAgain(one);
  });

  it('reports the log as unavailable, not the outcome as unknown, when nothing was sent', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: lasting });
    await create(one);
    standIn.faults.silent = true;
    // A node’s first write reads the head and stores its first keys before it appends anything.
    await expect(one.node.store.submit(admin, () => null)).rejects.toThrow(LogUnavailable);
    standIn.faults.silent = false;
    await createAgain(one);
  });

  it('completes a pending write when its server is lost only briefly', async () => {
    const standIn = await standInForTest();
    const one = await nodeOn(standIn, { timings: { ...lasting, grace: 60_000 } });
    await create(one);
    standIn.faults.appends.push('never answer');
    standIn.faults.silent = true;
    const second = create(one);
    await eventually(() => expect(one.node.replica?.connected).toBe(false));
    standIn.faults.silent = false;
    expect((await second).value).toBe(2);
  });

  it('starts with its copy while its server is down, and accepts writes once it is back', async () => {
    const standIn = await standInForTest();
    const first = await openTestNode(undefined, { env: { EVENTSTORE_URL: standIn.url }, timings: quick });
    await create(first);
    await first.node.close();
    standIn.stop();
    const env = { EVENTSTORE_URL: standIn.url };
    const again = await openTestNode(first.directory, { env, timings: quick });
    onTestFinished(() => again.node.close());
    expect(again.node.store.reader.entry(1)?.title).toBe('Hello');
    await expect(create(again)).rejects.toThrow(LogUnavailable);
    await standIn.start();
    await createAgain(again);
  });
});
