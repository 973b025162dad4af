import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RebuildPriority } from '#config.ts';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import type { EventStore } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import type { Reporter } from '#process/reporter.ts';
import { reachedByTables, runJob } from './child-process.ts';
import { discardPrepared, isUsable, type PreparedFiles, preparedBeside } from './prepared.ts';
import type { RebuildTask } from './types.ts';

export interface Preparing {
  readonly logPath: string;
  /** The live projections, which are only looked at. */
  readonly path: string;
  readonly names: InterfaceNames;
  readonly priority: RebuildPriority;
  /** Runs `runAsChild`. */
  readonly script: URL;
  readonly signal: AbortSignal;
  readonly reporter: Reporter;
  readonly onTask: (task: RebuildTask) => void;
}

/** Events that prepared projections may lack: a start applies them in a fraction of a second. */
const few = 500;
/** Milliseconds between two looks at the log. */
const pause = 1000;

/**
 * Makes projections of this version beside live ones of another, for the next start of this version, and brings them up again whenever they
 * lack more than a few events. Yields their position again and again while they are ready. Ends when the live ones are of this version. What a
 * process makes that is killed, the next one goes on with.
 */
export async function* prepareProjections(options: Preparing): AsyncGenerator<number, void> {
  const { path, signal } = options;
  const prepared = preparedBeside(path);
  for (let isFirst = true; reachedByTables(path) === null; isFirst = false) {
    if (isFirst) check(prepared, options);
    await bringUp(prepared, options);
    for (;;) {
      const reached = existsSync(prepared.mark) ? reachedByTables(prepared.path) : null;
      if (reached !== null && headOf(options) - reached > few) break;
      if (reached !== null) yield reached;
      await sleep(pause, undefined, { signal });
      // Taken by a start, or removed by an erasure.
      if (reached === null) break;
    }
  }
  if (reachedByTables(prepared.path) !== null) discardPrepared(prepared);
}

/** Removes what an earlier run has left and nobody can use. Throws `LogInUse` when another process prepares. */
function check(prepared: PreparedFiles, options: Preparing): void {
  if (!existsSync(prepared.folder)) return;
  const unlock = lockDirectory(prepared.folder);
  try {
    withLog(options, (log) => isUsable(prepared, { log, reporter: options.reporter }));
  } finally {
    unlock();
  }
}

async function bringUp(prepared: PreparedFiles, options: Preparing): Promise<void> {
  const { logPath: log, names, priority, script, signal, onTask } = options;
  const { folder, path, views, mark } = prepared;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const isMade = existsSync(mark) && reachedByTables(path) !== null;
  if (!isMade) rmSync(mark, { force: true });
  // A replay makes no use of saved indexes, which later rounds bring up.
  const begin = isMade ? [] : (['replay'] as const);
  const files = { log, path, live: null, views };
  const steps = [...begin, 'prepare', 'seal'] as const;
  try {
    await runJob({ steps, projections: [], names, priority, ...files }, { script, signal, onTask });
    writeFileSync(mark, '', { mode: 0o600 });
  } catch (error) {
    // Removed by an erasure: the log no longer has the texts that the next one is made from.
    if (signal.aborted || existsSync(folder)) throw error;
  }
}

function headOf(options: Preparing): number {
  return withLog(options, (log) => log.head().position);
}

function withLog<T>({ logPath: path }: Preparing, use: (log: EventStore) => T): T {
  const log = openSqliteStore({ path, readOnly: true });
  try {
    return use(log);
  } finally {
    log.close();
  }
}
