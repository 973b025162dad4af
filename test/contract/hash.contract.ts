import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commit, NewEvent } from '#eventstore/port.ts';
import { commit, event, time } from '../support/commits.ts';
import { appendAtHead, type OpenStore, openForTest, withStore } from '../support/store-fixture.ts';

/** The head hash covers everything that was ever appended. */
export function hashContract(open: OpenStore): void {
  const headHash = (...commits: readonly Commit[]) =>
    withStore(open, async (store) => (await appendAtHead(store, ...commits)).hash);
  const base = commit([event('a', { data: '{"a":1}' }), event('b', { data: '{"b":2}' })], { causationId: 'x' });

  describe('hash', () => {
    it('the same commits give the same head, however they are grouped into appends', async () => {
      const commits = ['a', 'b', 'a'].map((stream) => commit([stream, 'x']));
      const grouped = await headHash(...commits);
      const single = await withStore(open, async (store) => {
        for (const one of commits) await appendAtHead(store, one);
        return store.head().hash;
      });
      expect(single).toBe(grouped);
    });

    it('the hash is SHA-256 over the previous hash and the commit, in a fixed form', async () => {
      const made = commit([event('entry-1', { type: 'EntryCreated', data: '{"title":"Grüße"}' })], {
        id: '0193a5b0-0000-7000-8000-000000000001',
        at: time(0),
      });
      expect(await headHash(made)).toBe('a6f1aab8ce9d5b075a5ecc03b17463d8d71ca8626580ea21be3b3ad56d2d18bd');
    });

    const changes: Record<string, Partial<Commit>> = {
      'its id': { id: 'another' },
      'its time': { at: time(1) },
      'its actor': { actor: 2 },
      'the absence of an actor': { actor: null },
      'its correlation': { correlationId: 'another' },
      'its cause': { causationId: null },
      'the order of its events': { events: base.events.toReversed() },
      'one event less': { events: base.events.slice(0, 1) },
      'one event more': { events: [...base.events, event('a')] },
    };
    for (const [what, change] of Object.entries(changes)) {
      it(`a commit with a change in ${what} gives another head, and so does every commit after it`, async () => {
        expect(await headHash({ ...base, ...change })).not.toBe(await headHash(base));
        const next = commit(['n']);
        expect(await headHash({ ...base, ...change }, next)).not.toBe(await headHash(base, next));
      });
    }

    it('any change of an event gives another head', async () => {
      const before = await headHash(base);
      const change: fc.Arbitrary<Partial<NewEvent>> = fc.oneof(
        fc.record({ stream: fc.constantFrom('b', 'aa') }),
        fc.record({ type: fc.constantFrom('EntryCreated', 'Entry') }),
        fc.record({ v: fc.integer({ min: 2, max: 9 }) }),
        fc.record({ data: fc.json().filter((text) => text !== '{"a":1}') }),
        fc.record({ sealed: fc.json() }),
      );
      const changed = fc.asyncProperty(change, async (given) => {
        const events = base.events.map((e, i) => (i === 0 ? { ...e, ...given } : e));
        expect(await headHash({ ...base, events })).not.toBe(before);
      });
      await fc.assert(changed, { numRuns: 25 });
    });

    it('text that moves from one field into the next gives another head', async () => {
      const moved = (type: string, data: string) => headHash({ ...base, events: [event('a', { type, data })] });
      expect(await moved('T","', '1')).not.toBe(await moved('T', '","1'));
    });

    it('equal sealed texts have different digests, so that none can be guessed from another', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit([event('a', { sealed: '"s"' }), event('a', { sealed: '"s"' })]));
      const digests = Array.from(store.read(), (e) => e.sealedDigest);
      expect(new Set(digests).size).toBe(2);
    });
  });
}
