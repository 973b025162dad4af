import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockInTurn } from '#eventstore/lock.ts';
import { type EventStore, LogDamaged, LogInUse } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { breakSeal } from '#projections/kernel/seal.ts';
import { checkBelonging } from '#projections/projector/belonging.ts';
import { isCurrent, loadCheckpoint, openReader, replaceProjections } from '#projections/projector/database.ts';
import { replaceViews } from '#projections/views/saved.ts';
import { reachedByTables } from './child-process.ts';

/** Projections that another version has made beside the ones that serve, for its own next start; see `prepareProjections`. */
export interface PreparedFiles {
  readonly folder: string;
  readonly path: string;
  readonly views: string;
  /** Exists once everything was there: from then on, what works on them is soon done. */
  readonly mark: string;
}

export interface TakingPrepared {
  /** The live projections, and the directory of their ready answers. */
  readonly path: string;
  readonly viewsPath: string;
  readonly log: EventStore;
  readonly reporter: Reporter;
}

/** The prepared projections beside live ones. */
export function preparedBeside(path: string): PreparedFiles {
  const folder = join(dirname(path), 'prepared');
  return {
    folder,
    path: join(folder, 'projections.db'),
    views: join(folder, 'views'),
    mark: join(folder, 'ready'),
  };
}

/** Removes them: whoever makes them begins again. */
export function discardPrepared({ folder }: PreparedFiles): void {
  const old = `${folder}.old`;
  const remove = () => rmSync(old, { recursive: true, force: true, maxRetries: 3 });
  remove();
  // At once, so that a process that works on them finds nothing any more.
  if (existsSync(folder)) renameSync(folder, old);
  remove();
}

/**
 * Puts prepared projections of this version in the place of live ones of another. Those of a third version stay where they are; damaged ones,
 * and those of another log, are removed.
 */
export async function takePrepared(taking: TakingPrepared): Promise<void> {
  const prepared = preparedBeside(taking.path);
  const isThere = existsSync(prepared.path);
  const isWanted = isThere && reachedByTables(taking.path) === null;
  // A start that was killed has taken the rows: the rest is of no use.
  const isRest = !isThere && existsSync(prepared.folder);
  if (!isWanted && !isRest) return;
  try {
    const unlock = await lockInTurn(prepared.folder, () => isWanted && existsSync(prepared.mark));
    let isTaken = false;
    try {
      isTaken = isWanted && take(prepared, taking);
    } finally {
      unlock();
    }
    if (isTaken || isRest) discardPrepared(prepared);
  } catch (error) {
    // Then the start makes its own.
    const why = error instanceof LogInUse ? 'they are not ready yet' : String(error);
    if (isWanted) taking.reporter.warning(`the prepared projections in ${prepared.folder} are not taken: ${why}`);
  }
}

function take(prepared: PreparedFiles, { path, viewsPath, ...known }: TakingPrepared): boolean {
  if (!isUsable(prepared, known)) return false;
  // Answers first: beside other rows they are not used, and the next start finds the rows.
  if (existsSync(prepared.views)) replaceViews(viewsPath, prepared.views);
  replaceProjections(path, prepared.path);
  return true;
}

/** Whether prepared projections are of this version and can be used. Removes what nobody can use. To be called with their lock. */
export function isUsable(
  prepared: PreparedFiles,
  { log, reporter }: Pick<TakingPrepared, 'log' | 'reporter'>,
): boolean {
  if (!existsSync(prepared.path)) return false;
  const found = stateOf(prepared.path, log);
  if (found === 'usable' || found === 'of another version') return found === 'usable';
  reporter.warning(`the prepared projections in ${prepared.folder} are removed: ${found.fault}`);
  discardPrepared(prepared);
  return false;
}

function stateOf(path: string, log: EventStore): 'usable' | 'of another version' | { readonly fault: string } {
  try {
    const db = openReader(path);
    try {
      if (!isCurrent(db)) return 'of another version';
      checkBelonging(log, loadCheckpoint(db));
    } finally {
      db.close();
    }
    return breakSeal(path) ? 'usable' : { fault: 'they are damaged' };
  } catch (error) {
    if (error instanceof LogDamaged) return { fault: 'they are those of another log' };
    return { fault: `they are damaged (${error instanceof Error ? error.message : String(error)})` };
  }
}
