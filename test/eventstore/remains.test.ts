import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { overwriteRemains } from '#eventstore/sqlite/remains.ts';
import { disksOf, WriteAhead } from '#eventstore/write-ahead.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const wordOf = (id: number) => `<word ${id}>`;

/** A file with many rows that moved between pages, and where each was deleted or changed. */
function tableIn(path: string) {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA synchronous = OFF;
    CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, text TEXT) STRICT; CREATE INDEX by_word ON words (word)`);
  const put = db.prepare('INSERT OR REPLACE INTO words VALUES (?, ?, ?)');
  const drop = db.prepare('DELETE FROM words WHERE id = ?');
  let seed = 1;
  const random = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % end;
  };
  const ids: number[] = [];
  let next = 1;
  return {
    db,
    ids,
    /** Adds a row, and changes another. */
    act() {
      const id = (next++ * 7919) % 1_000_003;
      for (const each of [id, ids[random(ids.length + 1)] ?? id]) {
        put.run(each, `${random(1e6)}${wordOf(each)}`, wordOf(each).repeat(random(random(10) === 0 ? 500 : 40)));
      }
      ids.push(id);
    },
    dropFirst(count: number): number[] {
      const gone = ids.splice(0, count);
      for (const id of gone) drop.run(id);
      return gone;
    },
  };
}

it('leaves no bytes of deleted rows, wherever they were moved before, while others are written', async () => {
  const path = join(temporaryDirectory(), 'words.db');
  const { db, ids, act, dropFirst } = tableIn(path);
  const disks = disksOf(path);
  onTestFinished(() => {
    db.close();
    disks.close();
  });
  for (let i = 0; i < 2500; i++) act();
  const writeAhead = new WriteAhead({ db, path, disks });
  const gone = dropFirst(1200);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const remaining = () => {
    const bytes = ['', '-wal'].map((suffix) => readFileSync(path + suffix).toString('latin1')).join();
    return gone.filter((id) => bytes.includes(wordOf(id)));
  };
  expect(remaining()).not.toEqual([]);
  let isDone = false;
  const overwriting = overwriteRemains({
    ...{ db, path, disk: disks.file, writeAhead, gone: gone.slice(0, 3).map(wordOf) },
    alone: async (work) => work(),
    onProgress: () => undefined,
  }).finally(() => {
    isDone = true;
  });
  for (; !isDone; await turn()) act();
  expect(await overwriting).toBe(true);
  expect(remaining()).toEqual([]);
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(db.prepare('SELECT count(*) AS n FROM words').get()).toEqual({ n: ids.length });
});

it('tells that a row still contains a text', async () => {
  const path = join(temporaryDirectory(), 'words.db');
  const { db, ids, act } = tableIn(path);
  const disks = disksOf(path);
  onTestFinished(() => {
    db.close();
    disks.close();
  });
  for (let i = 0; i < 10; i++) act();
  const overwriting = overwriteRemains({
    ...{ db, path, disk: disks.file, writeAhead: new WriteAhead({ db, path, disks }), gone: [wordOf(ids[0] ?? 0)] },
    alone: async (work) => work(),
    onProgress: () => undefined,
  });
  expect(await overwriting).toBe(false);
});
