import { join } from 'node:path';
import type { Commit } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { appendAtHead } from './store-fixture.ts';
import { temporaryDirectory } from './temporary.ts';

/** Creates a data directory that contains only a log of the given commits. */
export async function directoryWith(...commits: readonly Commit[]): Promise<string> {
  const directory = temporaryDirectory();
  await appendTo(directory, ...commits);
  return directory;
}

/** Appends commits to the log in a data directory that no process has open. */
export async function appendTo(directory: string, ...commits: readonly Commit[]): Promise<void> {
  const store = openSqliteStore({ path: join(directory, 'log.db') });
  await appendAtHead(store, ...commits);
  store.close();
}

/** Returns the whole log in a data directory, including salts. */
export function logOf(directory: string) {
  const store = openSqliteStore({ path: join(directory, 'log.db'), readOnly: true });
  const events = [...store.chain()];
  store.close();
  return events;
}
