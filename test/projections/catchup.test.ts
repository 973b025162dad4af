import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { catchUp } from '#projections/catchup.ts';
import { openProjections } from '#projections/database.ts';
import { Projector } from '#projections/projector.ts';
import { acts, perform } from '../support/acts.ts';
import { admin, dump, openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('catching up in slices', () => {
  it('ends each one with a whole commit, and all of them with the rows of one go', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 7 }), async (sequence, slice) => {
        const { node, directory } = await openTestNode();
        for (const act of sequence) {
          await node.store.submit(admin, (session) => {
            session.attempt(() => {
              const value = perform(session, act);
              return isRefusal(value) ? value : null;
            });
          });
        }
        const ends = new Set([...node.log.read()].flatMap(({ position, hash }) => (hash === null ? [] : position)));
        const elsewhere = temporaryDirectory();
        const db = openProjections(join(elsewhere, 'projections.db'));
        const projector = new Projector(db);
        const head = node.log.head().position;
        while (projector.checkpoint.position < head) {
          const to = projector.checkpoint.position + slice;
          catchUp({ log: node.log, db, projector, most: slice });
          expect(projector.checkpoint.position).toBeGreaterThanOrEqual(Math.min(to, head));
          expect(ends).toContain(projector.checkpoint.position);
        }
        db.close();
        await node.close();
        expect(dump(elsewhere)).toEqual(dump(directory));
      }),
      { numRuns: 15 },
    );
  });
});
