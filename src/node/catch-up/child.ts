import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDirectory } from '#eventstore/lock.ts';
import { LogDamaged, LogInUse } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { tellParent } from '#process/child.ts';
import { reporterOf } from '#process/reporter.ts';
import { ChangeNotifier } from '#projections/kernel/changes.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';
import { removeProjections } from '#projections/projector/database.ts';
import { type Core, openCore } from '../core.ts';

/**
 * Catches up projections that are far behind, in a child process, whose memory is freed when it ends. Arguments: log, projections,
 * milliseconds between saves. Sends `{position, head}` to the parent.
 */
const [logPath = '', path = '', keepEvery] = process.argv.slice(2);
const parent = process.ppid;
/** Projections in the data directory are protected by the lock of its node; those built beside them need their own. */
const beside = basename(dirname(path)) === 'rebuild';
const unlock = beside ? await lock(dirname(path)) : () => undefined;
const log = openSqliteStore({ path: logPath, readOnly: true });
openFresh().close({ save: true });
log.close();
unlock();
process.disconnect?.();

async function lock(directory: string): Promise<() => void> {
  for (let tries = 1; ; tries++) {
    try {
      return lockDirectory(directory);
    } catch (error) {
      if (!(error instanceof LogInUse) || tries === 300) throw error;
      await sleep(100);
    }
  }
}

function openFresh(): Core {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof LogDamaged) || !beside) throw error;
    removeProjections(path);
    return open();
  }
}

function open(): Core {
  return openCore({
    log,
    path,
    cacheVersions: new CacheVersions(),
    notifier: new ChangeNotifier(),
    clock: Date.now,
    reporter: reporterOf({
      progress(position, head) {
        // The parent process was killed: the next start continues from what was saved.
        if (process.ppid !== parent) process.exit(1);
        tellParent({ position, head });
      },
    }),
    commitBytes: 0,
    keepEvery: keepEvery === undefined ? undefined : Number(keepEvery),
  });
}
