import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { openAuditWords, readAuditWords } from '#node/audit-words.ts';
import { reporterOf } from '#process/reporter.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const saved = { modified: '2026-03-01T12:00:00', modifiedGmt: '2026-03-01T12:00:00' };

/** A log of one post with so many titles. */
async function logOf(titles: number, name = 'c') {
  const log = openMemoryStore();
  const commits = Array.from({ length: titles }, (_, i) => ({
    ...{ id: `${name}-${i}`, at: '2026-03-01T12:00:00.000Z', actor: 1, correlationId: 'r', causationId: null },
    events: [
      {
        stream: 'entry-1',
        ...codec.encode({
          type: 'EntryRevised',
          data: { revision: null, ...saved, title: `unmistakable ${i}` },
        } as never),
      },
    ],
  }));
  await log.append(commits as never, 0);
  return log;
}

const bytesIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.startsWith('words.db'))
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('');

it('the index of words is made once somebody asks and it is worth it, and an erasure leaves nothing of it', async () => {
  const directory = temporaryDirectory();
  const small = await logOf(2000);
  const empty = temporaryDirectory();
  expect(readAuditWords(empty, small)).toBeUndefined();
  const few = openAuditWords(empty, small, reporterOf());
  expect([few.work(), few.position()]).toEqual([false, 0]);
  few.close();
  const log = await logOf(2001);
  const words = openAuditWords(directory, log, reporterOf());
  expect([words.work(), existsSync(join(directory, 'words.db'))]).toEqual([false, false]);
  // A command that asks is enough.
  expect(readAuditWords(directory, log)).toBeUndefined();
  while (words.work());
  expect([words.position(), words.find({ words: ['unmistak', '1999'] }, { low: 1, high: 3000 })]).toEqual([
    2001,
    [2000, 2001],
  ]);
  expect(bytesIn(directory)).toContain('unmistakabl');
  const reading = readAuditWords(directory, log);
  expect(reading?.position()).toBe(2001);
  reading?.close();
  words.forget();
  expect(words.position()).toBe(0);
  expect(bytesIn(directory)).not.toContain('unmistakabl');
  words.close();
  // Another log, such as that of a restored backup, makes it begin again.
  const again = openAuditWords(directory, log, reporterOf());
  while (again.work());
  expect(readAuditWords(directory, await logOf(2005, 'other'))?.position()).toBe(0);
  again.close();
});
