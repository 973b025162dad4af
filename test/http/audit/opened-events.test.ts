import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReadQuery } from '#eventstore/port.ts';
import { type Site, startSite } from '../../support/site.ts';

/** Events with sealed texts that an answer may open for each line that it shows. */
const perLine = 8;
const versions = 120;

let site: Site;
let post = 0;

beforeAll(async () => {
  site = await startSite();
  post = await site.make('author', '/posts', { title: 'Only once', content: 'version 0', status: 'publish' });
  await site.call('author', `PUT /posts/${post}`, { excerpt: 'Long ago' });
  for (let i = 1; i < versions; i++) await site.call('author', `PUT /posts/${post}`, { content: `version ${i}` });
  await site.call('author', `PUT /posts/${post}`, { excerpt: 'At last' });
  await site.node.store.followed();
});
afterAll(() => site.close());

/** Number of events whose texts were read while some work was done. */
async function openedBy(work: () => Promise<unknown>): Promise<number> {
  const { log } = site.node;
  const read = log.read.bind(log);
  let opened = 0;
  const spy = vi.spyOn(log, 'read').mockImplementation(function* (query?: ReadQuery) {
    for (const event of read(query)) {
      if (query?.sealed !== 'none') opened += 1;
      yield event;
    }
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return opened;
}

const audit = async (query: string) => (await site.call('administrator', `GET /audit?${query}`)).body;

describe('an answer of the audit about an item with a long history', () => {
  it.each([
    ['all events', 'per_page=20', 20],
    ['an item', 'entry=1&per_page=20', 20],
    ['one line', 'per_page=1', 1],
    ['many lines', 'per_page=100', 100],
  ])('opens events in proportion to what it shows: %s', async (_, query, lines) => {
    const opened = await openedBy(() => audit(query));
    expect(opened).toBeGreaterThanOrEqual(lines);
    expect(opened).toBeLessThanOrEqual(perLine * (lines + 1));
  });

  it('and for a table as well', async () => {
    const authorization = site.authorization('administrator');
    const opened = await openedBy(async () => {
      const answer = await fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2/audit?per_page=20&format=csv`, {
        headers: { authorization },
      });
      expect((await answer.text()).split('\r\n').length).toBeGreaterThan(20);
    });
    expect(opened).toBeLessThanOrEqual(perLine * 21);
  });

  it('says what an item was called then, and what a field had been, however long ago that was set', async () => {
    const [last, before] = await audit('entry=1&per_page=2');
    expect(last.subject.title_then).toBe('Only once');
    expect(last.fields).toMatchObject([{ name: 'excerpt', before: 'Long ago', after: 'At last' }]);
    expect(before.fields).toMatchObject([{ name: 'content', after: `version ${versions - 1}` }]);
  });

  it('says the same of an event that the index does not list yet', async () => {
    await site.call('author', `PUT /posts/${post}`, { title: 'Called anew' });
    await site.call('author', `PUT /posts/${post}`, { content: 'after it' });
    const [now, renaming] = await audit('entry=1&per_page=2');
    expect(now.subject.title_then).toBe('Called anew');
    expect(now.fields).toMatchObject([{ before: `version ${versions - 1}`, after: 'after it' }]);
    expect(renaming.fields).toMatchObject([{ name: 'title', before: 'Only once', after: 'Called anew' }]);
  });
});
