import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyChain } from '#eventstore/chain.ts';
import { isConflict } from '#eventstore/port.ts';
import { openLogCopy, openServingStore, openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event } from '../support/commits.ts';
import { cuttable } from '../support/power-cut.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('a power cut during writes to a log', () => {
  it('loses no acknowledged commit and leaves no partial one, whatever unsynced sectors the disk has', async () => {
    const sizes = fc.array(fc.array(fc.constantFrom(10, 700, 9000), { minLength: 1, maxLength: 4 }), {
      minLength: 5,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(sizes, fc.infiniteStream(fc.boolean()), async (commits, chances) => {
        const path = join(temporaryDirectory(), 'log.db');
        // The file exists on the disk first, as it does after a start.
        openSqliteStore({ path }).close();
        const { disks, atSync, committed, cut } = cuttable(path);
        const store = openServingStore({ path, disks, walBytes: 60_000 });
        let acknowledged = store.head();
        const look = () => {
          const left = openSqliteStore({ path: cut(() => chances.next().value) });
          const head = left.head();
          expect(verifyChain(left.chain())).toEqual(head);
          expect(head.position).toBeGreaterThanOrEqual(acknowledged.position);
          const [last] = left.read({ from: acknowledged.position, to: acknowledged.position });
          expect(last?.hash ?? acknowledged.hash).toBe(acknowledged.hash);
          left.close();
        };
        atSync.push(() => {
          committed();
          look();
        });
        for (const lengths of commits) {
          const events = lengths.map((length) => event('a', { data: JSON.stringify('x'.repeat(length)), sealed: '1' }));
          const outcome = await appendAtHead(store, commit(events));
          if (isConflict(outcome)) throw new Error('a conflict');
          acknowledged = outcome;
          look();
        }
        store.close();
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  it('leaves a copy with a valid chain up to its head', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.boolean()), async (chances) => {
        const path = join(temporaryDirectory(), 'log.db');
        openSqliteStore({ path }).close();
        const { disks, committed, cut } = cuttable(path);
        const copy = openLogCopy({ path, disks, walBytes: 60_000 });
        for (let k = 0; k < 12; k++) {
          const staged = copy.stage([commit([event('a', { data: JSON.stringify('x'.repeat(3000 * k)) })])], k);
          if ('conflict' in staged) throw new Error('a conflict');
          await copy.take(() => staged);
          committed();
          const left = openLogCopy({ path: cut(() => chances.next().value) });
          expect(verifyChain(left.chain())).toEqual(left.head());
          left.close();
        }
        copy.close();
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
