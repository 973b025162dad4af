import { unlessLeapt } from '#commands/clock-guard.ts';
import { startScheduler } from '#commands/scheduler.ts';
import { detach, guard, regularly } from '#process/guard.ts';
import type { Reporter } from '#process/reporter.ts';
import { entries } from '#projections/entries/definition.ts';
import { media } from '#projections/media/definition.ts';
import { FileDamaged } from './checked-file.ts';
import { keptFaults } from './data-files.ts';
import type { NodeParts } from './parts/parts.ts';
import { watchAccounts } from './password-uses.ts';
import { HistoryDiffers } from './tree/checkpoints.ts';

export interface IdleWork {
  /** Does a small piece of work. Returns false when none is left. */
  readonly work: () => boolean;
  /** True while commits come in: other work then has priority. */
  readonly isBusy: () => boolean;
  readonly reporter: Reporter;
  /** Minimum pause after a piece, as a multiple of its duration. Default: 0, pauses are short. */
  readonly restsFor?: number;
}

/** Starts what a node does besides answering: scheduled entries, idle work, erasures, checks. It ends with `scope`. */
export function startBackground(parts: NodeParts, scope: DisposableStack): void {
  const { projections, writes, clock, erasing, writeCheck, uses, cacheVersions, notifier, files } = parts;
  const { reporter } = parts.options;
  loadIndexes(parts).catch(reporter.fault);
  const time = () => clock.guard.time();
  const due = () => projections.core.reader.of(entries);
  scope.defer(startScheduler({ entries: due, writer: writes, clock: time, onError: unlessLeapt(reporter.fault) }));
  const work = () => !projections.core.canWait && projections.core.work();
  const isBusy = () => projections.core.writer.isActive;
  scope.defer(startIdleWork({ work, isBusy, reporter }));
  scope.defer(erasing.start());
  scope.defer(writeCheck.start());
  scope.defer(clock.start());
  scope.defer(startTree(parts));
  scope.defer(watchKeptFiles(parts));
  if (parts.config.checkpoints.every > 0) scope.defer(startCheckpoints(parts));
  const indexWords = () => !isBusy() && parts.auditWords.work();
  scope.defer(startIdleWork({ work: indexWords, isBusy, reporter, restsFor: 1 }));
  scope.defer(watchAccounts({ uses, cacheVersions, notifier }));
  scope.defer(files.start((hash) => projections.core.reader.of(media).nextHash(hash)));
}

/** Items are served meanwhile, so that a start is short; lists and searches would wait, so that the node is not ready. */
async function loadIndexes({ projections, readiness }: NodeParts): Promise<void> {
  readiness.hold('indexes_loading');
  try {
    await projections.core.load();
  } finally {
    readiness.release('indexes_loading');
  }
}

/** Events that the tree may be behind while writes arrive: some 20 ms of work for the checkpoint that needs them. */
const behind = 1000;

/** Milliseconds until the tree grows on after a fault. */
const pauseAfterFault = 10_000;

/** Grows the tree over the log, in pieces that are large enough not to cost much while writes arrive. */
function startTree({ projections, options: { reporter }, tree: { tree } }: NodeParts): () => void {
  const isBusy = () => projections.core.writer.isActive;
  let next = 0;
  const work = () => {
    if (performance.now() < next) return false;
    // Unless this comes to its end, there is a fault that lasts, such as a file that cannot be used.
    next = performance.now() + pauseAfterFault;
    const more = (!isBusy() || tree.missing > behind) && tree.grow();
    next = 0;
    return more;
  };
  return startIdleWork({ work, isBusy, reporter });
}

/**
 * Signs the log regularly, and at the end, unless the tree is still growing. A log that the latest checkpoint was not made of is not signed,
 * and the node is not ready.
 */
function startCheckpoints({ config, options, tree: transparency, readiness, integrity }: NodeParts): () => void {
  const { tree, keys, checkpoints } = transparency;
  const attempt = (work: () => void) => {
    try {
      if (tree.missing > 2 * behind) return;
      work();
      readiness.release('history_differs');
      integrity.noteKept('signing', []);
    } catch (error) {
      // It is reported once, and a warning as long as it lasts.
      if (error instanceof FileDamaged) return integrity.noteKept('signing', [error]);
      if (error instanceof HistoryDiffers) readiness.hold('history_differs', error.message);
      options.reporter.fault(error);
    }
  };
  const sign = () => attempt(() => checkpoints.make());
  const signAndPublish = () => {
    sign();
    detach(() => transparency.publish(), options.reporter.fault);
  };
  // Others can then ask for it, before there is a checkpoint.
  attempt(() => void (keys.isThere || keys.signer));
  const first = setTimeout(() => attempt(() => checkpoints.check()), 100).unref();
  const stop = regularly(signAndPublish, { pause: config.checkpoints.every }, options.reporter.fault);
  return () => {
    clearTimeout(first);
    stop();
    sign();
  };
}

/** Milliseconds until files that cannot be made again are read again, whether they are damaged or whole again. */
const betweenLooks = 60_000;

function watchKeptFiles({ config: { dataDir, checkpoints }, integrity, options: { reporter } }: NodeParts): () => void {
  const look = () => integrity.noteKept('files', keptFaults({ dataDir, given: checkpoints.key }));
  guard(look, reporter.fault);
  return regularly(look, { pause: betweenLooks }, reporter.fault);
}

/** Does small pieces of work between requests, less beside writes, and regularly checks for new work. Returns a function that stops it. */
export function startIdleWork({ work, isBusy, reporter, restsFor = 0 }: IdleWork): () => void {
  let pause = 50;
  const step = () => {
    const begin = performance.now();
    let more = false;
    try {
      more = work();
    } finally {
      const took = performance.now() - begin;
      pause = more ? (isBusy() ? Math.max(20, took * 10) : Math.max(5, took * restsFor)) : 250;
    }
  };
  return regularly(step, { pause: () => pause }, reporter.fault);
}
