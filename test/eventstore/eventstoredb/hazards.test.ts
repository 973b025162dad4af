import { describe, expect, it } from 'vitest';
import { createStreamClient } from '#eventstore/eventstoredb/client.ts';
import { AppendTooLarge, isConflict, LogUnavailable, OutcomeUnknown } from '#eventstore/port.ts';
import { commit, event } from '../../support/commits.ts';
import { eventually } from '../../support/patience.ts';
import { appendAtHead, positions } from '../../support/store-fixture.ts';
import { impatient, neverAnswered, openWireStore, quick, standInForTest } from '../../support/wire-store.ts';

const LEDGER = 'palimpsest-test';

/** Known hazards of the client, and how they are handled. */
describe('the client for the event store', () => {
  it('never uses the batch append, which all clients of a process share', async () => {
    const [one, other] = [await standInForTest(), await standInForTest()];
    const [store, neighbour] = [await openWireStore(one), await openWireStore(other)];
    other.faults.appends.push('drop after commit');
    await Promise.all([appendAtHead(store, commit(['a'])), appendAtHead(neighbour, commit([event('a')]))]);
    expect([one.calls.batchAppend, other.calls.batchAppend]).toEqual([0, 0]);
    expect([store.head().position, neighbour.head().position]).toEqual([1, 1]);
  });

  it('abandons an append that is never answered', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn, { timings: impatient });
    standIn.faults.silent = true;
    await expect(appendAtHead(store, commit(['a']))).rejects.toThrow(OutcomeUnknown);
  });

  it('is never given values that it cannot serialise', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    const calls = standIn.calls.append;
    const odd = commit(['a'], { actor: 1n as unknown as number });
    await expect(appendAtHead(store, odd)).rejects.toThrow(TypeError);
    expect(standIn.calls.append).toBe(calls);
    await appendAtHead(store, commit(['a']));
  });

  it('reports the stream’s position when an append expected another one', async () => {
    const standIn = await standInForTest();
    const [store, other] = [await openWireStore(standIn), await openWireStore(standIn)];
    await appendAtHead(other, commit(['a', 'b', 'c']));
    expect(await store.append([commit(['x'])], 0)).toEqual({ conflict: true, position: 3, stream: null });
  });

  it('leaves no call open after a read, whether it completes or times out', async () => {
    const standIn = await standInForTest();
    const client = createStreamClient({ url: standIn.url, deadline: quick.deadline });
    const made = { type: 'Made', data: new Uint8Array(), metadata: new Uint8Array() };
    const ids = ['1', '2'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
    await client.append(
      's',
      ids.map((id) => ({ id, ...made })),
      -1,
    );
    expect(await client.read('s', { limit: 1 })).toHaveLength(1);
    expect(await client.read('none', { limit: 1 })).toEqual([]);
    client.follow('s', -1, { isLast: () => true, onEvents: async () => undefined, onEnd: () => undefined })();
    await eventually(() => expect(standIn.readers).toBe(0));
    await client.close();
    standIn.faults.silent = true;
    const hurried = createStreamClient({ url: standIn.url, deadline: impatient.deadline });
    await expect(hurried.read('s', { limit: 1 })).rejects.toThrow('does not answer');
    await hurried.close();
  });

  it('reads large events a few at a time, without omitting any', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    const large = () => commit([event('a', { data: JSON.stringify('x'.repeat(900_000)) })]);
    for (let k = 0; k < 25; k++) await appendAtHead(store, large());
    const client = createStreamClient({ url: standIn.url, deadline: quick.deadline });
    const page = await client.read(LEDGER, { limit: 2000 });
    expect(page.length).toBeLessThan(25);
    expect(page.length).toBeGreaterThan(0);
    await client.close();
    const late = await openWireStore(standIn);
    expect(late.head()).toEqual(store.head());
  });

  it('resumes an ended subscription where it was', async () => {
    const standIn = await standInForTest();
    const [store, other] = [await openWireStore(standIn), await openWireStore(standIn)];
    await appendAtHead(other, commit(['a']));
    await eventually(() => expect(store.head().position).toBe(1));
    standIn.killStreams();
    await appendAtHead(other, commit(['b']));
    await eventually(() => expect(store.head().position).toBe(2));
    standIn.stop();
    await standIn.start();
    // One whose outcome is unknown may be stored, too.
    await eventually(async () => void (await appendAtHead(other, commit(['c']))));
    const all = positions(other.read());
    expect(all.slice(0, 3)).toEqual([1, 2, 3]);
    await eventually(() => expect(positions(store.read())).toEqual(all));
  });

  it('ends a subscription whose reader fails, instead of leaving it silent', async () => {
    const standIn = await standInForTest();
    const client = createStreamClient({ url: standIn.url, deadline: quick.deadline });
    const made = { id: '00000000-0000-4000-8000-000000000001', type: 'Made', data: new Uint8Array() };
    const ended = new Promise((resolve) => {
      const onEvents = () => Promise.reject(new Error('cannot read this'));
      client.follow('s', -1, { isLast: () => true, onEvents, onEnd: resolve });
    });
    await client.append('s', [{ ...made, metadata: new Uint8Array() }], -1);
    expect(await ended).toEqual(new Error('cannot read this'));
    await client.close();
  });

  it('has read the whole log once it is opened', async () => {
    const standIn = await standInForTest();
    const writer = await openWireStore(standIn);
    for (let k = 0; k < 30; k++) await appendAtHead(writer, commit(Array.from({ length: 10 }, () => 'a')));
    const late = await openWireStore(standIn);
    expect(late.head()).toEqual(writer.head());
    expect([...late.chain()]).toEqual([...writer.chain()]);
  });

  it('reports a stopped server as an unavailable log or an unknown outcome', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn, { timings: impatient });
    await appendAtHead(store, commit(['a']));
    standIn.stop();
    const error = await appendAtHead(store, commit(['b'])).catch((fault: unknown) => fault);
    expect([LogUnavailable, OutcomeUnknown].some((kind) => error instanceof kind)).toBe(true);
  });

  for (const fault of ['drop after commit', 'silent after commit'] as const) {
    it(`repeats an append that may be stored (${fault}), and it is stored once`, async () => {
      const standIn = await standInForTest();
      const store = await openWireStore(standIn, { timings: { ...quick, deadline: impatient.deadline } });
      standIn.faults.appends.push(fault, fault);
      const head = await appendAtHead(store, commit([event('a', { sealed: '"s"' }), 'b']));
      expect(head.position).toBe(2);
      expect(standIn.storage.view(LEDGER)?.records).toHaveLength(2);
      expect((await openWireStore(standIn)).head()).toEqual(head);
    });
  }

  it('does not mistake another node’s commit for an own append of unknown outcome', async () => {
    const standIn = await standInForTest();
    const timings = { ...quick, deadline: impatient.deadline, appendTimeout: 600_000 };
    const store = await openWireStore(standIn, { timings });
    const other = await openWireStore(await standInForTest({ storage: standIn.storage }));
    standIn.faults.appends.push(...neverAnswered);
    const mine = store.append([commit(['mine'])], 0);
    await eventually(() => expect(standIn.faults.appends.length).toBeLessThan(neverAnswered.length));
    await appendAtHead(other, commit(['theirs']));
    standIn.faults.appends.length = 0;
    expect(isConflict(await mine)).toBe(true);
    await eventually(() => expect([...store.read()].map(({ stream }) => stream)).toEqual(['theirs']));
  });

  it('repeats an append at the current leader', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    standIn.faults.leader = { host: '127.0.0.1', port: standIn.port };
    standIn.faults.appends.push('not leader');
    expect(await appendAtHead(store, commit(['a']))).toMatchObject({ position: 1 });
  });

  it('refuses appends over the budget, and warns when the server accepts less', async () => {
    const standIn = await standInForTest({ maxAppendBytes: 100_000 });
    const told: string[] = [];
    const store = await openWireStore(standIn, { appendBytes: 200_000, onWarning: (message) => told.push(message) });
    const of = (bytes: number) => commit([event('a', { data: JSON.stringify('x'.repeat(bytes)) })]);
    const calls = standIn.calls.append;
    await expect(appendAtHead(store, of(200_000))).rejects.toThrow(AppendTooLarge);
    expect(standIn.calls.append).toBe(calls);
    await expect(appendAtHead(store, of(150_000))).rejects.toThrow(
      /the event store takes 100000 bytes, EVENTSTORE_APPEND_BYTES is 200000$/,
    );
    expect(told).toEqual([expect.stringMatching(/100000.*200000/)]);
    // The limit is known from then on: what the server would refuse is not sent again.
    const sent = standIn.calls.append;
    await expect(appendAtHead(store, of(150_000))).rejects.toThrow(AppendTooLarge);
    expect([standIn.calls.append, store.budget?.bytes, told.length]).toEqual([sent, 100_000, 1]);
    expect(await appendAtHead(store, of(50_000))).toMatchObject({ position: 1 });
  });

  it('refuses appends with a larger event than the server takes, which it learns from the first refusal', async () => {
    const standIn = await standInForTest({ maxEventBytes: 50_000 });
    const told: string[] = [];
    const store = await openWireStore(standIn, { onWarning: (message) => told.push(message) });
    const of = (...bytes: readonly number[]) =>
      commit(bytes.map((count) => event('a', { data: JSON.stringify('x'.repeat(count)) })));
    await expect(appendAtHead(store, of(10, 60_000))).rejects.toThrow(AppendTooLarge);
    const sent = standIn.calls.append;
    await expect(appendAtHead(store, of(60_000))).rejects.toThrow(/the event store takes events of 50000 bytes$/);
    expect([standIn.calls.append, told]).toEqual([sent, [expect.stringMatching(/50000.*MaxAppendEventSize/)]]);
    expect(await appendAtHead(store, of(40_000, 40_000))).toMatchObject({ position: 2 });
  });

  for (const fault of ['not ready', 'busy'] as const) {
    it(`lets an append wait that the server refuses (${fault}): it was certainly not stored`, async () => {
      const standIn = await standInForTest();
      const store = await openWireStore(standIn, { timings: { ...quick, grace: 20_000 } });
      standIn.faults.appends.push(...Array.from({ length: 4 }, () => fault));
      expect(await appendAtHead(store, commit(['a']))).toMatchObject({ position: 1 });
      const hasty = await openWireStore(standIn, { timings: { ...quick, grace: 100 } });
      standIn.faults.appends.push(...Array.from({ length: 10_000 }, () => fault));
      await expect(appendAtHead(hasty, commit(['b']))).rejects.toThrow(LogUnavailable);
    });
  }

  it('refuses writes while the server is down, and accepts them when it is back', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn);
    await appendAtHead(store, commit(['a']));
    standIn.stop();
    await eventually(() => expect(store.replica.connected).toBe(false));
    await expect(appendAtHead(store, commit(['b']))).rejects.toThrow(LogUnavailable);
    expect(positions(store.read())).toEqual([1]);
    expect(store.replica.ageMs).toBeGreaterThan(0);
    await standIn.start();
    await eventually(() => expect(store.replica.connected).toBe(true));
    expect(await appendAtHead(store, commit(['b']))).toMatchObject({ position: 2 });
  });
});
