/**
 * The event log as seen by the layers above. It stores texts without knowing their meaning: `domain/kernel/codec` turns them into events.
 */

export interface NewEvent {
  /** Logical stream, such as `entry-12`. */
  readonly stream: string;
  readonly type: string;
  readonly v: number;
  /** JSON text. */
  readonly data: string;
  /** JSON text of the fields that may have to be erased; null if there are none. */
  readonly sealed: string | null;
  /** The seal from another log, for a faithful copy; text and salt may have been erased there. Default: sealed again. */
  readonly seal?: Seal | undefined;
  /** Whether the event was decided as the first of its stream; an append that contradicts this is refused. Default: either. */
  readonly begins?: boolean | undefined;
}

export interface Seal {
  /** 32 hex digits; null once the text has been erased. */
  readonly salt: string | null;
  /** Same as `StoredEvent.sealedDigest`. */
  readonly digest: string;
}

/** An ordered group of events that is in the log whole or not at all. A commit without events only checks its expectations. */
export interface Commit {
  /** UUID. Event ids are derived from it, so that appending the same commit again changes nothing. */
  readonly id: string;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly actor: number | null;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly events: readonly NewEvent[];
  /**
   * Streams whose head must be at the given revision before this commit, counting earlier commits of the same append; 0 means that the
   * stream does not exist.
   */
  readonly expect?: readonly { readonly stream: string; readonly revision: number }[];
  /** For a copy: the chain hash (hex) in the original log, which must be reproduced. */
  readonly hash?: string;
}

export interface StoredEvent extends NewEvent {
  /** Site-wide, gapless, from 1. */
  readonly position: number;
  /** Place in its stream, gapless, from 1. */
  readonly revision: number;
  readonly id: string;
  readonly at: string;
  readonly actor: number | null;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Id of its commit, its index there from 0, and the commit's number of events. */
  readonly commit: { readonly id: string; readonly i: number; readonly n: number };
  /** SHA-256 (hex) over salt and sealed text; null without a sealed text. It is kept when the text is erased. */
  readonly sealedDigest: string | null;
  /** Chain hash (hex) of the commit, on its last event only. */
  readonly hash: string | null;
}

export interface Conflict {
  readonly conflict: true;
  readonly position: number;
  /** The first stream that was not at the expected revision; null when the position of the log differed. */
  readonly stream: string | null;
}

/** Position and chain hash (hex) of the last event; position 0 and 64 zeros for an empty log. */
export interface Head {
  readonly position: number;
  readonly hash: string;
  /** Time of the last commit; null for an empty log. */
  readonly at: string | null;
}

/**
 * What a read returns of the sealed text of an event. `brief`: without the rest of strings of more than 65,536 characters; `none`: null.
 * Default: `whole`.
 */
export type SealedPart = 'whole' | 'brief' | 'none';

export interface ReadQuery {
  /** Only this stream. */
  readonly stream?: string;
  /** First position, or first revision when `stream` is given; inclusive. Default: the beginning, or the end when reading backwards. */
  readonly from?: number;
  /** Last position or revision, inclusive. */
  readonly to?: number;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
  readonly sealed?: SealedPart;
}

export interface Budget {
  /** Bytes. */
  readonly bytes: number;
  /** Upper bound for the size of a stored event, in bytes. */
  sizeOf(event: NewEvent): number;
}

/**
 * The log of a site: one sequence of commits over any number of logical streams.
 *
 * One site, one log: ids, unique slugs and batches span entities, so the site is what an append has to be atomic over, and a reader at a
 * position has seen all of it. The price: every commit competes with every other, and a limit on appends is one on commits. A stream for
 * each entity would need reservations between streams, which are a transaction protocol to build and to recover.
 *
 * Why, and what was rejected: `docs/adr/0001-one-log-per-site.md`.
 */
