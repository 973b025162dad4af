import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChainedEvent, verifyChain } from '#eventstore/chain.ts';
import { toRow } from '#eventstore/sqlite/row.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event } from '../support/commits.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const logPath = () => join(temporaryDirectory(), 'log.db');
const bytesOf = (path: string) => ['', '-wal'].map((suffix) => readFileSync(path + suffix).toString('latin1')).join();

/** Commits with one event for each length, whose text begins and ends with its number. */
const made = (lengths: readonly number[]) =>
  lengths.map((length, i) => commit([event('a', { sealed: JSON.stringify(`<${i}>${'-'.repeat(length)}<${i}>`) })]));

/** Writes events into a log file without overwriting deleted content, as early versions did. */
function writeCarelessly(path: string, events: readonly ChainedEvent[]): void {
  openSqliteStore({ path }).close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA secure_delete = OFF');
  for (const row of events.map(toRow)) db.prepare(`INSERT INTO events VALUES (${row.map(() => '?')})`).run(...row);
  db.close();
}

describe('a text erased from a log file', () => {
  it('is nowhere in its bytes, while all other texts are, whatever their lengths', async () => {
    const lengths = fc.array(fc.constantFrom(0, 10, 100, 3000, 9000, 40_000), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.infiniteStream(fc.boolean()), fc.boolean(), async (all, chosen, careless) => {
        const path = logPath();
        if (careless) {
          const memory = openMemoryStore();
          await appendAtHead(memory, ...made(all));
          writeCarelessly(path, [...memory.chain()]);
        }
        const store = openSqliteStore({ path });
        // One at a time, so that pages fill and split as in a log that grows.
        for (const one of careless ? [] : made(all)) await appendAtHead(store, one);
        const erased = all.map((_, i) => i).filter(() => chosen.next().value === true);
        await store.erase(erased.map((i) => i + 1));
        const bytes = bytesOf(path);
        expect(all.map((_, i) => bytes.includes(`<${i}>`))).toEqual(all.map((_, i) => !erased.includes(i)));
        expect(verifyChain(store.chain())).toEqual(store.head());
        store.close();
      }),
      { numRuns: 40 },
    );
  });

  it('is gone as soon as every earlier reader has closed the file', async () => {
    const path = logPath();
    const store = openSqliteStore({ path });
    await appendAtHead(store, ...made([10, 10]));
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN; SELECT * FROM events');
    reader.prepare('SELECT count(*) FROM events').get();
    const erased = store.erase([1]);
    await appendAtHead(store, commit(['b']));
    expect(bytesOf(path)).toContain('<0>');
    reader.close();
    await erased;
    expect(bytesOf(path)).not.toContain('<0>');
    expect(store.head().position).toBe(3);
    store.close();
  });
});
