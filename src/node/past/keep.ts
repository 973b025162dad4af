import { openSqliteStore } from '#eventstore/sqlite.ts';
import { tellParent } from '#process/parent.ts';
import { keepState } from './kept-states.ts';

/**
 * Puts a past state together, in a process of its own that can be ended at any time. Arguments: log, folder of kept
 * states, position. Sends `{position, head}` to whoever started it.
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