export interface EventStore {
  /** Set when other nodes append to the log, too: then only an append shows whether a decision was based on the whole log. */
  readonly isShared?: true;
  /**
   * For a caller with something to append to a shared log. Resolves when to ask again; returns undefined when to append. It reduces
   * conflicts but does not prevent them. Absent: append at any time.
   */
  turn?(): Promise<void> | undefined;
  /** Absent if appends have no size limit. */
  readonly budget?: Budget;
  /**
   * Appends commits, in order, all of them or none, durably: when the promise resolves they survive `kill -9` and power loss.
   * `expectedPosition` is the head that the caller decided on.
   *
   * Time never goes back along the log: a commit whose `at` is earlier than that of the previous commit is stored with the latter.
   * Commits that already follow `expectedPosition` are not appended again; the head after them is returned. So an append with unknown
   * outcome may be repeated unchanged.
   *
   * Throws `LogUnavailable` when the medium refuses (full disk), `TypeError` when a commit cannot be stored as given (lone surrogates or
   * NUL in texts, another time format, a commit given twice), `CopyDiffers` when a copy does not match its original, `OutOfSequence` when
   * an event does not begin or continue its stream as declared, `AppendTooLarge` when it exceeds the budget; nothing was appended then.
   * Throws `OutcomeUnknown` when it is unknown whether anything was.
   */
  append(commits: readonly Commit[], expectedPosition: number): Promise<Head | Conflict>;
  /** Reads events in order, from a snapshot at the time of the call: later appends are not seen. */
  read(query?: ReadQuery): Iterable<StoredEvent>;
  /** Highest revision of a stream; 0 if it does not exist. */
  streamHead(stream: string): number;
  head(): Head;
  /**
   * Last position whose commit was made at or before the given time (ISO 8601 with zone); 0 for none. Throws `RangeError` for an invalid
   * time.
   */
  positionAt(at: string): number;
  /**
   * Calls `onCommit` with every whole commit after position `from`, in order, each once: first existing ones, then new ones; never within
   * `append`, and not before the promise of the previous call has settled. If `from` lies within a commit, that commit is delivered
   * whole. A callback that throws ends the subscription; `onError` gets the fault, without it the rejection is unhandled.
   */
  subscribe(
    from: number,
    onCommit: (events: readonly StoredEvent[]) => void | Promise<void>,
    onError?: (error: unknown) => void,
  ): () => void;
  /**
   * Permanently empties the sealed texts of events, and their salts; everything else, including digests and hashes, is kept. When the
   * promise resolves none of their bytes remain where this log stores them. Idempotent.
   *
   * Throws `LogUnavailable` when it could not be finished: some texts may be empty then, and it has to be repeated.
   */
  erase(positions: readonly number[]): Promise<void>;
  /** Writes to the medium as an append does, without appending anything. Rejects as an append does. Absent if there is no medium. */
  probe?(): Promise<void>;
  /** Throws `LogUnavailable` when the file of the log has been removed, moved or replaced since it was opened. */
  checkPlace?(): void;
  /** Ends all subscriptions and releases the medium. Idempotent. */
  close(): void;
}

/** True if the error comes from an outage that the log itself has reported. */
export function isAnnounced(error: unknown): boolean {
  return (error instanceof LogUnavailable || error instanceof OutcomeUnknown) && error.isAnnounced;
}

/** Whether an append was refused because another one came first. */
export function isConflict(value: Head | Conflict): value is Conflict {
  return (value as Conflict).conflict === true;
}

interface FaultOptions extends ErrorOptions {
  readonly isAnnounced?: boolean;
}

/** The log cannot be written now, but may be later. Nothing was appended. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
  readonly isAnnounced: boolean;
  constructor(message: string, { isAnnounced = false, ...options }: FaultOptions = {}) {
    super(message, options);
    this.isAnnounced = isAnnounced;
  }
}

/** A commit given as a copy differs from its original. Nothing was appended. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/**
 * An event would begin an existing stream, or continue one that does not exist: it was decided on a state that contradicts the log.
 * Nothing was appended.
 */
export class OutOfSequence extends Error {
  override readonly name = 'OutOfSequence';
}

export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}

/** It is unknown whether the append was stored. It is in the log whole or not at all, now or in a moment. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
  /** See `LogUnavailable.isAnnounced`. */
  readonly isAnnounced: boolean;
  constructor(message: string, { isAnnounced = false, ...options }: FaultOptions = {}) {
    super(message, options);
    this.isAnnounced = isAnnounced;
  }
}

/** The log on disk is not as it was written. Nothing was changed; `position` is the first invalid event, 0 if unknown. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

export class LogInUse extends Error {
  override readonly name = 'LogInUse';
}
