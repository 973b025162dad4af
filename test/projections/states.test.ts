import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryEvent } from '#domain/entry/events.ts';
import { changesEntry } from '#domain/entry/state.ts';
import { defineFollowing } from '#projections/kernel/define.ts';
import { toRecorded } from '#projections/kernel/events-until.ts';
import { runsOf, Tables } from '#projections/kernel/projection.ts';
import { statesOf } from '#projections/kernel/states.ts';
import { DamagedRow } from '#projections/kernel/sums.ts';
import { acts } from '../support/acts.ts';
import { live } from '../support/live.ts';

interface Changed {
  readonly count: number;
  readonly at: string;
}

/** How often each entry was changed, and the time of the last change. */
const changed = defineFollowing(
  statesOf<Changed, EntryEvent>({
    name: 'changed',
    version: 0,
    area: 'entry',
    evolve(state, { event, meta }) {
      if (event.type === 'EntryDeleted') return null;
      return changesEntry(event) ? { count: (state?.count ?? 0) + 1, at: meta.at } : state;
    },
  }),
);

function openTables(): Tables {
  const tables = new Tables(new DatabaseSync(':memory:'));
  tables.db.exec(changed.tables);
  return tables;
}

describe('a state for each stream', () => {
  it('is the same from its table and from the log, at any position', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node } = await live(sequence);
        const tables = openTables();
        const carry = changed.carry(tables);
        for (const stored of node.log.read()) {
          for (const run of runsOf([toRecorded(stored)])) carry(run);
          const then = changed.past(node.log, stored.position);
          for (let id = 1; id < 12; id++) expect(tables.of(changed).get(id)).toEqual(then.get(id));
        }
        await node.close();
      }),
      { numRuns: 10 },
    );
  });

  it('is not returned if its row is damaged, which a scan finds as well', () => {
    const tables = openTables();
    tables.of(changed).set(1, { count: 1, at: '2026-03-01' });
    tables.of(changed).set(2, { count: 3, at: '2026-03-02' });
    expect(() => [...changed.scan(tables, () => undefined)]).not.toThrow();
    tables.db.exec(`UPDATE changed SET state = replace(state, '3', '4') WHERE id = 2`);
    expect(tables.of(changed).get(1)).toEqual({ count: 1, at: '2026-03-01' });
    expect(() => tables.of(changed).get(2)).toThrow(DamagedRow);
    expect(() => [...changed.scan(tables, () => undefined)]).toThrow(DamagedRow);
  });
});
