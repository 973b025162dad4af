import { constants, setPriority, uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readHead } from '#eventstore/head-file.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { type Head, LogInUse } from '#eventstore/port.ts';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { openMedia } from '#media/open.ts';
import { guardedTime } from '#node/clock.ts';
import { tellParent } from '#process/child.ts';
import { lowerToIdlePriority } from '#process/idle-priority.ts';
import { readConfig } from '../../config.ts';
import type { StartProgress } from '../progress.ts';
import { backUp, endOf, lockName } from './back-up.ts';
import type { BackupMessage } from './messages.ts';
import { openRepository } from './repository.ts';
import { ship } from './tail.ts';

/**
 * Backs up the site of a server in a child process: everything at intervals and, if configured, the end of the log every second. Sends
 * `Told` messages to the server and exits with it.
 */
process.umask(0o077);
const parent = process.ppid;
const config = readConfig(process.env);
const { backups, dataDir } = config;
const logPath = join(dataDir, 'log.db');
/** Milliseconds between two checks of the log's end, and after a failure. */
const pause = 1000;
const longPause = 10_000;

/** Set by the server's message that it stops: acknowledged events are shipped first. */
let isLast = false;
const stopping = new AbortController();
process.once('message', () => {
  isLast = true;
  stopping.abort();
});
const pauseFor = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

/** The last position that is on the disk. A copy of a shared log does not record it, but has only what the event store has. */
function endOfLog(): number {
  if (config.eventStoreUrl === null) return readHead(logPath)?.position ?? 0;
  const log = openLogReader(logPath);
  try {
    return log.top;
  } finally {
    log.close();
  }
}

const report = (message: BackupMessage) => tellParent(message);
const quiet: StartProgress = () => ({ at: async () => undefined, end: () => undefined });

if (backups !== null) {
  // Shipping must happen within seconds, even on a busy machine.
  if (backups.ships) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  else lowerToIdlePriority();
  const repository = await openRepository({ address: backups.to, key: config.backupKey });
  const media = await openMedia(config);
  const every = backups.every * 60_000;
  let line: { readonly line: string; readonly head: Head } | null = null;
  // By the time since the machine started: a wall clock that is wrong must not put backups off.
  const monotonicNow = () => uptime() * 1000;
  let due: number | null = null;

  const addBackup = async () => {
    const unlock = lockDirectory(join(dataDir, lockName));
    try {
      const now = () => guardedTime(config);
      const made = await backUp({ repository, config, keep: backups.keep, progress: quiet, now });
      due = monotonicNow() + every;
      if (made !== null) report({ kind: 'backup', ...made });
    } finally {
      unlock();
    }
  };

  const findLine = async () => {
    const found = await endOf(repository, logPath);
    const age = found === null ? every : guardedTime(config).getTime() - Date.parse(found.at);
    // The clock that made a backup in the future was wrong.
    due ??= monotonicNow() + (age < 0 ? 0 : Math.max(0, every - age));
    return found;
  };

  const round = async () => {
    line ??= await findLine();
    const isDue = !isLast && every > 0 && monotonicNow() >= (due ?? 0);
    if (isDue || (line === null && backups.ships && !isLast)) {
      await addBackup();
      line = await findLine();
    }
    if (!backups.ships || line === null) return;
    const at = Date.now();
    const end = endOfLog();
    if (end !== line.head.position) {
      line = { ...line, head: await ship({ repository, logPath, media, line: line.line, from: line.head }) };
    }
    report({ kind: 'shipped', position: line.head.position, at });
  };

  for (let more = true; more && process.ppid === parent && process.connected; ) {
    more = !isLast;
    try {
      await round();
      report({ kind: 'fault', message: null });
      await pauseFor(pause);
    } catch (error) {
      line = null;
      // A manual backup is running.
      if (!(error instanceof LogInUse)) report({ kind: 'fault', message: (error as Error).message });
      await pauseFor(error instanceof LogInUse ? pause : longPause);
    }
  }
}
process.exit(0);
