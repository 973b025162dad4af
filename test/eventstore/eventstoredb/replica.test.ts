import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isChainFault, verifyChain } from '#eventstore/chain.ts';
import { LogDamaged, LogUnavailable, type StoredEvent } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event } from '../../support/commits.ts';
import { eventually } from '../../support/patience.ts';
import { appendAtHead } from '../../support/store-fixture.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { impatient, openWireStore, standInForTest } from '../../support/wire-store.ts';

const LEDGER = 'palimpsest-test';
const sealed = (text: string) => event('entry-1', { sealed: JSON.stringify(text) });

describe('a node’s copy of a shared log', () => {
  it('is identical on every node, including salts', async () => {
    const standIn = await standInForTest();
    const [one, two] = [await openWireStore(standIn), await openWireStore(standIn)];
    const long = 'a long text, compressed before it is encrypted. '.repeat(500);
    await appendAtHead(one, commit([sealed('short'), event('entry-2'), sealed(long)]), commit([sealed('Grüße')]));
    await eventually(() => expect(two.head()).toEqual(one.head()));
    expect([...two.chain()]).toEqual([...one.chain()]);
    expect(isChainFault(verifyChain(two.chain()))).toBe(false);
  });

  it('grows by whole commits, however they are split in transit', async () => {
    const standIn = await standInForTest();
    const [one, two] = [await openWireStore(standIn), await openWireStore(standIn)];
    const commits: (readonly StoredEvent[])[] = [];
    const heads: number[] = [];
    two.subscribe(0, (events) => void commits.push(events));
    two.onOthers(() => heads.push(two.head().position));
    const sizes = [1, 700, 2, 1500, 5];
    for (const size of sizes) await appendAtHead(one, commit(Array.from({ length: size }, () => 'a')));
    await eventually(() => expect(commits.map((events) => events.length)).toEqual(sizes));
    const ends = sizes.map((_, i) => sizes.slice(0, i + 1).reduce((sum, size) => sum + size));
    expect(ends).toEqual(expect.arrayContaining(heads));
  });

  it('is rebuilt on an empty disk, and reports its progress', async () => {
    const standIn = await standInForTest();
    const one = await openWireStore(standIn);
    for (let k = 0; k < 5; k++) await appendAtHead(one, commit(Array.from({ length: 900 }, () => 'a')));
    const told: [number, number][] = [];
    const two = await openWireStore(standIn, { onProgress: (position, head) => told.push([position, head]) });
    expect(two.head()).toEqual(one.head());
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual([4500, 4500]);
  });

  it('continues where it was after a restart', async () => {
    const standIn = await standInForTest();
    const directory = temporaryDirectory();
    const [one, two] = [await openWireStore(standIn), await openWireStore(standIn, { directory })];
    await appendAtHead(one, commit(['a', 'b']));
    await eventually(() => expect(two.head().position).toBe(2));
    two.close();
    await appendAtHead(one, commit(['c']), commit(['d']));
    const again = await openWireStore(standIn, { directory });
    expect([...again.chain()]).toEqual([...one.chain()]);
  });

  it('gets new commits although its subscription is silent', async () => {
    const standIn = await standInForTest();
    const [one, two] = [await openWireStore(standIn), await openWireStore(standIn)];
    await appendAtHead(one, commit(['a']));
    await eventually(() => expect(two.head().position).toBe(1));
    standIn.faults.mute = true;
    await appendAtHead(one, commit(['b']));
    await eventually(() => expect(two.head().position).toBe(2));
  });

  it('is served when the server is down at the start, unless it is empty or lacks events seen before', async () => {
    const standIn = await standInForTest();
    const directory = temporaryDirectory();
    const one = await openWireStore(standIn, { directory });
    await appendAtHead(one, commit(['a']));
    one.close();
    standIn.stop();
    const again = await openWireStore(standIn, { directory });
    expect(again.head().position).toBe(1);
    await expect(openWireStore(standIn, { timings: impatient })).rejects.toThrow(LogUnavailable);
    again.close();
    // As after a power cut that lost the newest events of the copy.
    const seen = () => 2;
    await expect(openWireStore(standIn, { directory, timings: impatient, seen })).rejects.toThrow(LogUnavailable);
    const last = await openWireStore(standIn, { directory });
    await standIn.start();
    await eventually(() => expect(last.replica.connected).toBe(true));
    expect(await appendAtHead(last, commit(['b']))).toMatchObject({ position: 2 });
  });

  it('accepts nothing from a server that lost events, and writes nothing to it', async () => {
    const standIn = await standInForTest();
    const directory = temporaryDirectory();
    const one = await openWireStore(standIn, { directory });
    await appendAtHead(one, commit(['a', 'b']));
    standIn.storage.clear();
    await eventually(() => expect(one.replica.connected).toBe(false));
    await expect(appendAtHead(one, commit(['c']))).rejects.toThrow(LogUnavailable);
    expect(standIn.storage.view(LEDGER)).toBeNull();
    one.close();
    await expect(openWireStore(standIn, { directory })).rejects.toThrow(LogDamaged);
  });

  it('does not continue from a different log of the same or greater length, and does not write to it', async () => {
    const standIn = await standInForTest();
    const directory = temporaryDirectory();
    const one = await openWireStore(standIn);
    await appendAtHead(one, commit(['a']));
    const copied = await openWireStore(standIn, { directory });
    copied.close();
    await appendAtHead(one, commit(['b']));
    const alone = openSqliteStore({ path: join(directory, 'log.db') });
    await appendAtHead(alone, commit(['c']));
    alone.close();
    await expect(openWireStore(standIn, { directory })).rejects.toMatchObject({ name: 'LogDamaged', position: 2 });
    await appendAtHead(one, commit(['d']));
    await expect(openWireStore(standIn, { directory })).rejects.toMatchObject({ name: 'LogDamaged', position: 3 });
    expect(standIn.storage.view(LEDGER)?.records).toHaveLength(3);
  });

  it('detects at run time that the server has a different log of the same length', async () => {
    const standIn = await standInForTest();
    const told: unknown[] = [];
    const one = await openWireStore(standIn, { onError: (error) => told.push(error) });
    await appendAtHead(one, commit(['a']));
    standIn.storage.clear();
    const two = await openWireStore(standIn);
    await appendAtHead(two, commit(['b']));
    await eventually(() => expect(one.replica).toMatchObject({ connected: false, differs: true }));
    await expect(appendAtHead(one, commit(['c']))).rejects.toThrow(LogUnavailable);
    await eventually(() => expect(told.filter((error) => error instanceof LogDamaged)).not.toEqual([]));
    expect(standIn.storage.view(LEDGER)?.records).toHaveLength(1);
  });

  it('refuses an event changed in the ledger, and reports its position', async () => {
    const standIn = await standInForTest();
    const one = await openWireStore(standIn);
    await appendAtHead(one, commit(['a']), commit([event('b', { data: '{"n":1}' })]));
    const record = standIn.storage.view(LEDGER)?.records[1];
    record?.data.set(Buffer.from('{"n":2}'));
    await expect(openWireStore(standIn)).rejects.toMatchObject({ name: 'LogDamaged', position: 2 });
  });

  it('refuses events of other programs', async () => {
    const standIn = await standInForTest();
    const foreign = {
      id: 'x',
      type: 'Order',
      contentType: 'application/json',
      metadata: Buffer.of(),
      data: Buffer.of(),
    };
    standIn.storage.append(LEDGER, 'any', [foreign]);
    await expect(openWireStore(standIn)).rejects.toMatchObject({ name: 'LogDamaged', position: 1 });
  });

  it('ends up identical on all nodes, however they append concurrently', async () => {
    const works = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(works, async (sizes) => {
        const standIn = await standInForTest();
        const stores = await Promise.all(sizes.map(() => openWireStore(standIn)));
        const appended = await Promise.all(
          stores.map(async (store, node) => {
            for (const size of sizes[node] ?? []) {
              const made = commit(Array.from({ length: size }, () => sealed(`${node}`)));
              while ('conflict' in (await store.append([made], store.head().position)));
            }
          }),
        );
        expect(appended).toHaveLength(3);
        const count = sizes.flat().reduce((sum, size) => sum + size, 0);
        for (const store of stores) await eventually(() => expect(store.head().position).toBe(count));
        const [first, ...others] = stores.map((store) => [...store.chain()]);
        for (const other of others) expect(other).toEqual(first);
        expect(isChainFault(verifyChain(first ?? []))).toBe(false);
        for (const store of stores) store.close();
        standIn.close();
      }),
      { numRuns: 8 },
    );
  });
});

