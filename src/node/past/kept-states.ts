import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type EventStore, LogDamaged } from '#eventstore/port.ts';
import { logUntil } from '#eventstore/until.ts';
import { isOtherProcess, startChild } from '#process/child.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { checkBelonging } from '#projections/projector/belonging.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import {
  isCurrent,
  loadCheckpoint,
  openProjections,
  openReader,
  removeProjections,
} from '#projections/projector/database.ts';
import { Projector } from '#projections/projector/projector.ts';

export interface StateSpec {
  readonly log: EventStore;
  /** Folder of the kept states; it can be deleted at any time. */
  readonly directory: string;
  readonly position: number;
  /** Milliseconds since 1970; orders the states by last use. */
  readonly clock: () => number;
  readonly onProgress?: (position: number, head: number) => void;
}

/** Folder of the kept states of a site. */
export function pastFolderOf({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, 'past');
}

interface Kept {
  readonly position: number;
  readonly path: string;
}

export interface InChildProcess extends Pick<StateSpec, 'directory' | 'position'> {
  readonly logPath: string;
  /** Ends the process; what it has built is useless. */
  readonly signal: AbortSignal;
  readonly onProgress: (position: number) => void;
}

const script = new URL('./keep.ts', import.meta.url);
const progress = z.object({ position: z.number() });
/** Minimum number of events between two intermediate states that are kept. */
const leastStride = 50_000;
/** Maximum number of states kept; each is about as large as the projections were then, without rendered texts. */
const max = 6;
const name = /^(\d+)\.db$/;
const unfinished = /^\d+\.db\.(\d+)\.new/;

/**
 * Builds the projections as of a position, in a file that never changes again, from the nearest kept state before it and the events
 * since. Rendered texts are left out and made on demand. Returns the path. Several processes may do this at once.
 */
export function keepState(spec: StateSpec): string {
  const { directory, position, clock } = spec;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${position}.db`);
  if (!isUsable(path, spec)) make(path, spec);
  const seconds = clock() / 1000;
  utimesSync(path, seconds, seconds);
  removeOldest(directory, position);
  return path;
}

/** Does that in a child process. Returns null when the process ended early. */
export async function keepStateInChildProcess(options: InChildProcess): Promise<string | null> {
  const { logPath, directory, position, signal, onProgress } = options;
  const { ended } = startChild(script, {
    args: [logPath, directory, String(position)],
    signal,
    onMessage: (message) => {
      const known = progress.safeParse(message);
      if (known.success) onProgress(known.data.position);
    },
  });
  const { status } = await ended;
  return status === 0 ? join(directory, `${position}.db`) : null;
}

function make(path: string, spec: StateSpec): void {
  const { directory, position } = spec;
  const before = milestoneBefore(spec);
  if (before > (nearestBelow(directory, position)?.position ?? 0)) keepState({ ...spec, position: before });
  const work = `${path}.${process.pid}.new`;
  for (;;) {
    const nearest = nearestBelow(directory, position);
    try {
      removeProjections(work);
      if (nearest !== null) copyFileSync(nearest.path, work, constants.COPYFILE_FICLONE);
      fold(work, spec);
      renameSync(work, path);
      return;
    } catch (error) {
      if (nearest === null || !isDamage(error)) throw error;
      rmSync(nearest.path, { force: true });
    } finally {
      removeProjections(work);
    }
  }
}

/** Catches a file up to the position; a file of another log is rebuilt. */
function fold(path: string, { log, position, onProgress }: StateSpec): void {
  const view = logUntil(log, position);
  let db = openProjections(path);
  if (!belongs(view, loadCheckpoint(db))) {
    db.close();
    removeProjections(path);
    db = openProjections(path);
  }
  try {
    catchUp({ log: view, db, projector: new Projector(db), render: false, ...(onProgress ? { onProgress } : {}) });
    // Readers then find everything in this one file.
    db.exec('PRAGMA journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Position of an intermediate state to keep on the way, which speeds up later states nearby; 0 for none. */
function milestoneBefore({ log, position }: StateSpec): number {
  const stride = leastStride * Math.ceil(position / (4 * leastStride));
  const milestone = Math.floor((position - 1) / stride) * stride;
  const [event] = milestone <= 0 ? [] : log.read({ from: milestone, limit: 1 });
  const end = event === undefined ? 0 : milestone + event.commit.n - 1 - event.commit.i;
  return end < position ? end : 0;
}

function nearestBelow(directory: string, position: number): Kept | null {
  const below = kept(directory).filter((one) => one.position < position);
  const [nearest] = below.sort((a, b) => b.position - a.position);
  return nearest ?? null;
}

function isUsable(path: string, { log, position }: StateSpec): boolean {
  if (!existsSync(path)) return false;
  try {
    const db = openReader(path);
    try {
      const checkpoint = loadCheckpoint(db);
      return isCurrent(db) && checkpoint.position === position && belongs(log, checkpoint);
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

function belongs(log: EventStore, checkpoint: Parameters<typeof checkBelonging>[1]): boolean {
  try {
    checkBelonging(log, checkpoint);
    return true;
  } catch (error) {
    if (error instanceof LogDamaged) return false;
    throw error;
  }
}

function removeOldest(directory: string, current: number): void {
  const others = kept(directory).filter(({ position }) => position !== current);
  const byUse = others.sort((a, b) => statSync(b.path).mtimeMs - statSync(a.path).mtimeMs);
  for (const { path } of byUse.slice(max - 1)) rmSync(path, { force: true });
  for (const file of readdirSync(directory)) {
    const pid = Number(unfinished.exec(file)?.[1] ?? 0);
    // A process makes one state at a time.
    if (pid !== 0 && !isOtherProcess(pid)) rmSync(join(directory, file), { force: true });
  }
}

function kept(directory: string): Kept[] {
  return readdirSync(directory).flatMap((file) => {
    const position = name.exec(file)?.[1];
    return position === undefined ? [] : { position: Number(position), path: join(directory, file) };
  });
}
