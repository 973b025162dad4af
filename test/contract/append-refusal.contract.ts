import { describe, expect, it } from 'vitest';
import { type Commit, type EventStore, OutOfSequence } from '#eventstore/port.ts';
import { commit, event } from '../support/commits.ts';
import { appendAtHead, type OpenStore, openForTest } from '../support/store-fixture.ts';

/** When an append is refused, and that a refused append leaves no trace. */
export function appendRefusalContract(open: OpenStore): void {
  describe('append, refused', () => {
    it('an append that expects another position gets the actual position and changes nothing', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'b']));
      for (const expected of [0, 1, 3, -1]) {
        const outcome = await unchanged(store, [commit(['a'])], expected);
        expect(outcome).toEqual({ conflict: true, position: 2, stream: null });
      }
    });

    it('an append that expects another revision is told the first stream that conflicts', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'a', 'b']));
      const expect1 = [
        { stream: 'a', revision: 2 },
        { stream: 'b', revision: 2 },
        { stream: 'c', revision: 1 },
      ];
      const outcome = await unchanged(store, [commit(['a'], { expect: expect1 })], 3);
      expect(outcome).toEqual({ conflict: true, position: 3, stream: 'b' });
    });

    it('expecting revision 0 means that the stream must not exist', async () => {
      const { store } = await openForTest(open);
      const create = () => commit(['slug-a'], { expect: [{ stream: 'slug-a', revision: 0 }] });
      await appendAtHead(store, create());
      expect(await unchanged(store, [create()], 1)).toMatchObject({ conflict: true, stream: 'slug-a' });
    });

    it('when the last of many commits is refused, none of them is in the log', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a']));
      const good = Array.from({ length: 24 }, (_, k) => commit([`new-${k}`, 'a']));
      const bad = commit(['z'], { expect: [{ stream: 'new-3', revision: 2 }] });
      expect(await unchanged(store, [...good, bad], 1)).toEqual({ conflict: true, position: 1, stream: 'new-3' });
      expect(store.streamHead('new-0')).toBe(0);
      expect(await appendAtHead(store, ...good)).toMatchObject({ position: 49 });
    });

    it('expectations count the commits before them in the same append', async () => {
      const { store } = await openForTest(open);
      const second = commit(['a'], { expect: [{ stream: 'a', revision: 2 }] });
      expect(await appendAtHead(store, commit(['a', 'a']), second)).toMatchObject({ position: 3 });
    });

    it('a commit without events checks its expectations and leaves no trace', async () => {
      const { store } = await openForTest(open);
      const head = await appendAtHead(store, commit(['a']));
      const check = (revision: number) => [commit([], { expect: [{ stream: 'a', revision }] })];
      expect(await unchanged(store, check(1), 1)).toEqual(head);
      expect(await unchanged(store, check(2), 1)).toMatchObject({ conflict: true, stream: 'a' });
      expect(await unchanged(store, [], 1)).toEqual(head);
      expect(await unchanged(store, [], 0)).toMatchObject({ conflict: true });
    });

    it('of three appends at the same expected position, one is stored', async () => {
      const { store } = await openForTest(open);
      const outcomes = await Promise.all(['a', 'b', 'c'].map((stream) => store.append([commit([stream])], 0)));
      expect(outcomes.filter((outcome) => 'conflict' in outcome)).toHaveLength(2);
      expect(store.head().position).toBe(1);
    });

    it('an identical repeated append gets the same result and changes nothing', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a']));
      const commits = [commit(['a', 'b']), commit([]), commit(['b'])];
      const head = await store.append(commits, 1);
      expect(await unchanged(store, commits, 1)).toEqual(head);
      await appendAtHead(store, commit(['c']));
      expect(await unchanged(store, commits, 1)).toEqual(head);
    });

    it('an append that is only partly in the log is a conflict', async () => {
      const { store } = await openForTest(open);
      const [one, two] = [commit(['a', 'b']), commit(['c'])];
      await appendAtHead(store, one);
      const cut = { ...one, events: one.events.slice(0, 1) };
      for (const commits of [[one, two], [two], [cut], [two, one]]) {
        expect(await unchanged(store, commits, 0)).toMatchObject({ conflict: true, position: 2, stream: null });
      }
    });

    const odd: Record<string, Partial<Commit>> = {
      'a text with half of a surrogate pair': { events: [event('a', { data: '"\ud800"' })] },
      'a sealed text with half of a surrogate pair': { events: [event('a', { sealed: '"\udc00"' })] },
      'a text with NUL': { events: [event('a\0b')] },
      'a version that is no positive integer': { events: [event('a', { v: 1.5 })] },
      'an actor that is no integer': { actor: 0.5 },
      'a time without milliseconds': { at: '2026-01-01T00:00:00Z' },
      'a time of another zone': { at: '2026-01-01T00:00:00.000+02:00' },
    };
    for (const [what, given] of Object.entries(odd)) {
      it(`${what} is a TypeError, and nothing is appended`, async () => {
        const { store } = await openForTest(open);
        await expect(store.append([commit(['a']), commit(['b'], given)], 0)).rejects.toThrow(TypeError);
        expect(store.head().position).toBe(0);
        expect(await appendAtHead(store, commit(['a']))).toMatchObject({ position: 1 });
      });
    }

    it('the same commit twice in one append is a TypeError', async () => {
      const { store } = await openForTest(open);
      const made = commit(['a']);
      await expect(store.append([made, made], 0)).rejects.toThrow(TypeError);
      expect(store.head().position).toBe(0);
    });

    it('an event that begins a stream is refused if the stream exists, one that continues it if it does not', async () => {
      const { store } = await openForTest(open);
      const [first, later] = [event('a', { begins: true }), event('a', { begins: false })];
      await refused(store, commit([later]));
      await refused(store, commit(['b', first]), commit([first]));
      await appendAtHead(store, commit(['b', first, later]), commit([later, 'a']));
      expect(store.streamHead('a')).toBe(4);
      await refused(store, commit(['new', first]));
      await refused(store, commit([event('new', { begins: false }), 'new']));
      expect(await appendAtHead(store, commit([later]))).toMatchObject({ position: 6 });
    });

    it('an event without `begins` may stand anywhere, and `begins` is not stored', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(
        store,
        commit([event('a', { begins: true }), event('a'), event('b'), event('a', { begins: false })]),
      );
      expect([...store.read()].some((stored) => 'begins' in stored)).toBe(false);
    });

    it('a closed log rejects appends, and can be closed again', async () => {
      const { store } = await openForTest(open);
      store.close();
      store.close();
      await expect(store.append([commit(['a'])], 0)).rejects.toThrow(Error);
    });
  });
}

async function refused(store: EventStore, ...commits: readonly Commit[]): Promise<void> {
  const before = { events: [...store.read()], head: store.head() };
  await expect(store.append(commits, before.head.position)).rejects.toThrow(OutOfSequence);
  expect({ events: [...store.read()], head: store.head() }).toEqual(before);
}

async function unchanged(store: EventStore, commits: readonly Commit[], expectedPosition: number) {
  const before = { events: [...store.read()], head: store.head() };
  const outcome = await store.append(commits, expectedPosition);
  expect({ events: [...store.read()], head: store.head() }).toEqual(before);
  return outcome;
}
