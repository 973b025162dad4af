import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WriteAhead } from '#eventstore/write-ahead.ts';
import { cuttable } from '../support/power-cut.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const enough = 60_000;

/** A file whose rows tell how often it was written to. */
function openFile() {
  const path = join(temporaryDirectory(), 'file.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, version INTEGER, text TEXT)');
  const { disks, atSync, committed, cut } = cuttable(path);
  const writeAhead = new WriteAhead({ db, path, disks, enough });
  let version = 0;
  const put = db.prepare('INSERT INTO rows VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET version = excluded.version');
  /** One transaction: the rows get the next version, and row 0 says which that is. */
  function write(ids: readonly number[]): number {
    version += 1;
    db.exec('BEGIN');
    for (const id of [0, ...ids]) put.run(id, version, 'x'.repeat(1500));
    db.exec('COMMIT');
    committed();
    return version;
  }
  return { db, path, writeAhead, atSync, cut, write };
}

const found = (path: string) => {
  const db = new DatabaseSync(path);
  try {
    const { integrity_check: fault } = db.prepare('PRAGMA integrity_check').get() ?? {};
    const rows = db.prepare('SELECT id, version FROM rows ORDER BY id').all();
    return { fault, rows };
  } finally {
    db.close();
  }
};

describe('a file whose write-ahead log is checkpointed beside other work', () => {
  it('is intact after a power cut at any moment, with a state no older than the last checkpoint', async () => {
    const writes = fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }), {
      minLength: 5,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(writes, fc.infiniteStream(fc.boolean()), async (all, chances) => {
        const { db, writeAhead, atSync, cut, write } = openFile();
        const states = new Map<number, unknown>();
        let [min, version] = [0, 0];
        const look = () => {
          const { fault, rows } = found(cut(() => chances.next().value));
          expect(fault).toBe('ok');
          const reached = Number(rows[0]?.['version'] ?? 0);
          expect(reached).toBeGreaterThanOrEqual(min);
          expect(rows).toEqual(states.get(reached) ?? []);
        };
        atSync.push((of) => {
          // The write-ahead log is on the disk by now.
          if (of === 'file') min = version;
          look();
        });
        for (const ids of all) {
          await writeAhead.makeRoom();
          look();
          version = write(ids);
          states.set(version, db.prepare('SELECT id, version FROM rows ORDER BY id').all());
          look();
        }
        writeAhead.stop();
        db.close();
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  const some = Array.from({ length: 60 }, (_, i) => i + 1);

  it('has all that was written after each checkpoint, however large: another thread copies large ones', async () => {
    const { db, path, writeAhead } = openFile();
    const put = db.prepare('INSERT INTO rows VALUES (NULL, 1, ?)');
    let count = 0;
    for (const pages of [700, 5000, 700, 50, 700]) {
      db.exec('BEGIN');
      for (let i = 0; i < pages; i++) put.run('x'.repeat(4000));
      db.exec('COMMIT');
      count += pages;
      await writeAhead.checkpoint();
      const copy = join(temporaryDirectory(), 'copy.db');
      cpSync(path, copy);
      const { fault, rows } = found(copy);
      expect(fault).toBe('ok');
      expect(rows.length).toBe(count);
    }
    writeAhead.stop();
    db.close();
  });

  it('is checkpointed regularly, and its write-ahead log stays below twice the threshold', async () => {
    const { db, path, writeAhead, atSync, write } = openFile();
    let transfers = 0;
    atSync.push((of) => {
      if (of === 'file') transfers += 1;
    });
    for (let k = 0; k < 300; k++) {
      await writeAhead.makeRoom();
      write([1, 2, 3]);
    }
    // A commit writes two or three pages; a checkpoint is due after fifteen.
    expect(transfers).toBeGreaterThan(30);
    expect(transfers).toBeLessThan(90);
    expect(statSync(`${path}-wal`).size).toBeLessThan(2 * enough);
    writeAhead.stop();
    db.close();
  });

  it('has its write-ahead log synced in advance, so that a checkpoint waits briefly', async () => {
    const { db, writeAhead, atSync, write } = openFile();
    let [inAdvance, transfers] = [0, 0];
    atSync.push((of) => {
      if (of === 'file') transfers += 1;
      else if (!writeAhead.busy) inAdvance += 1;
    });
    for (let k = 0; k < 100; k++) {
      await writeAhead.makeRoom();
      write([1, 2, 3]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(inAdvance).toBeGreaterThan(2 * transfers);
    writeAhead.stop();
    db.close();
  });

  it('rejects the checkpoint and copies nothing after a sync in advance has failed', async () => {
    const { db, writeAhead, atSync, write } = openFile();
    let fails = true;
    atSync.push(() => {
      if (fails) throw new Error('EIO');
    });
    for (let k = 0; k < 5; k++) {
      await writeAhead.makeRoom();
      write([1]);
    }
    fails = false;
    await expect(writeAhead.checkpoint()).rejects.toThrow('EIO');
    expect(writeAhead.busy).toBe(true);
    await writeAhead.makeRoom();
    expect(writeAhead.busy).toBe(false);
    writeAhead.stop();
    db.close();
  });

  it('keeps the snapshot of a reader while the log grows, and the log’s size stays constant afterwards', async () => {
    const { db, path, writeAhead, write } = openFile();
    const reader = new DatabaseSync(path, { readOnly: true });
    write(some);
    reader.exec('BEGIN');
    const before = reader.prepare('SELECT version FROM rows').all();
    for (let k = 0; k < 20; k++) {
      await writeAhead.makeRoom();
      write(some);
    }
    expect(reader.prepare('SELECT version FROM rows').all()).toEqual(before);
    reader.exec('COMMIT');
    const { size } = statSync(`${path}-wal`);
    for (let k = 0; k < 20; k++) {
      await writeAhead.makeRoom();
      write(some);
    }
    expect(statSync(`${path}-wal`).size).toBe(size);
    writeAhead.stop();
    reader.close();
    db.close();
  });

  it('accepts no further write until the disk accepts a sync', async () => {
    const { db, atSync, write, writeAhead, path } = openFile();
    write(some);
    atSync.push(() => {
      throw new Error('EIO');
    });
    for (let k = 0; k < 2; k++) {
      await expect(writeAhead.makeRoom()).rejects.toThrow('EIO');
      expect(writeAhead.busy).toBe(true);
    }
    atSync.pop();
    await Promise.all([writeAhead.makeRoom(), writeAhead.makeRoom()]);
    expect(writeAhead.busy).toBe(false);
    // Starting a new log is left to SQLite, which syncs it only with this setting.
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
    writeAhead.stop();
    db.close();
    expect(found(path).rows).toHaveLength(61);
  });
});
