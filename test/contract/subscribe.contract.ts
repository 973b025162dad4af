import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { commit } from '../support/commits.ts';
import { eventually } from '../support/patience.ts';
import { appendAtHead, type OpenStore, openForTest, positions } from '../support/store-fixture.ts';

/** Delivery of commits: existing ones, then new ones. */
export function subscribeContract(open: OpenStore): void {
  describe('subscribe', () => {
    it('a subscriber gets existing commits and then new ones, without gaps or duplicates', async () => {
      const { store } = await openForTest(open);
      for (let k = 0; k < 200; k += 1) await appendAtHead(store, commit(['a', 'b']));
      const seen = collect(store, 0);
      for (let k = 0; k < 100; k += 1) {
        await appendAtHead(store, commit(['a']), commit(['b', 'c']));
        if (k % 7 === 0) await turn();
      }
      await eventually(() => expect(seen.commits).toHaveLength(400));
      expect(positions(seen.commits.flat())).toEqual(Array.from({ length: 700 }, (_, k) => k + 1));
    });

    it('every delivery is one whole commit as stored in the log', async () => {
      const { store } = await openForTest(open);
      const seen = collect(store, 0);
      await appendAtHead(store, commit(['a', 'b', 'c']), commit(['a']));
      await appendAtHead(store, commit(['b', 'b']));
      await eventually(() => expect(seen.commits).toHaveLength(3));
      expect(seen.commits.map((events) => events.map(({ commit: { i, n } }) => [i, n]))).toEqual([
        [
          [0, 3],
          [1, 3],
          [2, 3],
        ],
        [[0, 1]],
        [
          [0, 2],
          [1, 2],
        ],
      ]);
      expect(seen.commits.flat()).toEqual([...store.read()]);
    });

    it('a subscriber may start after any position; a commit that spans it comes whole', async () => {
      const { store } = await openForTest(open);
      const starts = [1, 3, 4, 8];
      await appendAtHead(store, commit(['a', 'b']), commit(['c']), commit(['d', 'e', 'f', 'g']), commit(['h', 'i']));
      for (let from = 0; from <= 9; from += 1) {
        const seen = collect(store, from);
        const expected = starts.filter((_, k) => ([2, 3, 7, 9][k] ?? 0) > from);
        await eventually(() => expect(seen.commits).toHaveLength(expected.length));
        expect(seen.commits.map(([first]) => first?.position)).toEqual(expected);
        seen.unsubscribe();
      }
    });

    it('a subscriber that starts ahead of the log gets nothing until the log passes that position', async () => {
      const { store } = await openForTest(open);
      const [ahead, witness] = [collect(store, 3), collect(store, 0)];
      await appendAtHead(store, commit(['a', 'b']), commit(['c']));
      await eventually(() => expect(witness.commits).toHaveLength(2));
      await appendAtHead(store, commit(['d']));
      await eventually(() => expect(ahead.commits).toHaveLength(1));
      expect(positions(ahead.commits.flat())).toEqual([4]);
    });

    it('a commit is delivered only after its whole append is in the log', async () => {
      const { store } = await openForTest(open);
      const heads: number[] = [];
      store.subscribe(0, (events) => {
        heads.push(store.head().position - (events.at(-1)?.position ?? 0));
        expect(positions(store.read({ from: events[0]?.position ?? 0 }))).toContain(store.head().position);
      });
      await appendAtHead(store, commit(['a', 'b']), commit(['c', 'd', 'e']));
      await eventually(() => expect(heads).toEqual([3, 0]));
    });

    it('nothing is delivered from within `subscribe` or `append`', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a']));
      const seen = collect(store, 0);
      expect(seen.commits).toHaveLength(0);
      await eventually(() => expect(seen.commits).toHaveLength(1));
      const appended = store.append([commit(['a'])], 1);
      expect(seen.commits).toHaveLength(1);
      await appended;
      expect(seen.commits).toHaveLength(1);
      await eventually(() => expect(seen.commits).toHaveLength(2));
    });

    it('the next commit waits until the subscriber has finished with the previous one', async () => {
      const { store } = await openForTest(open);
      const log: string[] = [];
      store.subscribe(0, async ([first]) => {
        log.push(`begin ${first?.position}`);
        await turn();
        await turn();
        log.push(`end ${first?.position}`);
      });
      for (let k = 0; k < 3; k += 1) await appendAtHead(store, commit(['a']));
      await eventually(() => expect(log).toHaveLength(6));
      expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
    });

    it('a slow subscriber does not hold up another', async () => {
      const { store } = await openForTest(open);
      const gate = Promise.withResolvers<void>();
      const slow: number[] = [];
      store.subscribe(0, async (events) => {
        await gate.promise;
        slow.push(...positions(events));
      });
      const quick = collect(store, 0);
      for (let k = 0; k < 5; k += 1) await appendAtHead(store, commit(['a']));
      await eventually(() => expect(quick.commits).toHaveLength(5));
      expect(slow).toEqual([]);
      gate.resolve();
      await eventually(() => expect(slow).toEqual([1, 2, 3, 4, 5]));
    });

    it('a subscriber may append, and gets what it appended', async () => {
      const { store } = await openForTest(open);
      const seen: number[] = [];
      store.subscribe(0, async (events) => {
        seen.push(...positions(events));
        if (seen.length < 5) await appendAtHead(store, commit(['echo']));
      });
      await appendAtHead(store, commit(['a']));
      await eventually(() => expect(seen).toEqual([1, 2, 3, 4, 5]));
    });

    it('nothing is delivered after unsubscribing, even if deliveries were pending', async () => {
      const { store } = await openForTest(open);
      for (let k = 0; k < 3; k += 1) await appendAtHead(store, commit(['a']));
      const [before, within] = [collect(store, 0), collect(store, 0, () => within.unsubscribe())];
      before.unsubscribe();
      const witness = collect(store, 0);
      await appendAtHead(store, commit(['b']));
      await eventually(() => expect(witness.commits).toHaveLength(4));
      expect([before.commits.length, within.commits.length]).toEqual([0, 1]);
      before.unsubscribe();
    });

    it('an exception in a subscriber ends its subscription and goes to its error handler; others continue', async () => {
      const { store } = await openForTest(open);
      const faults: unknown[] = [];
      const calls: number[] = [];
      store.subscribe(
        0,
        ([first]) => {
          calls.push(first?.position ?? 0);
          if (first?.position === 2) throw new Error('no more');
        },
        (error) => faults.push(error),
      );
      const other = collect(store, 0);
      for (let k = 0; k < 4; k += 1) await appendAtHead(store, commit(['a']));
      await eventually(() => expect(other.commits).toHaveLength(4));
      await eventually(() => expect(faults).toEqual([new Error('no more')]));
      expect(calls).toEqual([1, 2]);
    });

    it('a rejected promise of a subscriber goes to its error handler, too', async () => {
      const { store } = await openForTest(open);
      const onError = vi.fn();
      store.subscribe(0, () => Promise.reject(new Error('rejected')), onError);
      await appendAtHead(store, commit(['a']), commit(['a']));
      await eventually(() => expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('rejected')));
    });

    it('closing the log ends its subscriptions without an error', async () => {
      const { store } = await openForTest(open);
      const onError = vi.fn();
      await appendAtHead(store, commit(['a']), commit(['a']));
      const seen = collect(store, 0, () => store.close(), onError);
      await eventually(() => expect(seen.commits).toHaveLength(1));
      for (let k = 0; k < 5; k += 1) await turn();
      expect(seen.commits).toHaveLength(1);
      expect(onError).not.toHaveBeenCalled();
    });
  });
}

interface Collected {
  readonly commits: (readonly StoredEvent[])[];
  unsubscribe(): void;
}

function collect(store: EventStore, from: number, then = () => {}, onError?: (error: unknown) => void): Collected {
  const commits: (readonly StoredEvent[])[] = [];
  const onCommit = (events: readonly StoredEvent[]) => {
    commits.push(events);
    then();
  };
  return { commits, unsubscribe: store.subscribe(from, onCommit, onError) };
}
