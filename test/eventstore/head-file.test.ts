import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHead } from '#eventstore/head-file.ts';
import { LogDamaged } from '#eventstore/port.ts';
import { openServingStore, openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit } from '../support/commits.ts';
import { eventually } from '../support/patience.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const logIn = (directory: string) => join(directory, 'log.db');

/** A directory as `kill -9` leaves it: the last commits are only in the write-ahead log. */
async function killed(commits: number): Promise<string> {
  const [directory, left] = [temporaryDirectory(), temporaryDirectory()];
  const store = openServingStore({ path: logIn(directory) });
  for (let i = 0; i < commits; i++) await appendAtHead(store, commit(['a', 'b']));
  for (const name of readdirSync(directory)) cpSync(join(directory, name), join(left, name));
  store.close();
  return left;
}

function contents(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => !name.endsWith('-shm'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), 'latin1')]));
}

describe('the file that records the head of a log', () => {
  it('covers every acknowledged commit after a kill, and the log opens', async () => {
    const directory = await killed(20);
    expect(readHead(logIn(directory))?.position).toBe(40);
    const store = openServingStore({ path: logIn(directory) });
    expect(readHead(logIn(directory))).toMatchObject({ position: 40, hash: store.head().hash });
    store.close();
  });

  it('reveals what is missing if any bit of the write-ahead log is flipped, and no file is changed', async () => {
    const left = await killed(12);
    const size = statSync(`${logIn(left)}-wal`).size;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: size - 1 }), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const directory = temporaryDirectory();
        for (const name of readdirSync(left)) cpSync(join(left, name), join(directory, name));
        const wal = readFileSync(`${logIn(directory)}-wal`);
        wal.writeUInt8(wal.readUInt8(at) ^ (1 << bit), at);
        writeFileSync(`${logIn(directory)}-wal`, wal);
        const before = contents(directory);
        expect(() => openServingStore({ path: logIn(directory) })).toThrow(/position 24 was stored: .* missing/);
        expect(contents(directory)).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });

  it('reveals that the write-ahead log or the whole log is missing, and no new log is created', async () => {
    const [without, gone] = [await killed(3), await killed(3)];
    rmSync(`${logIn(without)}-wal`);
    expect(() => openSqliteStore({ path: logIn(without) })).toThrow(/positions 1 to 6 are missing/);
    for (const suffix of ['', '-wal', '-shm']) rmSync(logIn(gone) + suffix, { force: true });
    expect(() => openServingStore({ path: logIn(gone) })).toThrow(LogDamaged);
    expect(readdirSync(gone)).toEqual(['head']);
  });

  it('prevents another log from being opened in place of this one', async () => {
    const [one, other] = [await killed(5), await killed(9)];
    cpSync(join(one, 'head'), join(other, 'head'));
    expect(() => openServingStore({ path: logIn(other) })).toThrow(/not the log whose head was noted/);
  });

  it('does not prevent opening when it is missing, damaged, truncated, foreign or a folder', async () => {
    const head = 'head';
    const spoil: ((path: string) => void)[] = [
      (path) => rmSync(path),
      (path) => truncateSync(path, 100),
      (path) => truncateSync(path, 0),
      (path) => writeFileSync(path, 'Dear diary'),
      (path) => writeFileSync(path, readFileSync(path, 'latin1').replaceAll('10:', '99:')),
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ];
    for (const change of spoil) {
      const directory = await killed(5);
      change(join(directory, head));
      const faults: unknown[] = [];
      const store = openServingStore({ path: logIn(directory), onFault: (error) => faults.push(error) });
      expect(await appendAtHead(store, commit(['c']))).toMatchObject({ position: 11 });
      store.close();
      const isFolder = statSync(join(directory, head)).isDirectory();
      expect(faults).toHaveLength(isFolder ? 1 : 0);
      if (!isFolder) expect(readHead(logIn(directory))?.position).toBe(11);
    }
  });

  it('survives damage to one of its two lines: the other one names the previous commit at least', async () => {
    const directory = await killed(5);
    const text = readFileSync(join(directory, 'head'), 'latin1');
    for (const line of [0, 1]) {
      writeFileSync(
        join(directory, 'head'),
        `${text.slice(0, line * 128)}${'x'.repeat(128)}${text.slice(line * 128 + 128)}`,
      );
      expect(readHead(logIn(directory))?.position).toBeGreaterThanOrEqual(8);
    }
  });
});

describe('a log without writes', () => {
  it('is soon copied completely from its write-ahead log into its file', async () => {
    const [directory, left] = [temporaryDirectory(), temporaryDirectory()];
    const store = openServingStore({ path: logIn(directory) });
    await appendAtHead(store, commit(['a', 'b']));
    await eventually(() => {
      rmSync(logIn(left), { force: true });
      cpSync(logIn(directory), logIn(left));
      cpSync(join(directory, 'head'), join(left, 'head'));
      openSqliteStore({ path: logIn(left) }).close();
    });
    expect(existsSync(logIn(left))).toBe(true);
    expect(await appendAtHead(store, commit(['a']))).toMatchObject({ position: 3 });
    store.close();
  });
});
