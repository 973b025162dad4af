import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { startChild } from '#process/child.ts';
import {
  isCurrent,
  loadCheckpoint,
  openReader,
  projectionsVersion,
  reachedIn,
  replaceProjections,
} from '#projections/projector/database.ts';
import { closeEnough, type RebuildJob, type RebuildMessage, type RebuildTask, rebuildMessage } from './types.ts';

export type RebuildFound = Omit<Extract<RebuildMessage, { kind: 'done' }>, 'kind' | 'version'>;

export interface Running {
  /** Runs `runAsChild`. */
  readonly script: URL;
  readonly signal?: AbortSignal;
  readonly onTask: (task: RebuildTask) => void;
}

// A replay allocates many short-lived objects: a larger young generation saves a tenth of its time.
const execArgv = ['--max-semi-space-size=64'];

// The child runs the files now on disk, which an upgrade may have changed under a running server.
const otherVersion = 'the program on disk is of another version than the server: start the server again';

/** Maximum milliseconds between Ctrl-C reaching the child and reaching this process. */
const timeout = 1000;

/**
 * Makes projections in a child process, whose memory is freed when it ends. Rejects when it ends without success, including an abort; what
 * it has written is kept for the next one.
 */
export async function runJob(
  job: Omit<RebuildJob, 'parent'>,
  { script, signal, onTask }: Running,
): Promise<RebuildFound> {
  let found: RebuildFound | null = null;
  let fault: string | null = null;
  const { ended } = startChild(script, {
    args: [JSON.stringify({ ...job, parent: process.pid } satisfies RebuildJob)],
    ...(signal === undefined ? {} : { signal }),
    execArgv,
    onMessage: (said) => {
      const { data: known } = rebuildMessage.safeParse(said);
      if (known === undefined || (known.kind === 'done' && known.version !== projectionsVersion)) fault = otherVersion;
      else if (known.kind === 'progress') onTask(known.task);
      else if (known.kind === 'failed') fault = known.fault;
      else found = { position: known.position, differences: known.differences };
    },
  });
  const { status, signal: name } = await ended;
  if (found !== null && fault === null && status === 0) return found;
  // Ctrl-C ended the child before it could ignore the signal; this process is about to get the same one.
  if (name === 'SIGINT' && signal?.aborted === false) {
    await once(signal, 'abort', { signal: AbortSignal.timeout(timeout) }).catch(() => undefined);
  }
  throw new Error(fault ?? `the process that rebuilds ended with ${name ?? status}`);
}

export interface ChildCatchUp {
  readonly logPath: string;
  readonly path: string;
  readonly head: number;
  readonly script: URL;
  /** Milliseconds between saves of a replay. Default: as in `catchUp`. */
  readonly keepEvery?: number | undefined;
  readonly onProgress: (position: number, head: number) => void;
}

/**
 * Catches projections up in a child process if they are far behind, so that health checks are answered meanwhile. Projections that are
 * unreadable or of another version are replaced once new ones have been built beside them. If the child is killed, another continues from
 * what it saved, as long as each makes progress. Other failures are left to the next process that opens the projections.
 */
export async function catchUpInChildProcess(options: ChildCatchUp): Promise<void> {
  const { path, head } = options;
  const position = positionOf(path);
  if (head - (position ?? 0) <= closeEnough) return;
  if (position !== null) return catchUp(options, path, ['follow']);
  const fresh = join(dirname(path), 'rebuild', 'projections.db');
  mkdirSync(dirname(fresh), { recursive: true, mode: 0o700 });
  await catchUp(options, fresh, ['replay', 'follow']);
  if (head - (positionOf(fresh) ?? 0) <= closeEnough) replaceProjections(path, fresh);
}

/** Catches projections up in a child process, however little is missing. Those of another version are made anew. */
export async function catchUpNow({
  logPath: log,
  path,
  script,
  signal,
  onProgress,
}: Omit<ChildCatchUp, 'head' | 'keepEvery'> & { readonly signal: AbortSignal }): Promise<void> {
  const onTask = ({ done, total, unit }: RebuildTask) => {
    if (unit === 'events') onProgress(done, total);
  };
  const job = { steps: ['follow'], projections: [], priority: 'normal', log, path, live: null, views: null } as const;
  await runJob(job, { script, signal, onTask });
}

async function catchUp(options: ChildCatchUp, path: string, steps: RebuildJob['steps']): Promise<void> {
  const { logPath: log, keepEvery, script, onProgress } = options;
  const files = { log, path, live: null, views: null };
  const job = { steps, projections: [], priority: 'normal', keepEvery, ...files } as const;
  const onTask = ({ done, total, unit }: RebuildTask) => {
    if (unit === 'events') onProgress(done, total);
  };
  for (let kept = -1; ; ) {
    const isDone = await runJob(job, { script, onTask }).then(
      () => true,
      () => false,
    );
    const reached = positionOf(path) ?? 0;
    if (isDone || reached <= kept) return;
    kept = reached;
  }
}

/** Returns the position that projections of this version contain, except perhaps the following ones; null if there are none. */
export function reachedByTables(path: string): number | null {
  return readIn(path, (db) => (isCurrent(db) ? loadCheckpoint(db).position : null));
}

function positionOf(path: string): number | null {
  return readIn(path, reachedIn);
}

function readIn(path: string, read: (db: DatabaseSync) => number | null): number | null {
  if (!existsSync(path)) return null;
  let db: DatabaseSync | null = null;
  try {
    db = openReader(path);
    return read(db);
  } catch {
    return null;
  } finally {
    db?.close();
  }
}
