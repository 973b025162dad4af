import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import type { AuditQuery } from '#projections/audit/search.ts';
import { search } from '#projections/audit/search.ts';
import { WordIndex, wordIndexSchema } from '#projections/audit/word-index.ts';
import { wordsIn } from '#projections/audit/words.ts';
import { openMemoryStore } from '../../support/memory/store.ts';

const saved = { modified: '2026-03-01T12:00:00', modifiedGmt: '2026-03-01T12:00:00' };
const text = fc.constantFrom('a whale', 'whaling ships', '<p>Straße &amp; Café</p>', '鯨の話', 'the 2nd ship', '');
const change = fc.record({
  stream: fc.constantFrom('entry-1', 'entry-2'),
  actor: fc.constantFrom(1, 2),
  field: fc.constantFrom('title', 'content'),
  text,
});

async function logOf(changes: readonly { stream: string; actor: number; field: string; text: string }[]) {
  const log = openMemoryStore();
  const commits = changes.map(({ stream, actor, field, text: value }, i) => ({
    ...{ id: `c-${i}`, at: '2026-03-01T12:00:00.000Z', actor, correlationId: 'r', causationId: null },
    events: [
      {
        stream,
        ...codec.encode({ type: 'EntryRevised', data: { revision: null, ...saved, [field]: value } } as never),
      },
    ],
  }));
  await log.append(commits as never, 0);
  return log;
}

function indexOf(log: Awaited<ReturnType<typeof logOf>>): WordIndex {
  const db = new DatabaseSync(':memory:');
  db.exec(wordIndexSchema);
  return new WordIndex(() => db, log);
}

describe('the index of words', () => {
  it('changes nothing in what is found, however far it has come', async () => {
    const asked = fc.record(
      {
        words: fc.constantFrom('whal', 'whale', 'strasse', 'cafe', '話', '鯨の', 'ship 2nd', 'p').map(wordsIn),
        field: fc.constantFrom('title', 'content', 'slug'),
        actor: fc.constantFrom(1, 2),
        low: fc.nat(30),
        high: fc.nat(30),
        direction: fc.constantFrom('forwards' as const, 'backwards' as const),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 30 }),
        fc.nat(30),
        asked,
        async (changes, known, query: AuditQuery) => {
          const log = await logOf(changes);
          const trail = { position: () => log.head().position, find: everyPosition };
          const index = indexOf({
            ...log,
            head: () => ({ ...log.head(), position: Math.min(known, changes.length) }),
          } as never);
          while (index.grow());
          const found = (words: WordIndex | undefined) =>
            [...search(query, { log, trail, words })].flatMap((event) => event?.position ?? []);
          expect(found(index)).toEqual(found(undefined));
        },
      ),
    );
  });

  it('is of no use for another log, and is emptied as a whole', async () => {
    const log = await logOf([{ stream: 'entry-1', actor: 1, field: 'title', text: 'a whale' }]);
    const index = indexOf(log);
    while (index.grow());
    expect([index.position(), index.find({ words: ['whale'] }, { low: 1, high: 9 })]).toEqual([1, [1]]);
    index.clear();
    expect([index.position(), index.find({ words: ['whale'] }, { low: 1, high: 9 })]).toEqual([0, []]);
  });
});

/** A trail that rules nothing out; events are compared anyway. */
function everyPosition({ low, high, backwards }: { low: number; high: number; backwards: boolean }): number[] {
  const all = Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
  return backwards ? all.reverse() : all;
}
