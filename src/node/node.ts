import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { prepareSite } from '#commands/first-start.ts';
import { startScheduler } from '#commands/scheduler.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import { type LimitedWrites, limitWrites } from '#commands/write-limit.ts';
import type { WriteMeter, Written } from '#commands/writer.ts';
import type { Config } from '#config.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { ChangedSetting } from '#domain/site/state.ts';
import type { ReplicaState } from '#eventstore/eventstoredb/replica.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { MediaFiles } from '#media/files.ts';
import { createGarbage, type Garbage } from '#media/garbage.ts';
import { createUploads, type Uploads } from '#media/uploads.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import { CacheVersions } from '#projections/cache-versions.ts';
import { ChangeNotifier } from '#projections/change-notifier.ts';
import { removeProjections, removeReplaced, replaceProjections } from '#projections/database.ts';
import type { ProjectionsHealth } from '#projections/health.ts';
import type { Model } from '#projections/model.ts';
import { positionOf } from '#projections/past/as-of.ts';
import type { Reader } from '#projections/reader.ts';
import { removeReplacedViews, replaceViews } from '#projections/views/saved.ts';
import { catchUpInChildProcess } from './catch-up/in-child-process.ts';
import { type CoreOptions, openCore } from './core.ts';
import { createErasing, type Erasing } from './erasure/erasing.ts';
import { startIdleWork } from './idle-work.ts';
import { type Engine, openEngine } from './open-log.ts';
import { forgetOrigins } from './origins.ts';
import { PastInChildProcess } from './past/in-child-process.ts';
import { Readiness } from './readiness.ts';
import { createMending } from './rebuild/mending.ts';
import { createRebuilding, type Rebuilding } from './rebuild/rebuilding.ts';
import type { Successor } from './rebuild/successor.ts';
import { type LastVerify, readLastVerify } from './verified.ts';

/** Everything behind the HTTP layer and the verbs: log, projections, writer. This file alone knows all parts. */
export interface Node {
  /** Settings of the site that are not what they were before this start. */
  readonly changedSettings: readonly ChangedSetting[];
  readonly log: EventStore;
  readonly store: Store;
  /** Why no request should be sent here now. */
  readonly readiness: Readiness;
  /** How the copy stands that this node has of a log that it shares with others; absent where the log is its own. */
  readonly replica?: ReplicaState;
  /** Starts what runs by itself: scheduled entries, idle work. */
  start(onError: (error: unknown) => void): void;
  /** Does a few milliseconds of work that can wait; false when there is none left. */
  work(): boolean;
  /** Makes damaged projections anew from the log; nothing is answered meanwhile. */
  rebuild(): Promise<void>;
  /** Finishes what was submitted and lets everything go. */
  close(): Promise<void>;
}

export interface Store {
  readonly reader: Reader;
  readonly cacheVersions: CacheVersions;
  readonly files: MediaFiles;
  readonly uploads: Uploads;
  readonly garbage: Garbage;
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>>;
  /** How many writes wait, and were turned away because too many did. */
  readonly writes: Pick<LimitedWrites, 'waiting' | 'turnedAway'>;
  /** The reader shows all that a session would see: nothing is being written, here or by another node. */
  isCurrent(): boolean;
  /** The site as it stood at a position or time. */
  at(asOf: string): Model | Refusal;
  /** Makes the projections anew while they serve. */
  readonly rebuilding: Rebuilding;
  /** Carries out what is to be erased. */
  readonly erasing: Erasing;
  /** What the operator settled for the plugin namespaces. */
  readonly plugins: PluginSettings;
  /** The log, for those who only read it. It may be ahead of the reader, but not for long. */
  readonly log: Pick<EventStore, 'read' | 'head' | 'positionAt'>;
  /** Who did what, as far as the reader shows the log. */
  readonly trail: TrailTable;
  /** How far the projections are. */
  health(): ProjectionsHealth;
  /** What `verify` found when it was last run here; null when it never was. */
  verified(): LastVerify | null;
  /** Position of the last write that was acknowledged here: nothing older is to be shown. */
  readonly owed: number;
  /** Calls back whenever the reader shows more of the log; answers how to stop that. */
  changed(listener: () => void): () => void;
}

