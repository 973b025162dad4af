/**
 * Erases an entry of the site in a directory and pauses at a given moment, until it is killed:
 * `node erase-load.ts <directory> <id> <moment>`. Writes `there` to standard output at that moment. Moments: `ordered`,
 * `emptying` (half of the texts), `emptied`, the tasks after that, `rebuilt`.
 */
import { writeSync } from 'node:fs';
import { eraseEntry } from '#commands/erasure.ts';
import type { EventStore } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { someOrder } from './erasure-order.ts';
import { admin, openTestNode } from './node.ts';

const [directory = '', id = '', moment = ''] = process.argv.slice(2);

function pass(name: string): void {
  if (name !== moment) return;
  writeSync(1, 'there\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function openLog(path: string): EventStore {
  const log = openSqliteStore({ path });
  return {
    ...log,
    async erase(positions) {
      pass('ordered');
      await log.erase(positions.slice(0, Math.ceil(positions.length / 2)));
      pass('emptying');
      await log.erase(positions);
      pass('emptied');
    },
  };
}

const { node } = await openTestNode(directory, { openLog });
const { erasing, rebuilding } = node.store;
const look = () => {
  pass(rebuilding.state.ended?.outcome === 'replaced' ? 'rebuilt' : (erasing.task?.name ?? ''));
  setImmediate(look);
};
look();
await node.store.submit(admin, (session) => eraseEntry(session, Number(id), someOrder));
await erasing.finish(60_000);
