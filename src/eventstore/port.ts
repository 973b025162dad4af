/**
 * The event log, as everything above it sees it. It stores texts and knows nothing of what they mean:
 * `domain/kernel/codec` makes events of them.
 */

export interface NewEvent {
  /** Logical stream, `entry-12`. */
  readonly stream: string;
  readonly type: string;
  readonly v: number;
  /** JSON text. */
  readonly data: string;
  /** JSON text of the fields that may have to be erased one day; null where there are none. */
  readonly sealed: string | null;
  /**
   * How another log has sealed it, for a faithful copy. The text itself may be gone by then, and the salt with it.
   * Default: sealed again.
   */
  readonly seal?: Seal | undefined;
  /** Whether its author takes it for the first event of its stream; an append that would make it another is refused. Default: either. */
  readonly begins?: boolean | undefined;
}

export interface Seal {
  /** 32 hex digits; null once the text has been erased. */
  readonly salt: string | null;
  /** As `StoredEvent.sealedDigest`. */
  readonly digest: string;
}

/**
 * An ordered group of events that is in the log whole or not at all. One without events only checks its
 * expectations and leaves no trace.
 */
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
   * Streams whose head must be at the given revision before this commit, counting the commits before it in the same
   * append; 0 means that there is no such stream.
   */
  readonly expect?: readonly { readonly stream: string; readonly revision: number }[];
  /** Chain hash (hex) that it has in the log that it is copied from, and must come out with. */
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
  /** The commit it belongs to, its place there from 0, and how many there are. */
  readonly commit: { readonly id: string; readonly i: number; readonly n: number };
  /** SHA-256 (hex) over salt and sealed text; null where nothing is sealed. Stays when the sealed text is erased. */
  readonly sealedDigest: string | null;
  /** Chain hash (hex) of the commit, on its last event only. */
  readonly hash: string | null;
}

export interface Conflict {
  readonly conflict: true;
  readonly position: number;
  /** The first stream that was not at the expected revision; null when the log's own position differed. */
  readonly stream: string | null;
}

/** Position and chain hash (hex) of the last event; position 0 and 64 zeros for an empty log. */
export interface Head {
  readonly position: number;
  readonly hash: string;
  /** Time of the last commit; null for an empty log. */
  readonly at: string | null;
}

export interface ReadQuery {
  /** Only this stream. */
  readonly stream?: string;
  /** First position, or first revision when `stream` is given; inclusive. Default: the beginning (or the end, backwards). */
  readonly from?: number;
  /** Last position or revision, inclusive. */
  readonly to?: number;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface Budget {
  /** Bytes. */
  readonly bytes: number;
  /** Most bytes that an event can take as it is stored. */
  sizeOf(event: NewEvent): number;
}

export interface EventStore {
  /** Others append to it, too: only an append tells whether what was decided upon is all of it. */
  readonly isShared?: true;
  /**
   * For who has something to append to a log that is shared. Resolves when to ask again; undefined: now is the time. It spares
   * conflicts, and prevents none. Absent: it is always time.
   */
  turn?(): Promise<void> | undefined;
  /** Absent where an append may take anything. */
  readonly budget?: Budget;
  /**
   * Appends commits, in order, all of them or none, durably: when the promise resolves they survive
   * `kill -9` and power loss. `expectedPosition` is the head that the caller decided upon.
   *
   * Time never goes back along the log: a commit whose `at` is earlier than that of the commit before is stored with
   * that one's. The very commits that already follow `expectedPosition` are not appended again, the answer is the head
   * after them: so an append whose outcome was not learnt may be repeated as it was.
   *
   * Throws `LogUnavailable` when the medium refuses (full disk), `TypeError` when a commit cannot be stored as given
   * (texts with lone surrogates or NUL, another form of time, a commit given twice), `CopyDiffers` when a copy does not
   * come out as it says, `OutOfSequence` when an event does not stand where its author says, `AppendTooLarge` when it is
   * over the budget: then nothing was appended. Throws `OutcomeUnknown` when that could not be learnt.
   */
  append(commits: readonly Commit[], expectedPosition: number): Promise<Head | Conflict>;
  /** Events in order. Reads a snapshot of the moment of the call: what is appended meanwhile is not seen. */
  read(query?: ReadQuery): Iterable<StoredEvent>;
  /** Highest revision of a stream; 0 when there is none. */
  streamHead(stream: string): number;
  head(): Head;
  /**
   * The last position whose commit was made at or before the given time (ISO 8601 with its zone); 0 when there is
   * none. Throws `RangeError` when it is no time.
   */
  positionAt(at: string): number;
  /**
   * Calls `onCommit` with every whole commit after position `from`, in order, each once: first those that are
   * there, then those to come; never from within `append`, and not before the promise of the last call is settled.
   * A commit in the midst of which `from` lies is delivered whole. A callback that throws ends the subscription and
   * `onError` gets the fault; without `onError` it is an unhandled rejection.
   */
  subscribe(
    from: number,
    onCommit: (events: readonly StoredEvent[]) => void | Promise<void>,
    onError?: (error: unknown) => void,
  ): () => void;
  /**
   * Empties the sealed texts of events for good, with their salts; all else of them stays, digests and hashes too. When
   * the promise resolves no byte of them is left where this log keeps them. Those that are empty already stay so.
   *
   * Throws `LogUnavailable` when it could not be finished: some may be empty then, and it has to be done again.
   */
  erase(positions: readonly number[]): Promise<void>;
  /** Writes to the medium as an append does, and appends nothing. Rejects as an append does. Absent: there is none to fail. */
  probe?(): Promise<void>;
  /** Ends all subscriptions and lets the medium go. A second call does nothing. */
  close(): void;
}

/** True if the log has reported the outage itself that an error comes from. */
export function isAnnounced(error: unknown): boolean {
  return (error instanceof LogUnavailable || error instanceof OutcomeUnknown) && error.isAnnounced;
}

/** Whether an append was refused because somebody was faster. */
export function isConflict(value: Head | Conflict): value is Conflict {
  return (value as Conflict).conflict === true;
}

interface FaultOptions extends ErrorOptions {
  readonly isAnnounced?: boolean;
}

/** The log cannot take writes now; it may later. Nothing was appended. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
  readonly isAnnounced: boolean;
  constructor(message: string, { isAnnounced = false, ...options }: FaultOptions = {}) {
    super(message, options);
    this.isAnnounced = isAnnounced;
  }
}

/** A commit that is said to be a copy is not what the log was that it comes from. Nothing was appended. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/**
 * An event would begin a stream that exists, or continue one that does not: it was decided upon something else than this
 * log. Nothing was appended.
 */
export class OutOfSequence extends Error {
  override readonly name = 'OutOfSequence';
}

export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
}

/** The log did not say whether it has the append. It is in there whole or not at all, now or in a moment. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
  /** As `LogUnavailable.isAnnounced`. */
  readonly isAnnounced: boolean;
  constructor(message: string, { isAnnounced = false, ...options }: FaultOptions = {}) {
    super(message, options);
    this.isAnnounced = isAnnounced;
  }
}

/** The log on disk is not what was written. Nothing is touched; `position` is the first event that does not hold, 0 if unknown. */
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
