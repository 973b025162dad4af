import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { verifyChain } from '#eventstore/chain.ts';
import { LogDamaged } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event } from '../support/commits.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** The sample log: commits of two events each, with the position in the data of each event. */
const COMMITS = 400;
const EVENTS = 2 * COMMITS;

describe('a damaged event log is refused and left unchanged', () => {
  for (const position of [EVENTS, EVENTS - 1, EVENTS - 100]) {
    it(`when a byte of the data at position ${position} of ${EVENTS} is changed`, async () => {
      const path = await sampleLog();
      flip(path, `"mark ${position}."`);
      expect(refusal(path)).toBe(position - ((position + 1) % 2));
    });
  }

  it('when a byte of a time, a type or a hash near the end is changed', async () => {
    for (const mark of ['2026-01-01T00:00:00.799Z', 'entry-799EntryRevised', 'hash']) {
      const path = await sampleLog();
      flip(path, mark === 'hash' ? lastHash(path) : mark);
      expect(refusal(path)).toBeGreaterThanOrEqual(EVENTS - 1);
    }
  });

  it('when the last commit lacks its end, its middle or its start', async () => {
    for (const [sql, position] of [
      [`DELETE FROM events WHERE position = ${EVENTS}`, EVENTS - 1],
      [`DELETE FROM events WHERE position = ${EVENTS - 1}`, EVENTS - 1],
      [`DELETE FROM events WHERE position = ${EVENTS - 50}`, EVENTS - 50],
      ['DELETE FROM events WHERE position = 1', 1],
    ] as const) {
      const path = await sampleLog();
      tamper(path, sql);
      expect(refusal(path)).toBe(position);
    }
  });

  it('when an event near the end is rewritten without its hash chain', async () => {
    const path = await sampleLog();
    tamper(path, `UPDATE events SET data = '"forged"', id = id WHERE position = ${EVENTS - 20}`);
    expect(refusal(path)).toBe(EVENTS - 21);
  });

  it('when a sealed text near the end is replaced', async () => {
    const path = await sampleLog();
    tamper(path, `UPDATE events SET sealed = '"forged"' WHERE position = ${EVENTS - 6}`);
    expect(refusal(path)).toBe(EVENTS - 6);
  });

  it('when the file is truncated, at the first event that can no longer be read', async () => {
    const refusals: number[] = [];
    for (const part of [0.5, 0.7, 0.9]) {
      const path = await sampleLog();
      truncateSync(path, Math.floor(statSync(path).size * part));
      refusals.push(refusal(path));
    }
    const [half, more, max] = refusals;
    expect(half).toBeGreaterThan(EVENTS * 0.2);
    expect(more).toBeGreaterThan(half ?? EVENTS);
    expect(max).toBeGreaterThan(more ?? EVENTS);
  });

  it('when the file is empty', async () => {
    const path = await sampleLog();
    truncateSync(path, 0);
    expect(refusal(path)).toBe(1);
  });

  it('when the file is not a database, or is one of another program or a later version', async () => {
    const directory = temporaryDirectory();
    const [text, other] = [join(directory, 'text'), join(directory, 'other')];
    writeFileSync(text, 'Dear diary, '.repeat(1000));
    expect(refusal(text)).toBe(1);
    tamper(other, 'CREATE TABLE events (position INTEGER PRIMARY KEY)');
    expect(refusal(other)).toBe(1);
    const later = await sampleLog();
    tamper(later, 'PRAGMA user_version = 2');
    expect(refusal(later)).toBe(1);
  });

  it('when the file is missing but its write-ahead log exists', () => {
    const path = join(temporaryDirectory(), 'log.db');
    writeFileSync(`${path}-wal`, 'x');
    expect(() => openSqliteStore({ path })).toThrow(LogDamaged);
  });

  it('also after a crash, and the write-ahead log is not copied into it', async () => {
    const path = join(temporaryDirectory(), 'log.db');
    const store = openSqliteStore({ path });
    await appendAtHead(store, commit(['a', 'b']));
    tamper(path, 'DELETE FROM events WHERE position = 2');
    const crashed = join(temporaryDirectory(), 'log.db');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, crashed + suffix);
    store.close();
    const journal = readFileSync(`${crashed}-wal`);
    expect(refusal(crashed)).toBe(1);
    expect(journal.length).toBeGreaterThan(0);
    expect(readFileSync(`${crashed}-wal`).equals(journal)).toBe(true);
  });

  it('except when the damage is far back, which verifying the whole chain finds', async () => {
    const path = await sampleLog();
    flip(path, '"mark 120."');
    const store = openSqliteStore({ path });
    expect(verifyChain(store.chain())).toMatchObject({ position: 119 });
    store.close();
  });
});

async function sampleLog(): Promise<string> {
  const path = join(temporaryDirectory(), 'log.db');
  const store = openSqliteStore({ path });
  const commits = Array.from({ length: COMMITS }, (_, k) => {
    const marked = [2 * k + 1, 2 * k + 2].map((position) =>
      event(`entry-${position}`, { data: `"mark ${position}."`, sealed: `"sealed ${position}"` }),
    );
    return commit(marked, { at: `2026-01-01T00:00:00.${String(2 * k + 1).padStart(3, '0')}Z` });
  });
  await appendAtHead(store, ...commits);
  store.close();
  return path;
}

function lastHash(path: string): string {
  const store = openSqliteStore({ path });
  const { hash } = store.head();
  store.close();
  return hash;
}

/** Changes one byte of the first occurrence of a text in the file. */
function flip(path: string, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes.writeUInt8(bytes.readUInt8(at + text.length - 2) ^ 1, at + text.length - 2);
  writeFileSync(path, bytes);
}

/** What somebody with access to the file can do. */
function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  for (const trigger of ['events_stay', 'events_are_final', 'sealed_texts_only_go']) {
    db.exec(`DROP TRIGGER IF EXISTS ${trigger}`);
  }
  db.exec(sql);
  db.close();
}

/** The position at which the log is refused. Asserts that the file is unchanged. */
function refusal(path: string): number {
  const before = readFileSync(path);
  let fault: unknown;
  try {
    openSqliteStore({ path }).close();
  } catch (error) {
    fault = error;
  }
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(fault).toBeInstanceOf(LogDamaged);
  return fault instanceof LogDamaged ? fault.position : 0;
}
