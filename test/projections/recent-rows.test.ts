import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { entries } from '#projections/entries/definition.ts';
import { EntryTable } from '#projections/entries/store.ts';
import { noChanges } from '#projections/kernel/changes.ts';
import { toRecorded } from '#projections/kernel/events-until.ts';
import { Tables } from '#projections/kernel/projection.ts';
import { DamagedRow } from '#projections/kernel/sums.ts';
import { openProjections } from '#projections/projector/database.ts';
import { Projector } from '#projections/projector/projector.ts';
import { acts, perform } from '../support/acts.ts';
import { admin, openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('cached recent rows', () => {
  it('equal those in the file, within a transaction and after it', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node, directory } = await openTestNode();
        const file = new DatabaseSync(join(directory, 'projections.db'), { readOnly: true });
        const all = (table: EntryTable, next: number) =>
          Array.from({ length: next - 1 }, (_, i) => ({
            row: table.row(i + 1),
            written: table.written(i + 1),
            facets: table.facetsOf(i + 1),
          }));
        for (const act of sequence) {
          const { value: staged } = await node.store.submit(admin, (session) => {
            session.attempt(() => {
              const value = perform(session, act);
              return isRefusal(value) ? value : null;
            });
            return { next: session.next.nextId, rows: all(session.of(entries), session.next.nextId) };
          });
          const stored = all(new EntryTable(file), staged.next);
          expect(staged.rows).toEqual(stored);
          expect(all(node.store.reader.of(entries), staged.next)).toEqual(stored);
        }
        file.close();
        await node.close();
      }),
      { numRuns: 15 },
    );
  });

  it('let a save read its row once', async () => {
    const { node } = await openTestNode();
    const { reader } = node.store;
    await node.store.submit(admin, (session) => createEntry(session, post, { title: 'One', status: 'publish' }));
    const get = vi.spyOn(StatementSync.prototype, 'get');
    await node.store.submit(admin, (session) => saveEntry(session, 1, { title: 'Two' }));
    const whole = get.mock.results.filter(({ value }) => Array.isArray(value) && value.length > 30);
    get.mockRestore();
    expect(whole).toHaveLength(1);
    expect(reader.entry(1)?.title).toBe('Two');
    await node.close();
  });

  it('are kept until the transaction ends', async () => {
    const { node } = await openTestNode();
    await node.store.submit(admin, (session) => createEntry(session, post, { title: 'One', status: 'publish' }));
    const db = openProjections(join(temporaryDirectory(), 'projections.db'));
    const projector = new Projector(db);
    const table = new Tables(db).of(entries);
    db.exec('BEGIN IMMEDIATE');
    projector.apply([...node.log.read()].map(toRecorded), noChanges());
    projector.flush();
    db.exec("UPDATE entries SET title = 'Two'");
    expect(table.row(1)?.title).toBe('One');
    projector.saveCheckpoint();
    db.exec('COMMIT');
    expect(() => table.row(1)).toThrow(DamagedRow);
    db.close();
    await node.close();
  });
});
