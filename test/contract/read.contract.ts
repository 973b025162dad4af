import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewEvent, ReadQuery, StoredEvent } from '#eventstore/port.ts';
import { commit, time } from '../support/commits.ts';
import { appendAtHead, type OpenStore, openForTest, positions } from '../support/store-fixture.ts';

/** Reading by range, stream, direction, limit and time. */
export function readContract(open: OpenStore): void {
  describe('read', () => {
    it('a range of positions includes both ends, and a limit bounds the number of events', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'b', 'c', 'd', 'e']));
      const read = (query: ReadQuery) => positions(store.read(query));
      expect(read({ from: 2, to: 4 })).toEqual([2, 3, 4]);
      expect(read({ from: 4 })).toEqual([4, 5]);
      expect(read({ to: 2 })).toEqual([1, 2]);
      expect(read({ limit: 2 })).toEqual([1, 2]);
      expect(read({ from: 2, limit: 2 })).toEqual([2, 3]);
      expect(read({ limit: 0 })).toEqual([]);
      expect(read({ from: 6 })).toEqual([]);
      expect(read({ from: 0, to: 99 })).toEqual([1, 2, 3, 4, 5]);
      expect(read({ from: 4, to: 2 })).toEqual([]);
    });

    it('a brief read cuts strings of more than 65,536 characters, and nothing else', async () => {
      const { store } = await openForTest(open);
      const sealed = {
        title: 'ü'.repeat(65_536),
        content: '“x” \\n\u0001😀'.repeat(60_000),
        none: null,
        no: false,
        yes: true,
        number: 1.5,
        list: ['"', 'ß'],
        members: { a: '😀', b: [] },
        excerpt: '',
      };
      const [event] = commit(['a']).events;
      const short = { ...event, stream: 'a', sealed: JSON.stringify({ content: '“short”' }) } as NewEvent;
      const long = { ...short, sealed: JSON.stringify(sealed) };
      await appendAtHead(store, { ...commit(['a']), events: [short, long] });
      const [first, second] = [...store.read({ stream: 'a', sealed: 'brief' })];
      expect(first).toEqual([...store.read({ stream: 'a' })][0]);
      const found = JSON.parse(second?.sealed ?? '');
      expect(sealed.content.startsWith(found.content) && found.content.length >= 1000).toBe(true);
      expect(found.content.length).toBeLessThan(2001);
      expect({ ...found, content: sealed.content }).toEqual(sealed);
      expect([...store.read({ from: 2 })][0]?.sealed).toBe(long.sealed);
    });

    it('a read without sealed texts has all the rest', async () => {
      const { store } = await openForTest(open);
      const [event] = commit(['a']).events;
      const sealed = JSON.stringify({ content: 'x'.repeat(100_000) });
      await appendAtHead(store, { ...commit(['a']), events: [{ ...event, sealed } as NewEvent, event as NewEvent] });
      const whole = [...store.read()];
      expect(whole[0]?.sealed).toBe(sealed);
      expect([...store.read({ sealed: 'none' })]).toEqual(whole.map((one) => ({ ...one, sealed: null })));
    });

    it('backwards, a read starts at `from` and goes down to `to`', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'b', 'c', 'd', 'e']));
      const read = (query: ReadQuery) => positions(store.read({ ...query, direction: 'backwards' }));
      expect(read({})).toEqual([5, 4, 3, 2, 1]);
      expect(read({ from: 4, to: 2 })).toEqual([4, 3, 2]);
      expect(read({ to: 4 })).toEqual([5, 4]);
      expect(read({ from: 2 })).toEqual([2, 1]);
      expect(read({ limit: 2 })).toEqual([5, 4]);
      expect(read({ from: 2, to: 4 })).toEqual([]);
    });

    it('a range of a stream is one of revisions', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'b', 'a', 'b', 'a', 'a']));
      const read = (query: ReadQuery) => positions(store.read({ ...query, stream: 'a' }));
      expect(read({})).toEqual([1, 3, 5, 6]);
      expect(read({ from: 2, to: 3 })).toEqual([3, 5]);
      expect(read({ direction: 'backwards', limit: 1 })).toEqual([6]);
      expect(read({ direction: 'backwards', from: 3, to: 2 })).toEqual([5, 3]);
      expect(read({ from: 5 })).toEqual([]);
    });

    it('stream names are compared exactly', async () => {
      const { store } = await openForTest(open);
      const names = ['entry-1', 'entry-10', 'Entry-1', 'entry-1 ', 'ėntry-1', ''];
      await appendAtHead(store, commit(names));
      const found = names.map((stream) => positions(store.read({ stream })));
      expect(found).toEqual(names.map((_, i) => [i + 1]));
    });

    it('a read sees the log as of the call, even when it is consumed later', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'a']));
      const [all, stream, backwards] = [{}, { stream: 'a' }, { direction: 'backwards' as const }].map(store.read);
      await appendAtHead(store, commit(['a']));
      expect([all, stream, backwards].map((events) => positions(events ?? []))).toEqual([
        [1, 2],
        [1, 2],
        [2, 1],
      ]);
    });

    it('appends between two steps of a read do not disturb it', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'b', 'c']));
      const seen: number[] = [];
      for (const { position } of store.read()) {
        seen.push(position);
        await appendAtHead(store, commit(['a']));
      }
      expect(seen).toEqual([1, 2, 3]);
      expect(store.head().position).toBe(6);
    });

    it('the result of a read can be iterated more than once, and left early', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'b', 'c']));
      const events = store.read();
      for (const _ of events) break;
      expect(positions(events)).toEqual([1, 2, 3]);
      expect(positions(events)).toEqual([1, 2, 3]);
      expect(await appendAtHead(store, commit(['a']))).toMatchObject({ position: 4 });
    });

    it('long reads are complete and in order, over the log and over a stream, both ways', async () => {
      const { store } = await openForTest(open);
      const streams = Array.from({ length: 3500 }, (_, k) => (k % 3 === 0 ? 'a' : 'b'));
      await appendAtHead(store, commit(streams));
      const all = streams.map((_, k) => k + 1);
      const ofB = all.filter((position) => streams[position - 1] === 'b');
      expect(positions(store.read())).toEqual(all);
      expect(positions(store.read({ direction: 'backwards' }))).toEqual(all.toReversed());
      expect(positions(store.read({ stream: 'b' }))).toEqual(ofB);
      expect(positions(store.read({ stream: 'b', direction: 'backwards' }))).toEqual(ofB.toReversed());
      expect(positions(store.read({ from: 500, limit: 2001 }))).toEqual(all.slice(499, 2500));
    });

    it('positionAt returns the position of the last commit at or before a time', async () => {
      const { store } = await openForTest(open);
      const times = [100, 100, 200, 300, 300, 300, 1500];
      await appendAtHead(store, ...times.map((ms) => commit(['a', 'b'], { at: time(ms) })));
      expect([99, 100, 199, 200, 299, 300, 1499, 1500, 9999].map((ms) => store.positionAt(time(ms)))).toEqual([
        0, 4, 4, 6, 6, 12, 12, 14, 14,
      ]);
      expect(store.positionAt('2026-01-01T00:00:01Z')).toBe(12);
      expect(store.positionAt('2026-01-01T02:00:00.100+02:00')).toBe(4);
      expect(() => store.positionAt('yesterday')).toThrow(RangeError);
    });
  });

  describe('read, any query', () => {
    const streams = ['a', 'b', 'a', 'c', 'b', 'a', 'a', 'b', 'c', 'a'];

    it('returns what filtering the whole log would', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(streams));
      const log = [...store.read()];
      const place = fc.integer({ min: -1, max: 12 });
      const query = fc.record(
        {
          stream: fc.constantFrom('a', 'b', 'c', 'd'),
          from: place,
          to: place,
          direction: fc.constantFrom('forwards' as const, 'backwards' as const),
          limit: fc.integer({ min: 0, max: 12 }),
        },
        { requiredKeys: [] },
      );
      const equal = fc.property(query, (q) => {
        expect([...store.read(q)]).toEqual(filtered(log, q));
      });
      fc.assert(equal, { numRuns: 300 });
    });
  });
}

function filtered(log: readonly StoredEvent[], query: ReadQuery): StoredEvent[] {
  const { stream, direction, limit = log.length } = query;
  const [low, high] = direction === 'backwards' ? [query.to, query.from] : [query.from, query.to];
  const found = log.filter((e) => {
    const place = stream === undefined ? e.position : e.revision;
    return (stream === undefined || e.stream === stream) && place >= (low ?? 0) && place <= (high ?? log.length);
  });
  return (direction === 'backwards' ? found.toReversed() : found).slice(0, limit);
}
