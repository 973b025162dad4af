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
import { commitOn, createHistories, showPast, standAt } from '#projections/kernel/versions.ts';
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
  commitOn(tables.db);
  createHistories(tables.db, changed);
  return tables;
}

function statesIn(tables: Tables): readonly (Changed | undefined)[] {
  return Array.from({ length: 12 }, (_, id) => tables.of(changed).get(id));
}

describe('a state for each stream', () => {
  it('is shown as of any position as it was then', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node } = await live(sequence);
        const tables = openTables();
        const carry = changed.carry(tables);
        const history: { readonly position: number; readonly states: readonly (Changed | undefined)[] }[] = [];
        for (const stored of node.log.read()) {
          commitOn(tables.db).since = stored.position - stored.commit.i;
          for (const run of runsOf([toRecorded(stored)])) carry(run);
          if (stored.hash !== null) history.push({ position: stored.position, states: statesIn(tables) });
        }
        showPast(tables.db, [changed], node.log);
        const past = new Tables(tables.db);
        for (const { position, states } of history) {
          standAt(tables.db, position);
          expect(statesIn(past)).toEqual(states);
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