describe('a sealed text in a shared log', () => {
  it('is not readable in the ledger', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    await appendAtHead(store, commit([sealed('a secret'), event('entry-1', { data: '"plain"' })]));
    const bytes = standIn.storage.bytes();
    expect([bytes.includes('plain'), bytes.includes('secret')]).toEqual([true, false]);
  });

  it('cannot be read by a new node once its keys are destroyed; everything else and the chain are intact', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    await appendAtHead(store, commit([sealed('gone'), event('entry-2', { sealed: '"stays"' })]));
    await appendAtHead(store, commit([sealed('gone, too')]));
    await store.erase([1, 3]);
    await store.erase([1, 3]);
    const late = await openWireStore(standIn);
    expect(Array.from(late.read(), (e) => e.sealed)).toEqual([null, '"stays"', null]);
    expect(late.head()).toEqual(store.head());
    expect(isChainFault(verifyChain(late.chain()))).toBe(false);
    expect(await appendAtHead(late, commit([sealed('new')]))).toMatchObject({ position: 4 });
  });

  it('has keys that are nowhere in the server’s bytes after an erasure and a scavenge', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    await appendAtHead(store, commit([sealed('gone')]));
    const name = standIn.storage.names().find((stream) => stream.startsWith(`${LEDGER}-keys-`)) ?? '';
    const key = Buffer.from(standIn.storage.view(name)?.records[0]?.data.slice(0, 32) ?? []);
    expect(standIn.storage.bytes().includes(key)).toBe(true);
    await store.erase([1]);
    standIn.storage.scavenge();
    expect(standIn.storage.bytes().includes(key)).toBe(false);
  });

  it('stays in a node’s copy while its keys cannot be destroyed', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn, { timings: impatient });
    await appendAtHead(store, commit([sealed('text')]));
    standIn.close();
    await expect(store.erase([1])).rejects.toThrow(LogUnavailable);
    expect(Array.from(store.read(), (e) => e.sealed)).toEqual([expect.stringContaining('text')]);
  });

  it('is not mistaken for erased when its keys are missing: the ledger is refused', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    await appendAtHead(store, commit([sealed('text')]));
    for (const name of standIn.storage.names()) if (name.includes('-keys-')) standIn.storage.drop(name);
    await expect(openWireStore(standIn, { timings: impatient })).rejects.toThrow('lacks the keys');
  });
});