export interface OpenOptions {
  readonly clock?: () => number;
  /** Leaves the settings of a site alone that is there already. */
  readonly keepSite?: boolean;
  /** Opens the log in a file. Default: the engine of the settings. */
  readonly openLog?: (path: string) => EventStore;
  /** How long a shared log is waited for. */
  readonly timings?: Partial<Timings>;
  /** Told of what goes wrong where nobody waits for an answer. */
  readonly onFault?: (error: unknown) => void;
  /** Told what an operator should know and need not act upon at once. */
  readonly onWarning?: (message: string) => void;
  /** Called while the projections catch up with a log that is far ahead of them. */
  readonly onProgress?: (position: number, head: number) => void;
  readonly meter?: WriteMeter;
  /** Where reasons not to send requests here are held. Default: one of the node's own. */
  readonly readiness?: Readiness;
  /** Entries that may be different from now before a position counts as far back. Default: 2000. */
  readonly near?: number;
}

/**
 * Opens a data directory and brings its projections up to date. Throws `LogInUse` when another process holds it,
 * `LogDamaged` when the log is not what was written.
 */
export async function openNode(config: Config, options: OpenOptions = {}): Promise<Node> {
  const { clock = Date.now, keepSite = false, onProgress = nothing, onFault = nothing, openLog, timings } = options;
  const { onWarning = nothing } = options;
  let engine: Engine | undefined;
  const openNow = async (path: string): Promise<Engine> => {
    const hooks = { onProgress, onFault, timings };
    engine = openLog === undefined ? await openEngine(config, path, hooks) : { log: openLog(path), shared: null };
    return engine;
  };
  const unlock = lockDirectory(config.dataDir);
  try {
    const { near, meter, readiness = new Readiness() } = options;
    const opening = {
      clock,
      openLog: openNow,
      keepSite,
      onProgress,
      onFault,
      onWarning,
      near,
      meter,
      readiness,
      unlock,
    };
    return await open(config, opening);
  } catch (error) {
    engine?.log.close();
    unlock();
    throw error;
  }
}

interface Opening {
  readonly clock: () => number;
  readonly openLog: (path: string) => Promise<Engine>;
  readonly keepSite: boolean;
  readonly onProgress: (position: number, head: number) => void;
  readonly onFault: (error: unknown) => void;
  readonly onWarning: (message: string) => void;
  readonly near: number | undefined;
  readonly meter: WriteMeter | undefined;
  readonly readiness: Readiness;
  readonly unlock: () => void;
}

