import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commit, event } from '../support/commits.ts';
import { appendAtHead, type OpenStore, openForTest, withStore } from '../support/store-fixture.ts';

const sealed = (text: string, stream = 'a') => event(stream, { sealed: JSON.stringify({ text }) });

/** Erasing sealed texts. */
export function eraseContract(open: OpenStore): void {
  describe('erasing', () => {
    it('removes the sealed text of an event and leaves everything else in the log unchanged', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit([sealed('gone'), sealed('stays', 'b')]), commit([sealed('stays, too')]));
      const before = [...store.read()];
      const head = store.head();
      await store.erase([1]);
      expect([...store.read()]).toEqual(before.map((e) => (e.position === 1 ? { ...e, sealed: null } : e)));
      expect([...store.read({ stream: 'a' })].map((e) => e.sealed)).toEqual([null, '{"text":"stays, too"}']);
      expect(store.head()).toEqual(head);
    });

    it('may be repeated, and accepts events without a sealed text and an empty list', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit([sealed('gone'), event('b')]));
      const positions = [1, 2, 3];
      for (let times = 0; times < 2; times++) await store.erase(positions);
      await store.erase([]);
      expect([...store.read()].map((e) => e.sealed)).toEqual([null, null]);
    });

    it('leaves the log open for appends', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit([sealed('gone')]));
      await store.erase([1]);
      await appendAtHead(store, commit([sealed('new')]));
      expect([...store.read()].map((e) => e.sealed)).toEqual([null, '{"text":"new"}']);
    });

    it('changes exactly the texts that are named', async () => {
      const works = fc.record({
        sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
        named: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 8 }),
      });
      await fc.assert(
        fc.asyncProperty(works, ({ sizes, named }) =>
          withStore(open, async (store) => {
            const commits = sizes.map((size, at) =>
              commit(Array.from({ length: size }, (_, i) => sealed(`${at} ${i}`, `s${i % 2}`))),
            );
            await appendAtHead(store, ...commits);
            const before = [...store.read()];
            await store.erase(named);
            const after = before.map((e) => (named.includes(e.position) ? { ...e, sealed: null } : e));
            expect([...store.read()]).toEqual(after);
          }),
        ),
        { numRuns: 10 },
      );
    });
  });
}
