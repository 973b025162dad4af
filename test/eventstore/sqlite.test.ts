import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { verifyChain } from '#eventstore/chain.ts';
import { type Commit, isConflict, LogUnavailable, OutcomeUnknown } from '#eventstore/port.ts';
import { type LogCopy, openLogCopy, openServingStore, openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event } from '../support/commits.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { appendAtHead, positions } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const logPath = () => join(temporaryDirectory(), 'log.db');
const big = (bytes: number) => commit([event('big', { data: JSON.stringify('x'.repeat(bytes)) })]);

describe('the log file', () => {
  it('is the only file of a closed log beside the one that records its head', async () => {
    const path = logPath();
    const store = openSqliteStore({ path });
    await appendAtHead(store, commit(['a']));
    store.close();
    expect(readdirSync(join(path, '..'))).toEqual(['head', 'log.db']);
  });

  it('holds the same log as the model, including hashes, when the salts are the same', async () => {
    const salts = () => {
      let k = 0;
      return () => (k++).toString(16).padStart(32, '0');
    };
    const sqlite = openSqliteStore({ path: logPath(), salt: salts() });
    const memory = openMemoryStore({ salt: salts() });
    for (let k = 0; k < 30; k += 1) {
      const made = commit(['a', event('b', { sealed: `"${k}"` }), event(`c-${k % 4}`, { sealed: '""' })]);
      await appendAtHead(sqlite, made);
      await appendAtHead(memory, made);
    }
    expect([...sqlite.chain()]).toEqual([...memory.chain()]);
    expect([...sqlite.read()]).toEqual([...memory.read()]);
    expect(sqlite.head()).toEqual(memory.head());
    sqlite.close();
  });

  it('seals long texts like short ones, and refuses the same malformed ones', async () => {
    const store = openServingStore({ path: logPath() });
    for (const sealed of ['x'.repeat(700_000), `a${'😀'.repeat(400_000)}`, 'é'.repeat(262_144)]) {
      await appendAtHead(store, commit([event('a', { sealed })]));
      expect([...store.read({ from: store.head().position })][0]?.sealed === sealed).toBe(true);
    }
    // The verification computes the digests itself.
    expect(verifyChain(store.chain())).toEqual(store.head());
    for (const wrong of ['\ud83d', '\ude00', '\0']) {
      const sealed = `${'x'.repeat(262_143)}${wrong}${'x'.repeat(9)}`;
      await expect(appendAtHead(store, commit([event('a', { sealed })]))).rejects.toThrow(TypeError);
    }
    store.close();
  });

  it('refuses changes and deletions by hand, except removing a sealed text with its salt', async () => {
    const path = logPath();
    const store = openSqliteStore({ path });
    await appendAtHead(store, commit([event('a', { sealed: '"secret"' })]));
    const db = new DatabaseSync(path);
    for (const sql of ['DELETE FROM events', "UPDATE events SET data = '{}'", 'UPDATE events SET sealed = \'"x"\'']) {
      expect(() => db.exec(sql)).toThrow('append-only');
    }
    db.exec('UPDATE events SET sealed = NULL, salt = NULL');
    db.close();
    expect([...store.read()]).toMatchObject([{ sealed: null, sealedDigest: expect.any(String) }]);
    expect(verifyChain(store.chain())).toEqual(store.head());
    store.close();
    const again = openSqliteStore({ path });
    expect(again.head()).toEqual(store.head());
    again.close();
  });

  it('never reveals salts with the events that are read', async () => {
    const store = openSqliteStore({ path: logPath() });
    await appendAtHead(store, commit([event('a', { sealed: '"s"' })]));
    expect([...store.read()].every((e) => !('salt' in e))).toBe(true);
    store.close();
  });
});

