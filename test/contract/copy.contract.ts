import { describe, expect, it } from 'vitest';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { copyOf } from '#eventstore/copy.ts';
import { type Commit, CopyDiffers, type EventStore, isConflict } from '#eventstore/port.ts';
import { commit, event, time } from '../support/commits.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { appendAtHead, type OpenStore, openForTest } from '../support/store-fixture.ts';

/** The commits of a log, one of which is partly erased. */
async function original(): Promise<ChainedEvent[][]> {
  const store = openMemoryStore();
  const texts = [event('a', { sealed: '{"title":"Grüße"}' }), event('b', { data: '{"n":1}' })];
  await appendAtHead(store, commit(texts, { at: time(5), actor: null, causationId: 'cause' }), commit(['a', 'c']));
  await appendAtHead(store, commit([event('a', { sealed: '{"title":"gone"}' })], { at: time(9), actor: 7 }));
  const events = [...store.chain()];
  const erased = events.map((e) => (e.position === 5 ? { ...e, sealed: null, salt: null } : e));
  return [erased.slice(0, 2), erased.slice(2, 4), erased.slice(4)];
}

/** Copies of the commits of another log. */
export function copyContract(open: OpenStore): void {
  describe('a copy', () => {
    it('equals the original log: positions, ids, times, digests and the head', async () => {
      const { store } = await openForTest(open);
      const commits = await original();
      const head = await appendAtHead(store, ...commits.map(copyOf));
      expect([...store.read()]).toEqual(commits.flat().map(({ salt: _, ...stored }) => stored));
      expect(head).toEqual({ position: 5, hash: commits.at(-1)?.at(-1)?.hash, at: time(9) });
    });

    it('may arrive in parts, and an existing part is not appended again', async () => {
      const { store } = await openForTest(open);
      const copies = (await original()).map(copyOf);
      await appendAtHead(store, ...copies.slice(0, 2));
      const head = await store.append(copies.slice(2), 4);
      expect(await store.append(copies.slice(2), 4)).toEqual(head);
      expect(store.head()).toEqual(head);
    });

    const forged: Record<string, (event: ChainedEvent) => Partial<ChainedEvent>> = {
      'another text': () => ({ data: '{"n":2}' }),
      'another type': () => ({ type: 'Forged' }),
      'another stream': () => ({ stream: 'z' }),
      'another digest': () => ({ sealedDigest: 'f'.repeat(64) }),
      'a sealed text of its own': () => ({ sealed: '{"title":"forged"}' }),
      'no salt beside a sealed text': () => ({ sealed: '{}', salt: null, sealedDigest: 'f'.repeat(64) }),
      'a salt without a sealed text': () => ({ sealed: null, salt: '0'.repeat(32), sealedDigest: 'f'.repeat(64) }),
    };
    for (const [what, change] of Object.entries(forged)) {
      it(`with ${what} is refused, and nothing of its append is stored`, async () => {
        const { store } = await openForTest(open);
        const [first = [], second = [], third = []] = await original();
        const other = first.map((e, i) => (i === 0 ? { ...e, ...change(e) } : e));
        expect(await isRefused(store, [other, second].map(copyOf), 0)).toBe(true);
        await appendAtHead(store, copyOf(first));
        const later = third.map((e) => ({ ...e, ...change(e) }));
        expect(await isRefused(store, [second, later].map(copyOf), 2)).toBe(true);
        expect(store.head().position).toBe(2);
      });
    }

    it('on top of another log is refused', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['x', 'y']));
      const [, second = []] = await original();
      expect(await isRefused(store, [copyOf(second)], 2)).toBe(true);
    });

    it('reports the position at which it differs', async () => {
      const { store } = await openForTest(open);
      const [first = [], second = []] = await original();
      const forgedSecond = second.map((e) => ({ ...e, data: '[]' }));
      await expect(store.append([first, forgedSecond].map(copyOf), 0)).rejects.toMatchObject({ position: 3 });
    });
  });
}

/** A difference shows in the hash, or earlier in a revision that the stream does not have. */
async function isRefused(store: EventStore, commits: readonly Commit[], position: number): Promise<boolean> {
  try {
    return isConflict(await store.append(commits, position));
  } catch (error) {
    return error instanceof CopyDiffers;
  }
}
