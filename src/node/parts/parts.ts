import type { Audience } from '#commands/audience.ts';
import type { LimitedWrites } from '#commands/write-limit.ts';
import type { Config } from '#config.ts';
import type { HookProgress } from '#domain/hooks/progress.ts';
import type { ChangedSetting } from '#domain/site/state.ts';
import type { LoginCounts, Readings } from '#domain/user/logins.ts';
import { partsOf } from '#process/parts.ts';
import type { Reporter } from '#process/reporter.ts';
import type { ChangeNotifier } from '#projections/kernel/changes.ts';
import type { CacheVersions } from '#projections/projector/cache-versions.ts';
import type { AuditWords } from '../audit-words.ts';
import type { NodeClock } from '../clock.ts';
import type { Erasing } from '../erasure/erasing.ts';
import type { NodeFiles } from '../files.ts';
import type { FeedsFile } from '../foreign-feeds.ts';
import type { Integrity } from '../integrity.ts';
import type { NodeFile } from '../node-file.ts';
import type { LogEngine } from '../open-log.ts';
import type { UsesFile } from '../password-uses.ts';
import type { NodeProjections } from '../projections.ts';
import type { Readiness } from '../readiness.ts';
import type { Mending } from '../rebuild/mending.ts';
import type { Rebuilding } from '../rebuild/rebuilding.ts';
import type { Transparency } from '../tree/transparency.ts';
import type { OpenOptions } from '../types.ts';
import type { WriteCheck } from '../write-check.ts';

/** The options of a node, with their defaults. */
export interface Opening extends Omit<OpenOptions, 'clock' | 'reporter' | 'readiness'> {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly reporter: Reporter;
}

/** What a fault leads to. */
export interface Faults {
  /** A request met it: damaged projections are rebuilt. */
  met(error: unknown): void;
  /** A write failed with it: the log may not be writable. */
  failedWrite(error: unknown): void;
  /** A write was refused because its projections contradict the log. */
  damaged(error: Error): void;
}

/** The parts of a node by name; the first three are given, the others open in the order of `all.ts`. */
export interface NodeParts {
  readonly config: Config;
  readonly options: Opening;
  readonly readiness: Readiness;
  readonly lock: undefined;
  readonly log: LogEngine;
  readonly integrity: Integrity;
  readonly mending: Mending;
  readonly clock: NodeClock;
  readonly writeCheck: WriteCheck;
  readonly faults: Faults;
  readonly cacheVersions: CacheVersions;
  readonly notifier: ChangeNotifier;
  readonly audience: Audience;
  readonly projections: NodeProjections;
  readonly writes: LimitedWrites;
  /** Settings given at the start that differ from those of the site. */
  readonly prepared: readonly ChangedSetting[];
  readonly nodeFile: NodeFile;
  readonly uses: UsesFile;
  readonly feeds: FeedsFile;
  readonly auditWords: AuditWords;
  readonly logins: LoginCounts;
  readonly readings: Readings;
  readonly hooks: HookProgress;
  readonly files: NodeFiles;
  readonly erasing: Erasing;
  readonly tree: Transparency;
  readonly rebuilding: Rebuilding;
}

export const definePart = partsOf<NodeParts>();