describe.each([
  ['', openSqliteStore],
  [' under a server', openServingStore],
])('a full disk%s', (_, openStore) => {
  it('refuses the whole append; a smaller one still succeeds, and the refused one does once there is space', async () => {
    const path = logPath();
    let store = openStore({ path, maxBytes: 400_000 });
    await appendAtHead(store, big(1000));
    const before = store.head();
    const commits = [commit(['a']), big(600_000)];
    await expect(store.append(commits, 1)).rejects.toThrow(LogUnavailable);
    expect(store.head()).toEqual(before);
    expect(positions(store.read())).toEqual([1]);
    expect(store.streamHead('a')).toBe(0);
    expect(await appendAtHead(store, commit(['b']))).toMatchObject({ position: 2 });
    store.close();

    store = openStore({ path });
    expect(isConflict(await store.append(commits, 2))).toBe(false);
    expect(verifyChain(store.chain())).toEqual(store.head());
    expect(positions(store.read({ stream: 'big' }))).toEqual([1, 4]);
    store.close();
  });

  it('refuses appends as long as it is full, while reads work', async () => {
    const store = openStore({ path: logPath(), maxBytes: 300_000 });
    let refusals = 0;
    for (let k = 0; k < 60; k += 1) {
      await store.append([big(10_000)], store.head().position).catch((error: unknown) => {
        expect(error).toBeInstanceOf(LogUnavailable);
        refusals += 1;
      });
    }
    expect(refusals).toBeGreaterThan(20);
    expect(positions(store.read())).toHaveLength(60 - refusals);
    expect(verifyChain(store.chain())).toEqual(store.head());
    store.close();
  });
});

const nothing = () => undefined;
const withWal = (sync: () => Promise<void>) => ({
  wal: { sync, check: nothing, descriptor: () => 0, close: nothing },
  file: { sync: () => Promise.resolve(), check: nothing, descriptor: () => 0, close: nothing },
  close: nothing,
});

describe('a disk that fails or delays a sync', () => {
  it('leaves the outcome of an append unknown, and the next append starts from what was stored', async () => {
    const path = logPath();
    const answers: (() => Promise<void>)[] = [() => Promise.reject(new Error('EIO')), () => Promise.resolve()];
    const store = openServingStore({ path, disks: withWal(() => answers.shift()?.() ?? Promise.resolve()) });
    await expect(store.append([commit(['a'])], 0)).rejects.toThrow(OutcomeUnknown);
    expect(await store.append([commit(['b'])], 0)).toMatchObject({ conflict: true, position: 1 });
    expect(await appendAtHead(store, commit(['b']))).toMatchObject({ position: 2 });
    expect(verifyChain(store.chain())).toEqual(store.head());
    store.close();
  });

  it('is waited for before an append is acknowledged, without blocking other work', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const store = openServingStore({ path: logPath(), disks: withWal(() => promise) });
    let answered = false;
    const append = store.append([commit(['a'])], 0).then(() => {
      answered = true;
    });
    await new Promise((done) => setTimeout(done, 20));
    expect([answered, store.head().position]).toEqual([false, 0]);
    resolve();
    await append;
    expect([answered, store.head().position]).toEqual([true, 1]);
    store.close();
  });
});

describe('the copy of a shared log', () => {
  const staged = (copy: LogCopy, ...commits: readonly Commit[]) => {
    const made = copy.stage(commits, copy.head().position);
    if ('conflict' in made) throw new Error('a conflict');
    return made;
  };

  it('stores each commit once, even if it arrives repeatedly and concurrently', async () => {
    const copy = openLogCopy({ path: logPath() });
    const [a, b] = [commit(['a']), commit(['b'])];
    const [one, both] = [staged(copy, a), staged(copy, a, b)];
    await Promise.all([copy.take(() => one), copy.take(() => both)]);
    await copy.take(() => one);
    expect(positions(copy.read())).toEqual([1, 2]);
    expect(copy.head().position).toBe(2);
    copy.close();
  });

  it('does not wait for the disk, because the shared log has the events', async () => {
    const never = new Promise<void>(() => undefined);
    const copy = openLogCopy({ path: logPath(), disks: withWal(() => never) });
    for (const stream of ['a', 'b']) {
      const made = staged(copy, commit([stream]));
      await copy.take(() => made);
    }
    expect(verifyChain(copy.chain())).toEqual(copy.head());
    expect(positions(copy.read())).toEqual([1, 2]);
    copy.close();
  });
});

describe('a log opened read-only', () => {
  it('can be read beside the process that appends, and refuses appends', async () => {
    const path = logPath();
    const writer = openSqliteStore({ path });
    await appendAtHead(writer, commit(['a', 'b']));
    const reader = openSqliteStore({ path, readOnly: true });
    expect([...reader.read()]).toEqual([...writer.read()]);
    await expect(reader.append([commit(['a'])], 2)).rejects.toThrow(LogUnavailable);
    reader.close();
    expect(await appendAtHead(writer, commit(['a']))).toMatchObject({ position: 3 });
    writer.close();
  });

  it('is not created when it is missing', () => {
    const path = logPath();
    expect(() => openSqliteStore({ path, readOnly: true })).toThrow(LogUnavailable);
    expect(existsSync(path)).toBe(false);
  });
});
