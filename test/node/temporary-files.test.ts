import { type FSWatcher, watch } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { entries } from '#projections/entries/definition.ts';
import { admin, openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Sets the folder of SQLite’s temporary files in this process; '' for its usual places. */
function keepTemporaryFilesIn(directory: string): void {
  const db = new DatabaseSync(':memory:');
  db.exec(`PRAGMA temp_store_directory = '${directory}'`);
  db.close();
}

describe('a save', () => {
  let watcher: FSWatcher | undefined;
  afterEach(() => {
    watcher?.close();
    keepTemporaryFilesIn('');
  });

  it('writes nothing outside the data directory, however much may have to be rolled back', async () => {
    const directory = temporaryDirectory();
    const { node } = await openTestNode();
    keepTemporaryFilesIn(directory);
    const seen: (string | null)[] = [];
    watcher = watch(directory, (_, name) => seen.push(name));
    const ids = Array.from({ length: 40 }, (_, i) => i + 1);
    const content = 'A text of some length. '.repeat(500);
    await node.store.submit(admin, (session) => {
      for (const id of ids) createEntry(session, post, { title: `Post ${id}`, content, status: 'publish' });
    });
    await node.store.submit(admin, (session) => {
      for (const id of ids) saveEntry(session, id, { content: `${id} ${content}` });
    });
    expect(node.store.reader.of(entries).texts(40)?.content).toBe(`40 ${content}`);
    await wait(50);
    expect(seen).toEqual([]);
    await node.close();
  });
});
