import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogUnavailable, type ReadQuery } from '#eventstore/port.ts';
import { logUntil } from '#eventstore/until.ts';
import { commit, time } from '../support/commits.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { appendAtHead } from '../support/store-fixture.ts';

const anyStream = fc.constantFrom('a', 'b', 'c');
const anyCommits = fc.array(fc.array(anyStream, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
const place = fc.integer({ min: -1, max: 20 });
const anyRead: fc.Arbitrary<ReadQuery> = fc.record(
  {
    stream: anyStream,
    from: place,
    to: place,
    direction: fc.constantFrom('forwards' as const, 'backwards' as const),
    limit: fc.nat(6),
  },
  { requiredKeys: [] },
);

describe('a log as of a position', () => {
  it('reads as it did then, whatever was appended since', async () => {
    const property = fc.asyncProperty(anyCommits, fc.nat(11), fc.array(anyRead), async (all, cut, queries) => {
      const store = openMemoryStore({ salt: () => '0'.repeat(32) });
      const then = openMemoryStore({ salt: () => '0'.repeat(32) });
      const commits = all.map((streams, i) => commit(streams, { at: time(i * 1000) }));
      const early = commits.slice(0, cut % (all.length + 1));
      for (const one of commits) await appendAtHead(store, one);
      for (const one of early) await appendAtHead(then, one);
      const until = logUntil(store, then.head().position);
      expect(until.head()).toEqual(then.head());
      for (const query of queries) expect([...until.read(query)]).toEqual([...then.read(query)]);
      for (const stream of ['a', 'b', 'c']) expect(until.streamHead(stream)).toBe(then.streamHead(stream));
      for (const ms of [-1, 0, 2500, 99_000]) expect(until.positionAt(time(ms))).toBe(then.positionAt(time(ms)));
    });
    await fc.assert(property);
  });

  it('refuses appends', async () => {
    const store = openMemoryStore();
    await expect(logUntil(store, 0).append([commit(['a'])], 0)).rejects.toThrow(LogUnavailable);
    expect(store.head().position).toBe(0);
  });
});
