import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { checkpointElsewhere } from '#eventstore/checkpoint.ts';
import { eventually } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('a file whose checkpoints another thread makes', () => {
  it('gets what was committed, though no commit makes a checkpoint', async () => {
    const path = join(temporaryDirectory(), 'file.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (text TEXT)');
    checkpointElsewhere(db, path, (error) => {
      throw error;
    });
    const put = db.prepare('INSERT INTO rows VALUES (?)');
    // With a thousand pages, a commit would make a checkpoint by default.
    for (let i = 0; i < 1200; i++) put.run('x'.repeat(4000));
    const pages = () => db.prepare('PRAGMA wal_checkpoint(NOOP)').get();
    expect(pages()).toMatchObject({ checkpointed: 0 });
    await eventually(() => expect(pages()?.['checkpointed']).toBe(pages()?.['log']));
    db.close();
  });
});
