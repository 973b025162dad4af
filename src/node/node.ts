import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AnswerAges } from '#commands/answer-ages.ts';
import { Audience } from '#commands/audience.ts';
import { ClockLeapt, unlessLeapt } from '#commands/clock-guard.ts';
import { prepareSite } from '#commands/first-start.ts';
import { startScheduler } from '#commands/scheduler.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import { limitWrites } from '#commands/write-limit.ts';
import type { WriteMeter } from '#commands/writer-types.ts';
import type { Config } from '#config.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Tracing } from '#domain/kernel/tracing.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { entries } from '#projections/entries/definition.ts';
import { ChangeNotifier } from '#projections/kernel/change-notifier.ts';
import { isDamage, ProjectionsDamaged } from '#projections/kernel/damage.ts';
import { sealFile } from '#projections/kernel/seal.ts';
import { DamagedRow } from '#projections/kernel/sums.ts';
import { media } from '#projections/media/definition.ts';
import { positionOf } from '#projections/past/as-of.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';
import { removeReplaced, replaceProjections } from '#projections/projector/database.ts';
import { site } from '#projections/site/definition.ts';
import { users } from '#projections/users/definition.ts';
import { removeReplacedViews, replaceViews } from '#projections/views/saved.ts';
import { catchUpInChildProcess } from './catch-up/in-child-process.ts';
import { openClock } from './clock.ts';
import { type CoreOptions, openCore } from './core.ts';
import { createErasing } from './erasure/erasing.ts';
import { orderOwed } from './erasure/owed.ts';
import { moveDamagedAside } from './expendable.ts';
import { openFiles } from './files.ts';
import { openHookProgress } from './hook-progress.ts';
import { startIdleWork } from './idle-work.ts';
import { Integrity, removeDamaged } from './integrity.ts';
import { type Engine, openEngine } from './open-log.ts';
import { forgetOrigins } from './origins.ts';
import { openUses, watchAccounts } from './password-uses.ts';
import { PastInChildProcess } from './past/in-child-process.ts';
import { openPreloaded } from './preload.ts';
import { Readiness } from './readiness.ts';
import { createMending } from './rebuild/mending.ts';
import { createRebuilding } from './rebuild/rebuilding.ts';
import type { Successor } from './rebuild/successor.ts';
import { countRefused } from './refused-writes.ts';
import type { Node, OpenOptions, Store } from './types.ts';
import { readLastVerify } from './verified.ts';
import { WriteCheck } from './write-check.ts';

export type { Node, OpenOptions, Store } from './types.ts';

/**
 * Opens a data directory and brings its projections up to date. Throws `LogInUse` when another process holds it, `LogDamaged` when the
 * log is not as it was written.
 */
export async function openNode(config: Config, options: OpenOptions): Promise<Node> {
  const { clock = Date.now, keepSite = false, onProgress = nothing, onFault = nothing, openLog, timings } = options;
  const { onWarning = nothing, onInfo = nothing, near, meter, tracing, keepEvery } = options;
  let engine: Engine | undefined;
  const openNow = async (path: string): Promise<Engine> => {
    const hooks = { onProgress, onFault, onInfo, onWarning, timings };
    engine = openLog === undefined ? await openEngine(config, path, hooks) : { log: openLog(path), shared: null };
    return engine;
  };
  const unlock = lockDirectory(config.dataDir);
  try {
    const { readiness = new Readiness(), steady = options.clock } = options;
    const { answers } = options;
    const hooks = { onProgress, onFault, onWarning, onInfo, near, keepEvery, meter, tracing };
    const own = { clock, steady, openLog: openNow, keepSite, readiness, unlock, answers };
    return await open(config, { ...hooks, ...own });
  } catch (error) {
    engine?.log.close();
    unlock();
    throw error;
  }
}

interface Opening {
  readonly clock: () => number;
  readonly steady: (() => number) | undefined;
  readonly openLog: (path: string) => Promise<Engine>;
  readonly keepSite: boolean;
  readonly onProgress: (position: number, head: number) => void;
  readonly onFault: (error: unknown) => void;
  readonly onWarning: (message: string) => void;
  readonly onInfo: (message: string) => void;
  readonly near: number | undefined;
  readonly keepEvery: number | undefined;
  readonly meter: WriteMeter | undefined;
  readonly tracing: Tracing | undefined;
  readonly readiness: Readiness;
  readonly unlock: () => void;
  readonly answers: OpenOptions['answers'];
}

