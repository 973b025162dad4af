import { describe, expect, it } from 'vitest';
import { commit, event } from '../support/commits.ts';
import { appendAtHead, type OpenStore, openForTest } from '../support/store-fixture.ts';

/** What engines with a persistent log promise besides. */
export function reopenContract(name: string, open: OpenStore): void {
  describe(`event log: ${name}, opened again`, () => {
    it('has the same events, head and streams, and accepts further appends', async () => {
      const { store, reopen } = await openForTest(open);
      await appendAtHead(store, commit(['a', event('b', { sealed: '"s"' })]), commit(['a']));
      const before = { events: [...store.read()], head: store.head() };
      const again = await reopen?.();
      if (again === undefined) throw new Error('This log cannot be opened again');
      expect({ events: [...again.read()], head: again.head() }).toEqual(before);
      expect(await appendAtHead(again, commit(['b']))).toMatchObject({ position: 4 });
      expect(again.streamHead('b')).toBe(2);
    });

    it('returns the same result for a repeated append as before it was closed', async () => {
      const { store, reopen } = await openForTest(open);
      const commits = [commit(['a', 'b']), commit(['a'])];
      const head = await appendAtHead(store, ...commits);
      const again = await reopen?.();
      expect(await again?.append(commits, 0)).toEqual(head);
      expect(again?.head()).toEqual(head);
    });
  });
}
