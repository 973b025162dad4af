import type { ClockGuard } from '#commands/clock-guard.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import type { LimitedWrites } from '#commands/write-limit.ts';
import type { WriteMeter, Written } from '#commands/writer-types.ts';
import type { HookProgress } from '#domain/hooks/progress.ts';
import type { Tracing } from '#domain/kernel/tracing.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { ChangedSetting } from '#domain/site/state.ts';
import type { LoginCounts, Readings } from '#domain/user/logins.ts';
import type { PasswordUses } from '#domain/user/state.ts';
import type { Completed } from '#eventstore/eventstoredb/completing.ts';
import type { ReplicaState } from '#eventstore/eventstoredb/replica.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { MediaFiles } from '#media/files.ts';
import type { Garbage } from '#media/garbage.ts';
import type { Uploads } from '#media/uploads.ts';
import type { ImageViews } from '#media/views.ts';
import type { Reporter } from '#process/reporter.ts';
import type { History } from '#projections/audit/history.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { WordIndex } from '#projections/audit/word-index.ts';
import type { ChangeListener } from '#projections/kernel/changes.ts';
import type { Past } from '#projections/past/past.ts';
import type { CacheVersions } from '#projections/projector/cache-versions.ts';
import type { ProjectionsHealth } from '#projections/projector/health.ts';
import type { Reader } from '#projections/reading/reader.ts';
import type { ViewMaker } from './core-options.ts';
import type { Erasing } from './erasure/erasing.ts';
import type { FeedsFile } from './foreign-feeds.ts';
import type { Integrity } from './integrity.ts';
import type { NodeFile } from './node-file.ts';
import type { Readiness } from './readiness.ts';
import type { Rebuilding } from './rebuild/rebuilding.ts';
import type { ProveState } from './tree/proving.ts';
import type { publicLogOf } from './tree/public-log.ts';
import type { Transparency } from './tree/transparency.ts';
import type { LastVerify } from './verified.ts';

/** Everything behind the HTTP layer and the verbs: log, projections, writer. */
export interface Node {
  readonly changedSettings: readonly ChangedSetting[];
  readonly log: EventStore;
  readonly store: Store;
  /** Why this node should not receive requests now. */
  readonly readiness: Readiness;
  readonly integrity: Integrity;
  /** Reports a fault met by a request; if it shows that the projections are damaged, they are rebuilt while the site serves. */
  report(error: unknown): void;
  /** State of this node's copy of a shared log; absent when the log is its own. */
  readonly replica?: ReplicaState;
  /** Gives the shared log what it lacks of this node's copy. */
  readonly completeLedger?: () => Promise<Completed>;
  /** Starts background work: scheduled entries, idle work. */
  start(): void;
  /** Does a few milliseconds of deferrable work. Returns false when none is left. */
  work(): boolean;
  close(): Promise<void>;
}

export interface HookService {
  readonly progress: HookProgress;
  readonly isOn: boolean;
  readonly networks: readonly string[];
}

export interface Store {
  readonly reader: Reader;
  readonly cacheVersions: CacheVersions;
  readonly files: MediaFiles;
  readonly uploads: Uploads;
  readonly garbage: Garbage;
  /** Images by address. */
  readonly views: ImageViews;
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>>;
  /** Counts of writes that are waiting, and of those turned away because too many were. */
  readonly writes: Pick<LimitedWrites, 'waiting' | 'turnedAway'>;
  /** True if the reader shows all that a session would see: nothing is being written, here or by another node. */
  isCurrent(): boolean;
  readonly past: Pick<Past, 'at' | 'asOf' | 'isLongAgo'>;
  readonly rebuilding: Rebuilding;
  readonly erasing: Erasing;
  readonly plugins: PluginSettings;
  /** What this node notes beside the log. */
  readonly nodeFile: NodeFile;
  readonly uses: PasswordUses;
  readonly feeds: FeedsFile;
  readonly logins: LoginCounts;
  readonly readings: Readings;
  readonly hooks: HookService;
  readonly publicLog: ReturnType<typeof publicLogOf>;
  readonly transparency: Transparency;
  readonly prove: ProveState;
  /** The log, for reading only. It may be slightly ahead of the reader. */
  readonly log: Pick<EventStore, 'read' | 'head' | 'positionAt'> & History;
  /** The actor of each event. It may lack the newest events until `followed` resolves. */
  readonly trail: TrailTable;
  /** Where words and changed fields are in the log. */
  readonly words: Pick<WordIndex, 'position' | 'find'>;
  /** Waits until following projections contain what the reader shows; returns undefined when they do. */
  followed(): Promise<void> | undefined;
  readonly clock: ClockGuard;
  health(): ProjectionsHealth;
  /** Result of the last `verify` here; null if there was none. */
  verified(): LastVerify | null;
  /** Position of the last write acknowledged here: no older state may be shown. */
  readonly acknowledged: number;
  /** Notes a reader: commits of other nodes are applied at once for a while. */
  asked(): void;
  /** Calls back whenever the reader shows more of the log. Returns a function that ends that. */
  changed(listener: ChangeListener): () => void;
  /** Like `changed`, for a waiting reader. */
  awaited(listener: () => void): () => void;
}

export interface OpenOptions {
  /** What makes ready answers, and the script of a child process that calls `runAsChild` with it. */
  readonly answers: { readonly viewMaker: ViewMaker; readonly rebuildScript: URL };
  readonly clock?: () => number;
  /** Monotonic clock, in milliseconds. Default: `clock` if given, else time since boot. */
  readonly monotonic?: (() => number) | undefined;
  readonly keepSite?: boolean;
  /** Opens the log in a file. Default: as configured. */
  readonly openLog?: (path: string) => EventStore;
  readonly timings?: Partial<Timings>;
  /** Default: nobody hears anything. */
  readonly reporter?: Partial<Reporter>;
  /** Milliseconds between saves of a long replay. Default: 5 seconds. */
  readonly keepEvery?: number | undefined;
  readonly meter?: WriteMeter;
  /** Receives the spans of writes. */
  readonly tracing?: Tracing;
  /** Where this node holds its reasons. Default: its own. */
  readonly readiness?: Readiness;
}