async function open(config: Config, opening: Opening): Promise<Node> {
  const { clock, openLog, keepSite, onProgress, onFault, onWarning, near, meter, readiness, unlock } = opening;
  const logPath = join(config.dataDir, 'log.db');
  const { log, shared } = await openLog(logPath);
  const cacheVersions = new CacheVersions();
  const notifier = new ChangeNotifier();
  const path = join(config.dataDir, 'projections.db');
  const viewsPath = join(config.dataDir, 'views');
  const far = new PastInChildProcess({ log, logPath, directory: join(config.dataDir, 'past'), present: path });
  const mending = createMending({ rebuilding: () => rebuilding, readiness, onWarning, clock });
  const { commitBytes } = config;
  const parts = {
    ...{ log, path, viewsPath, cacheVersions, notifier, clock, onProgress, far, near, commitBytes, onFault, onWarning },
    ...{ onDamage: mending.report, meter },
  };
  const open = (kept?: CoreOptions['kept']) => openCore({ ...parts, kept });
  await catchUpInChildProcess({ logPath, path, head: log.head().position, onProgress });
  let core = open();
  shared?.onOthers(() => core.writer.follow());
  const start = { given: config.site, ownUrl: config.ownUrl, keep: keepSite };
  const prepare = (session: Session) => prepareSite(session, start);
  const prepared = await core.writer.submit(bySystem, prepare).catch((error: unknown) => {
    // A site that is there already is shown meanwhile.
    if (!(error instanceof LogUnavailable) || core.reader.configuredSite() === null) throw error;
    onFault(error);
    return null;
  });

  // Nodes that share a log share the folder of its files.
  const sharedAs = shared === null ? undefined : randomUUID();
  const files = new MediaFiles(join(config.dataDir, 'media'), { sharedAs });
  const isNamed = (hash: string) => core.reader.mediaTable.isNamed(hash);
  const stops: (() => void)[] = [];
  /** Set while other projections take the place of these: writes wait for that. */
  let taking: Promise<void> | null = null;
  const submit: Store['submit'] = async (context, work) => {
    // At once, and not when an append has been given up that was sent before and is not answered.
    if (shared?.replica.connected === false) throw new LogUnavailable('The event store cannot be reached');
    if (mending.isNeeded) throw new LogUnavailable('The projections are damaged and are being made again');
    if (taking === null) return core.writer.submit(context, work);
    await taking;
    return submit(context, work);
  };
  const writes = limitWrites(submit, config.writeQueue);
  /** Whatever is submitted is decided upon all of the log. */
  const refresh = () => submit(bySystem, () => undefined);
  /** Without a pause: no request sees anything of it. */
  const exchange = (successor: Successor) => {
    const { reader } = core;
    core.close({ save: false });
    successor.close();
    try {
      // Views that belong to no projections are made anew, those of wrong rows would stay.
      if (successor.viewsPath !== null) replaceViews(viewsPath, successor.viewsPath);
      replaceProjections(path, successor.path);
      return open({ reader, live: successor.live });
    } catch (error) {
      core = open();
      throw error;
    }
  };
  const rebuilding = createRebuilding({
    log,
    logPath,
    path,
    clock,
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
          await core.settle();
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
  const erasing = createErasing({
    log,
    trail: () => core.trail,
    markPath: join(config.dataDir, 'erased.json'),
    async renew() {
      await far.forget();
      await rebuilding.renew();
      // Those that were asked for meanwhile have the old files open.
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
    ...sharing(shared),
    store: {
      get reader() {
        return core.reader;
      },
      cacheVersions,
      files,
      uploads: createUploads({
        files,
        limit: config.uploadLimit,
        pixels: config.imagePixels,
        isNamed,
        refresh,
      }),
      garbage: createGarbage({ files, isNamed, refresh }),
      submit: writes.submit,
      writes,
      isCurrent: () => shared === null && taking === null && !core.writer.busy,
      rebuilding,
      erasing,
      plugins: config.plugins,
      log,
      get trail() {
        return core.trail;
      },
      health: () => core.health(),
      verified: () => readLastVerify(config.dataDir),
      get owed() {
        return core.writer.owed;
      },
      changed: (listener) => notifier.listen(listener),
      at(asOf) {
        const found = positionOf(asOf, { log, zone: core.reader.site().timezone });
        return isRefusal(found) ? found : core.past.at(found.position);
      },
    },
    start(onError) {
      const due = { due: (gmt: string) => core.reader.entries.due(gmt), nextDue: () => core.reader.entries.nextDue() };
      const idle = { work: () => core.work(), isBusy: () => core.writer.busy, onError };
      stops.push(startScheduler({ entries: due, writer: { submit }, clock, onError }), startIdleWork(idle));
      stops.push(erasing.start(onError));
    },
    work: () => core.work(),
    async rebuild() {
      await rebuilding.stop();
      await core.writer.idle();
      core.close({ save: false });
      removeProjections(path);
      core = open();
      cacheVersions.noteAll(core.reader.position);
      notifier.notify();
    },
    async close() {
      for (const stop of stops) stop();
      mending.close();
      await rebuilding.stop();
      await erasing.close();
      await core.writer.idle();
      far.close();
      core.close({ save: true });
      log.close();
      unlock();
    },
  };
}

/** What a node tells of a log that it shares; nothing where it does not. */
function sharing(shared: Engine['shared']): Pick<Node, 'replica'> {
  return shared === null ? {} : { replica: shared.replica };
}

const bySystem: WriteContext = { viewer: null, correlationId: 'start' };
const nothing = () => undefined;
