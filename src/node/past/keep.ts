import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { tellParent } from '#process/child.ts';
import { keepState } from './kept-states.ts';

/**
 * Builds a past state, in a child process that can be killed at any time. Arguments: log, folder of kept states, position. Sends
 * `{position, head}` to the parent.
 */
const [logPath = '', directory = '', at = ''] = process.argv.slice(2);
const log = openSqliteStore({ path: logPath, readOnly: true });
keepState({
  log,
  directory,
  position: Number(at),
  clock: Date.now,
  onProgress: (position, head) => tellParent({ position, head }),
});
log.close();
process.disconnect?.();
