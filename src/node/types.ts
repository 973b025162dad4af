import type { ClockGuard } from '#commands/clock-guard.ts';
import type { Session, WriteContext } from '#commands/session.ts';
import type { LimitedWrites } from '#commands/write-limit.ts';
import type { WriteMeter, Written } from '#commands/writer-types.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Tracing } from '#domain/kernel/tracing.ts';
import type { HookProgress } from '#domain/plugins/hooks/progress.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { ChangedSetting } from '#domain/site/state.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import type { ReplicaState } from '#eventstore/eventstoredb/replica.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { MediaFiles } from '#media/files.ts';
import type { Garbage } from '#media/garbage.ts';
import type { Uploads } from '#media/uploads.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import type { CacheVersions } from '#projections/cache-versions.ts';
import type { ProjectionsHealth } from '#projections/health.ts';
import type { Model } from '#projections/model.ts';
import type { Reader } from '#projections/reader.ts';
import type { Erasing } from './erasure/erasing.ts';
import type { Integrity } from './integrity.ts';
import type { Readiness } from './readiness.ts';
import type { Rebuilding } from './rebuild/rebuilding.ts';
import type { LastVerify } from './verified.ts';

/** Everything behind the HTTP layer and the verbs: log, projections, writer. */
export interface Node {
  readonly changedSettings: readonly ChangedSetting[];
  readonly log: EventStore;
  readonly store: Store;
  /** Why no request should be sent here now. */
  readonly readiness: Readiness;
  readonly integrity: Integrity;
  /** Takes note of a fault that an answer met: where it was a damaged row, the projections are made again meanwhile. */
  report(error: unknown): void;
  /** How the copy stands that this node has of a log that it shares with others; absent where the log is its own. */
  readonly replica?: ReplicaState;
  /** Starts what runs by itself: scheduled entries, idle work. */
  start(onError: (error: unknown) => void): void;
  /** Does a few milliseconds of work that can wait; false when there is none left. */
  work(): boolean;
  /** Rebuilds damaged projections from the log; nothing is answered meanwhile. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

export interface HookDesk {
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
  submit<T>(context: WriteContext, work: (session: Session) => T): Promise<Written<T>>;
  /** How many writes wait, and were turned away because too many did. */
  readonly writes: Pick<LimitedWrites, 'waiting' | 'turnedAway'>;
  /** The reader shows all that a session would see: nothing is being written, here or by another node. */
  isCurrent(): boolean;
  at(asOf: string): Model | Refusal;
  readonly rebuilding: Rebuilding;
  readonly erasing: Erasing;
  readonly plugins: PluginSettings;
  readonly uses: PasswordUses;
  readonly hooks: HookDesk;
  /** The log, for those who only read it. It may be ahead of the reader, but not for long. */
  readonly log: Pick<EventStore, 'read' | 'head' | 'positionAt'>;
  /** Who did what. It may lack the newest events until `followed`. */
  readonly trail: TrailTable;
  /** Resolves when following projections contain what the reader shows; undefined when they do. */
  followed(): Promise<void> | undefined;
  readonly clock: ClockGuard;
  health(): ProjectionsHealth;
  /** What `verify` found when it was last run here; null when it never was. */
  verified(): LastVerify | null;
  /** Position of the last write that was acknowledged here: nothing older is to be shown. */
  readonly owed: number;
  /** Somebody reads: what other nodes write is shown at once for a while. */
  asked(): void;
  /** Calls back whenever the reader shows more of the log; answers how to stop that. */
  changed(listener: () => void): () => void;
  /** The same for somebody who waits for it. */
  awaited(listener: () => void): () => void;
}

export interface OpenOptions {
  readonly clock?: () => number;
  /** Milliseconds by a clock that is never set. Default: since the machine was started, or `clock` where that is given. */
  readonly steady?: () => number;
  readonly keepSite?: boolean;
  /** Opens the log in a file. Default: the engine of the settings. */
  readonly openLog?: (path: string) => EventStore;
  readonly timings?: Partial<Timings>;
  /** Told of what goes wrong where nobody waits for an answer. */
  readonly onFault?: (error: unknown) => void;
  /** Told what an operator should know and need not act upon at once. */
  readonly onWarning?: (message: string) => void;
  /** Told what is worth a line and needs nobody to act. */
  readonly onInfo?: (message: string) => void;
  /** Called while the projections catch up with a log that is far ahead of them. */
  readonly onProgress?: (position: number, head: number) => void;
  /** Milliseconds after which a long replay keeps what it has. Default: 5 seconds. */
  readonly keepEvery?: number | undefined;
  readonly meter?: WriteMeter;
  /** Told of parts of writes. */
  readonly tracing?: Tracing;
  /** Where reasons not to send requests here are held. Default: one of the node's own. */
  readonly readiness?: Readiness;
  /** Entries that may be different from now before a position counts as far back. Default: 2000. */
  readonly near?: number;
}