async function open(config: Config, opening: Opening): Promise<Node> {
  const { clock, steady, openLog, keepSite, onProgress, onFault, onWarning, near, meter, readiness, unlock } = opening;
  const logPath = join(config.dataDir, 'log.db');
  moveDamagedAside(config.dataDir, onWarning);
  const { log, shared } = await openLog(logPath);
  const cacheVersions = new CacheVersions();
  const notifier = new ChangeNotifier();
  const path = join(config.dataDir, 'projections.db');
  const viewsPath = join(config.dataDir, 'views');
  const far = new PastInChildProcess({ log, logPath, directory: join(config.dataDir, 'past'), present: path });
  const mending = createMending({ rebuilding: () => rebuilding, readiness, onWarning, clock });
  const integrity = new Integrity(readiness, onWarning);
  const report = (error: unknown) => {
    if (!isDamage(error)) return;
    if (error instanceof DamagedRow && !mending.isNeeded) integrity.note('rows', error.message);
    mending.report(error, { isCertain: error instanceof DamagedRow || !(error instanceof ProjectionsDamaged) });
  };
  const { commitBytes, clockTolerance, dataDir } = config;
  const compare = shared?.compareClock;
  const ownClock = openClock({ dataDir, tolerance: clockTolerance, readiness, onFault, clock, steady, compare });
  await ownClock.compare();
  const time = () => ownClock.guard.time();
  const probe = async () => {
    await log.probe?.();
    await refresh();
  };
  const writeCheck = new WriteCheck({ readiness, probe, checkPlace: () => log.checkPlace?.(), folder: config.dataDir });
  const noteFault = (error: unknown) => {
    // Damaged projections are no sign of a disk fault.
    if (mending.isNeeded) return;
    if (shared?.replica.connected !== false) writeCheck.failed(error);
  };
  const onUnheard = (error: unknown) => {
    noteFault(error);
    onFault(error);
  };
  const audience = new Audience(() => core.writer.hurry());
  const parts = {
    ...{ log, path, cacheVersions, notifier, clock, onProgress, far, near, commitBytes, onWarning },
    views: { path: viewsPath, viewMaker: opening.answers.viewMaker },
    ...{ names: config.names, network: config.plugins.cdn },
    ...{ time, clockTolerance, onFault: onUnheard, integrity, meter, tracing: opening.tracing },
    ...{ answerAges: new AnswerAges(ownClock.steady), isWatched: () => audience.isThere },
    onDamage: (error: Error) => (isDamage(error) ? report(error) : mending.report(error)),
  };
  const open = (kept?: CoreOptions['kept']) => openCore({ ...parts, kept });
  removeDamaged(path, { log, integrity });
  await catchUpInChildProcess({ logPath, path, head: log.head().position, keepEvery: opening.keepEvery, onProgress });
  let core = await openPreloaded(path, open, onWarning);
  shared?.onOthers(() => core.writer.follow());
  const start = { given: config.site, ownUrl: config.ownUrl, keep: keepSite };
  const prepare = (session: Session) => prepareSite(session, start);
  const prepared = await core.writer.submit(bySystem, prepare).catch((error: unknown) => {
    // An existing site is shown meanwhile.
    const waits = error instanceof LogUnavailable || error instanceof ClockLeapt;
    if (!waits || core.reader.of(site).get() === null) throw error;
    onFault(error);
    return null;
  });

  const known = () => core.reader.of(users).passwords();
  const uses = openUses({
    ...{ dataDir: config.dataDir, clock, addressDays: config.originDays, known, onError: onFault, onWarning },
  });
  const progress = openHookProgress(config.dataDir, onWarning);
  const isNamed = (hash: string) => core.reader.of(media).isNamed(hash);
  const stops: (() => void)[] = [];
  /** Set while other projections replace these: writes wait for it. */
  let taking: Promise<void> | null = null;
  const submit: Store['submit'] = async (context, work) => {
    // Refused at once, instead of after an earlier append without a response has timed out.
    if (shared?.replica.lost === true)
      throw new LogUnavailable('The event store cannot be reached', { isAnnounced: true });
    if (mending.isNeeded) throw new LogUnavailable('The projections are damaged and are being made again');
    if (taking !== null) {
      await taking;
      return submit(context, work);
    }
    try {
      return await core.writer.submit(context, work);
    } catch (error) {
      report(error);
      noteFault(error);
      throw error;
    }
  };
  const writes = limitWrites(
    countRefused(submit, () => shared?.noteRefused()),
    config.writeQueue,
  );
  const refresh = () => submit(bySystem, () => undefined);
  // Nodes that share a log share its files.
  const sharedAs = shared === null ? undefined : randomUUID();
  const kept = await openFiles({ config, sharedAs, integrity, onWarning, isNamed, refresh });
  const { files, uploads, garbage } = kept;
  const exchange = (successor: Successor) => {
    const { reader } = core;
    core.close({ save: false });
    successor.close();
    try {
      // Answers first: after a crash in between, new ones are rebuilt if they do not fit; old ones beside new rows would be kept.
      if (successor.viewsPath !== null) replaceViews(viewsPath, successor.viewsPath);
      replaceProjections(path, successor.path);
      return open({ reader, live: successor.live });
    } catch (error) {
      try {
        core = open();
      } catch (fault) {
        mending.begin(fault);
      }
      throw error;
    }
  };
  const rebuilding = createRebuilding({
    log,
    logPath,
    path,
    clock,
    ...{ names: config.names, priority: config.rebuildPriority, onInfo: opening.onInfo },
    script: opening.answers.rebuildScript,
    followed: () => core.followed(),
    async removeReplaced() {
      await removeReplaced(path);
      await removeReplacedViews(viewsPath);
    },
    async takeOver(successor, differs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      taking = promise;
      try {
        do {
          await core.writer.idle();
          // Whatever cannot be written to the old file is in the log.
          await core.settle().catch(onFault);
        } while (core.writer.busy);
        core = exchange(successor);
        if (differs) cacheVersions.noteAll(core.reader.position);
        notifier.notify();
      } finally {
        taking = null;
        resolve();
      }
    },
  });
  await orderOwed(config.dataDir, submit, onWarning);
  const erasing = createErasing({
    log,
    acts: () => core,
    markPath: join(config.dataDir, 'erased.json'),
    onWarning,
    async renew() {
      await far.forget();
      await rebuilding.renew();
      // States requested meanwhile have the old files open.
      await far.forget();
      cacheVersions.noteAll(core.reader.position);
      notifier.notify();
    },
    renewing: () => rebuilding.state.task,
    forgetOrigins: (correlationIds) => forgetOrigins(config.dataDir, correlationIds),
    removeFile: (hash) => files.remove(hash, isNamed),
  });
  return {
    log,
    changedSettings: prepared?.value ?? [],
    readiness,
    integrity,
    report,
    ...sharing(shared),
    store: {
      get reader() {
        return core.reader;
      },
      cacheVersions,
      files,
      uploads,
      garbage,
      submit: writes.submit,
      writes,
      isCurrent: () => shared === null && taking === null && !core.writer.busy,
      rebuilding,
      erasing,
      plugins: config.plugins,
      uses,
      hooks: { progress, isOn: config.webhooks, networks: config.webhookNetworks },
      log,
      get trail() {
        return core.trail;
      },
      followed: () => core.followed(),
      clock: ownClock.guard,
      health: () => core.health(),
      verified: () => readLastVerify(config.dataDir),
      get owed() {
        return core.writer.owed;
      },
      asked: () => audience.asked(),
      changed: (listener) => notifier.listen(listener),
      awaited: (listener) => audience.wait(notifier.listen(listener)),
      at(asOf) {
        const found = positionOf(asOf, { log, zone: core.reader.site().timezone });
        return isRefusal(found) ? found : core.past.at(found.position);
      },
    },
    start(onError) {
      const due = () => core.reader.of(entries);
      const idle = { work: () => !core.canWait && core.work(), isBusy: () => core.writer.isActive, onError };
      stops.push(
        startScheduler({ entries: due, writer: { submit }, clock: time, onError: unlessLeapt(onError) }),
        startIdleWork(idle),
      );
      stops.push(
        erasing.start(onError),
        () => writeCheck.stop(),
        ownClock.start(),
        watchAccounts({ uses, cacheVersions, notifier }),
      );
      writeCheck.start();
      const next = (hash: string) => core.reader.of(media).nextHash(hash);
      stops.push(kept.start(next, onError));
    },
    work: () => core.work(),
    async close() {
      for (const stop of stops) stop();
      ownClock.save();
      mending.close();
      await rebuilding.stop();
      await erasing.close();
      await core.writer.idle();
      far.close();
      uses.close();
      progress.close();
      core.close({ save: true });
      sealFile(path);
      kept.close();
      log.close();
      unlock();
    },
  };
}

/** The part of a node that describes a shared log; empty for a log of its own. */
function sharing(shared: Engine['shared']): Pick<Node, 'replica'> {
  return shared === null ? {} : { replica: shared.replica };
}

const bySystem: WriteContext = { viewer: null, correlationId: 'start' };
const nothing = () => undefined;
