/**
 * Appends to a log as fast as it can until it is killed: `node append-load.ts <file> <head position>`. Each
 * acknowledged append is one line on standard output, with its position and hash.
 */
import { writeSync } from 'node:fs';
import { isConflict } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { commit, event } from './commits.ts';

const [path = ''] = process.argv.slice(2);
const store = openSqliteStore({ path });
for (let k = 0; ; k += 1) {
  const commits = Array.from({ length: 1 + (k % 3) }, (_, c) => {
    const n = 1 + ((k + c) % 5);
    return commit(
      Array.from({ length: n }, (_, i) => event(`entry-${(k + i) % 50}`, { data: '"x"'.padEnd(700), sealed: `${i}` })),
    );
  });
  const outcome = await store.append(commits, store.head().position);
  if (isConflict(outcome)) throw new Error('Somebody else appends');
  writeSync(1, `${outcome.position} ${outcome.hash}\n`);
}
