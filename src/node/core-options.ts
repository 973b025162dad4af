import type { AnswerAges } from '#commands/answer-ages.ts';
import type { WriteMeter } from '#commands/writer.ts';
import type { Tracing } from '#domain/kernel/tracing.ts';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import type { ChangeNotifier } from '#projections/kernel/changes.ts';
import type { CacheVersions } from '#projections/projector/cache-versions.ts';
import type { Live } from '#projections/reading/live.ts';
import type { ForeignFeeds, Model } from '#projections/reading/model.ts';
import type { Reader } from '#projections/reading/reader.ts';
import type { MakeView } from '#projections/views/views.ts';
import type { Integrity } from './integrity.ts';

/** Makes the ready answers for the states of a model. */
export type ViewMaker = (model: Model) => MakeView;

export interface ReadyAnswersOptions {
  /** Directory. */
  readonly path: string;
  readonly viewMaker: ViewMaker;
}

export interface CoreOptions {
  readonly log: EventStore;
  readonly path: string;
  /** Ready answers; absent: there are none. */
  readonly views?: ReadyAnswersOptions | undefined;
  /** Names of the interface. Default: those of the documentation. */
  readonly names?: InterfaceNames | undefined;
  /** Address of a network that delivers media while the cache cloud is on. Default: none. */
  readonly network?: string | null;
  /** Default: none can be had. */
  readonly feeds?: ForeignFeeds | undefined;
  readonly cacheVersions: CacheVersions;
  readonly notifier: ChangeNotifier;
  readonly clock: () => number;
  /** The same, for commits; see `WriterParts`. */
  readonly time?: () => number;
  readonly clockTolerance?: number;
  /** Default: empty. */
  readonly answerAges?: AnswerAges;
  /** Milliseconds between saves of a long replay; see `catchUp`. */
  readonly keepEvery?: number | undefined;
  /** Maximum size of one commit, in bytes. */
  readonly commitBytes: number;
  readonly reporter: Reporter;
  /** Called when a write was refused because the projections it was decided on contradict the log. */
  readonly onDamage?: (error: Error) => void;
  readonly integrity?: Integrity;
  /** As `WriterParts.isWatched`. */
  readonly isWatched?: () => boolean;
  readonly meter?: WriteMeter | undefined;
  readonly tracing?: Tracing | undefined;
  /** Reader and indexes to keep when switching to another file that contains at least as much: references to the reader stay valid. */
  readonly kept?: { readonly reader?: Reader; readonly live: Live } | undefined;
}
