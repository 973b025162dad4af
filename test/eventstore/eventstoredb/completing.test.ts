import { describe, expect, it } from 'vitest';
import { isChainFault, verifyChain } from '#eventstore/chain.ts';
import { LogDamaged } from '#eventstore/port.ts';
import { commit, event } from '../../support/commits.ts';
import { eventually } from '../../support/patience.ts';
import { appendAtHead } from '../../support/store-fixture.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openWireStore, quick, standInForTest } from '../../support/wire-store.ts';

const sealed = (text: string) => event('entry-1', { sealed: JSON.stringify(text) });
const waiting = { ...quick, grace: 20_000 };

/** Two nodes on a server that was restored to a backup from before the last commits. */
async function restored() {
  const standIn = await standInForTest();
  const directory = temporaryDirectory();
  const told = { info: [] as string[], error: [] as unknown[] };
  const one = await openWireStore(standIn, {
    directory,
    timings: waiting,
    onInfo: (message) => void told.info.push(message),
    onError: (error) => void told.error.push(error),
  });
  const two = await openWireStore(standIn, { timings: waiting });
  await appendAtHead(one, commit([sealed('kept'), 'b']));
  await appendAtHead(one, commit([sealed('erased later')]));
  const restore = standIn.storage.backup();
  await appendAtHead(one, commit([sealed('lost'), 'c', 'd']));
  await one.erase([3]);
  await appendAtHead(two, commit([sealed('lost, too')]));
  for (const store of [one, two]) await eventually(() => expect(store.head().position).toBe(7));
  restore();
  for (const { replica } of [one, two]) await eventually(() => expect(replica.missing).toBe(4));
  return { standIn, directory, one, two, told };
}

describe('an event store that was restored to an older backup', () => {
  it('gets back what it lacks: the same events for every node, with positions, times and hashes', async () => {
    const { standIn, one, two, told } = await restored();
    const expected = [...one.chain()];
    expect(await one.complete()).toEqual({ count: 4, from: 4, to: 7 });
    for (const { replica } of [one, two]) {
      await eventually(() => expect(replica).toMatchObject({ connected: true, differs: false, missing: 0 }));
    }
    const fresh = await openWireStore(standIn);
    expect([...fresh.chain()]).toEqual(expected);
    expect(isChainFault(verifyChain(fresh.chain()))).toBe(false);
    expect(told.error).toEqual([expect.any(LogDamaged)]);
    expect(told.info).toContain('The event store has the log of this node again');
    expect(await one.complete()).toMatchObject({ count: 0 });
  });

  it('does not get erased texts back, nor their keys', async () => {
    const { standIn, one } = await restored();
    await one.complete();
    const fresh = await openWireStore(standIn);
    expect([...fresh.read()][2]?.sealed).toBeNull();
  });

  it('takes writes of all nodes afterwards, whose texts every node can read', async () => {
    const { standIn, one, two } = await restored();
    await one.complete();
    for (const store of [one, two]) await eventually(() => expect(store.replica.connected).toBe(true));
    await appendAtHead(one, commit([sealed('of one')]));
    await eventually(() => expect(two.head().position).toBe(8));
    await appendAtHead(two, commit([sealed('of two')]));
    const fresh = await openWireStore(standIn);
    expect([...fresh.read({ from: 8 })].map((stored) => stored.sealed)).toEqual(['"of one"', '"of two"']);
  });

  it('is given nothing once another log has begun on it', async () => {
    const { standIn, one, two } = await restored();
    const fresh = await openWireStore(standIn);
    await appendAtHead(fresh, commit(['x']));
    for (const { replica } of [one, two]) await eventually(() => expect(replica.missing).toBe(0));
    await expect(one.complete()).rejects.toThrow(LogDamaged);
    expect(fresh.head().position).toBe(4);
  });

  it('may have lost everything, and take less at once than before', async () => {
    const standIn = await standInForTest();
    const one = await openWireStore(standIn);
    const large = () => commit([event('a', { data: JSON.stringify('x'.repeat(30_000)) })]);
    for (let k = 0; k < 9; k++) await appendAtHead(one, large());
    const expected = [...one.chain()];
    standIn.stop();
    standIn.storage.clear();
    const smaller = await standInForTest({ maxAppendBytes: 100_000, port: standIn.port, storage: standIn.storage });
    await eventually(() => expect(one.replica.missing).toBe(9));
    expect(await one.complete()).toEqual({ count: 9, from: 1, to: 9 });
    expect([...(await openWireStore(smaller)).chain()]).toEqual(expected);
  });

  it('keeps a node from starting with a sentence that names both logs, and throws nothing away', async () => {
    const { standIn, directory, one } = await restored();
    one.close();
    await expect(openWireStore(standIn, { directory })).rejects.toThrow(
      /^The event store ends at position 3, and this node has 4 events more, up to position 7\. .*keep its data directory/,
    );
  });
});
