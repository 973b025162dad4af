import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { addressReader } from '#http/server/origin.ts';
import { openNodeFile } from '#node/node-file.ts';
import { forgetOrigins, readJournal } from '#node/origins.ts';
import { reporterOf } from '#process/reporter.ts';
import { openTestJournal } from '../support/journal.ts';
import { openTestNode } from '../support/node.ts';
import { carryOut } from '../support/place.ts';
import { type As, startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const day = 24 * 60 * 60 * 1000;
const neverFails = reporterOf({
  fault(error) {
    throw error;
  },
});

describe('the journal of origins', () => {
  it('finds a commit by position and correlation id, also in another process and after a restart', () => {
    const dataDir = temporaryDirectory();
    const options = { dataDir, clock: () => 0, days: 1, reporter: neverFails };
    const journal = openTestJournal(options);
    journal.note({ position: 5, correlationId: 'a', address: '203.0.113.7' });
    // A write without an effect has the same position.
    journal.note({ position: 5, correlationId: 'b', address: '198.51.100.1' });
    expect(journal.originOf({ position: 5, correlationId: 'a' })).toBe('203.0.113.7');
    expect(journal.originOf({ position: 5, correlationId: 'c' })).toBeNull();
    const beside = readJournal(dataDir);
    expect(beside.originOf({ position: 5, correlationId: 'b' })).toBe('198.51.100.1');
    beside.close();
    journal.close();
    const again = openTestJournal(options);
    expect(again.originOf({ position: 5, correlationId: 'a' })).toBe('203.0.113.7');
    again.close();
  });

  it('ignores a write that is answered after it was closed', () => {
    vi.useFakeTimers();
    try {
      const journal = openTestJournal({ dataDir: temporaryDirectory(), clock: () => 0, days: 1, reporter: neverFails });
      journal.close();
      journal.note({ position: 5, correlationId: 'a', address: '203.0.113.7' });
      expect(() => vi.runAllTimers()).not.toThrow();
    } finally {
      vi.useRealTimers();
    }
  });

  it('forgets origins past their retention', () => {
    const dataDir = temporaryDirectory();
    const open = (now: number) => openTestJournal({ dataDir, clock: () => now, days: 30, reporter: neverFails });
    const journal = open(0);
    journal.note({ position: 1, correlationId: 'a', address: '203.0.113.7' });
    journal.close();
    const known = (now: number) => {
      const later = open(now);
      const address = later.originOf({ position: 1, correlationId: 'a' });
      later.close();
      return address;
    };
    expect([known(30 * day), known(30 * day + 1)]).toEqual(['203.0.113.7', null]);
  });

  it('erases given origins from its files while it is open', () => {
    const dataDir = temporaryDirectory();
    const journal = openTestJournal({ dataDir, clock: () => 0, days: 1, reporter: neverFails });
    journal.note({ position: 5, correlationId: 'a', address: '203.0.113.7' });
    journal.note({ position: 6, correlationId: 'b', address: '198.51.100.1' });
    expect(journal.originOf({ position: 5, correlationId: 'a' })).toBe('203.0.113.7');
    const file = openNodeFile(dataDir, neverFails);
    forgetOrigins(dataDir, file, ['a', 'c']);
    file.close();
    const known = ['a', 'b'].map((correlationId, i) => journal.originOf({ position: 5 + i, correlationId }));
    expect(known).toEqual([null, '198.51.100.1']);
    const bytes = ['node.db', 'node.db-wal'].map((name) => readFileSync(join(dataDir, name), 'latin1')).join();
    expect([bytes.includes('203.0.113.7'), bytes.includes('198.51.100.1')]).toEqual([false, true]);
    journal.close();
  });

  it('may be missing, which leaves origins unknown', () => {
    const journal = readJournal(temporaryDirectory());
    expect(journal.originOf({ position: 1, correlationId: 'a' })).toBeNull();
    journal.close();
  });
});

describe('a write', () => {
  it('appears in the audit and its page with its client address, which alone is missing without the journal', async () => {
    const directory = temporaryDirectory();
    // The journal needs an existing site.
    await (await openTestNode(directory)).node.close();
    const journal = openTestJournal({ dataDir: directory, clock: Date.now, days: 1, reporter: neverFails });
    const origins = { addressOf: addressReader(['loopback']), ...journal };
    const site = await startSite({ directory, origins });
    const ask = async (as: As, request: string, body: unknown, address: string) =>
      (await site.call(as, request, body, { headers: { 'x-forwarded-for': address } })).status;
    expect(await ask('author', 'POST /posts', { title: 'Mine', content: 'c' }, '203.0.113.7')).toBe(201);
    expect(await ask('editor', 'PUT /posts/1', { content: 'Other' }, '2001:db8::1')).toBe(200);
    expect(await ask('subscriber', 'PUT /posts/1', { content: 'No' }, '198.51.100.1')).toBe(403);
    expect(await ask('editor', 'GET /posts/1', undefined, '198.51.100.1')).toBe(200);
    expect(await ask('editor', 'GET /posts/1?_method=PUT&sticky=1', undefined, '198.51.100.2')).toBe(200);
    const events = async () => {
      const { written } = await carryOut(directory, 'audit', { entry: '1', oldest: true }, { json: true });
      return written
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    journal.originOf({ position: 0, correlationId: '' });
    const told = await events();
    expect(told.map(({ who, type, from }) => [who, type, from])).toEqual([
      ['author', 'EntryCreated', '203.0.113.7'],
      ['editor', 'EntryRevised', '2001:db8::1'],
      ['editor', 'EntryStuck', '198.51.100.2'],
    ]);
    expect((await carryOut(directory, 'audit', { entry: '1' })).written).toContain(' from 2001:db8::1\n');
    const page = await fetch(`http://127.0.0.1:${site.port}/cms-audit/?entry=1`, {
      headers: { authorization: site.authorization('administrator') },
    });
    expect(await page.text()).toContain('from 203.0.113.7');
    journal.close();
    rmSync(join(directory, 'node.db'));
    expect(await events()).toEqual(told.map((event) => ({ ...event, from: null })));
    await site.close();
  });
});
