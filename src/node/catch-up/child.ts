import { openSqliteStore } from '#eventstore/sqlite.ts';
import { CacheVersions } from '#projections/cache-versions.ts';
import { ChangeNotifier } from '#projections/change-notifier.ts';
import { openCore } from '../core.ts';

/**
 * Brings projections that are far behind up to date, in a process of its own: what that takes of memory goes with
 * it. Arguments: log, projections. Sends `{position, head}` to whoever started it.
 */
const [logPath = '', path = ''] = process.argv.slice(2);
const log = openSqliteStore({ path: logPath, readOnly: true });
const core = openCore({
  log,
  path,
  cacheVersions: new CacheVersions(),
  notifier: new ChangeNotifier(),
  clock: Date.now,
  onProgress: (position, head) => process.send?.({ position, head }),
  far: null,
  commitBytes: 0,
});
core.close({ save: true });
log.close();
process.disconnect?.();
