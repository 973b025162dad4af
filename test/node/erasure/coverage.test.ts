import { describe, expect, it, vi } from 'vitest';
import { erasableBy, textsToErase } from '../../../src/node/erasure/coverage.ts';
import { commit, event } from '../../support/commits.ts';
import { openMemoryStore } from '../../support/memory/store.ts';
import { appendAtHead } from '../../support/store-fixture.ts';

// A plugin that stores letters, each of which has several subjects.
vi.mock(import('#catalogue/areas.ts'), async (original) => {
  const { areas } = await original();
  const { z } = await import('zod');
  const { defineEvent } = await import('#domain/kernel/event.ts');
  const { defineArea } = await import('#domain/plugins/area.ts');
  const { ofAddress, ofItem } = await import('#domain/kernel/subject.ts');
  const LetterReceived = defineEvent({
    type: 'LetterReceived',
    summary: 'Somebody wrote about an entry.',
    schema: z.object({ entry: z.int(), digest: z.string(), mail: z.string(), words: z.string() }),
    sealed: ['mail', 'words'],
    erased: { mail: '', words: '' },
    subjects: ({ data }) => [ofAddress(data.digest), ...ofItem(data.entry)],
  });
  return {
    areas: [...areas, defineArea({ name: 'letters', events: [LetterReceived], empty: {}, evolve: () => ({}) })],
  };
});

const letter = (entry: number, digest: string) =>
  event('plugin-letters', {
    type: 'LetterReceived',
    data: JSON.stringify({ entry, digest }),
    sealed: JSON.stringify({ mail: `${digest}@example.org`, words: 'Dear editor' }),
  });
const text = (stream: string) => event(stream, { sealed: JSON.stringify({ title: stream }) });
const answer = (body: object = {}, data: object = { own: true }) =>
  event('requests', {
    type: 'RequestAnswered',
    data: JSON.stringify(data),
    sealed: JSON.stringify({ body: JSON.stringify(body) }),
  });
const byUser = (actor: number) => ({ actor });

async function logOf(...commits: Parameters<typeof appendAtHead>[1][]) {
  const log = openMemoryStore();
  await appendAtHead(log, ...commits);
  const reached = (stream: string) =>
    textsToErase([{ stream, position: log.head().position + 1, id: '' }], { log, trail: null });
  return { log, reached };
}

describe('an order to erase', () => {
  it('reaches a text by each of its subjects: the entry, or an address without a stream', async () => {
    const { reached } = await logOf(
      commit([text('entry-7'), letter(7, 'ada')]),
      commit([letter(8, 'ada'), letter(7, 'grace')]),
    );
    expect(await reached('address-ada')).toEqual([2, 3]);
    expect(await reached('address-grace')).toEqual([4]);
    expect(await reached('entry-7')).toEqual([1, 2, 4]);
    expect(await reached('address-nobody')).toEqual([]);
  });

  it('reaches stored answers to the subject, of commits about it, and that may show others', async () => {
    const { reached } = await logOf(
      commit([text('entry-7'), text('user-4'), answer()], byUser(3)),
      commit([letter(8, 'ada'), answer()], byUser(5)),
      commit([text('entry-9'), answer({ _embedded: {} })], byUser(6)),
      commit([text('entry-10'), answer({}, {})], byUser(7)),
    );
    expect(await reached('user-3')).toEqual([3, 7, 9]);
    expect(await reached('user-4')).toEqual([2, 3, 7, 9]);
    expect(await reached('address-ada')).toEqual([4, 5, 7, 9]);
    expect(await reached('entry-9')).toEqual([6, 7, 9]);
  });

  it('explains only the missing texts that it reached', async () => {
    const { log } = await logOf(commit([text('entry-7'), letter(7, 'ada')]), commit([letter(8, 'grace')]));
    const isGone = erasableBy([{ stream: 'address-ada' }]);
    expect([...log.read()].map(isGone)).toEqual([false, true, false]);
    expect([...log.read()].map(erasableBy([]))).toEqual([false, false, false]);
  });
});
