import { copyOf } from '#eventstore/copy.ts';
import { type Commit, CopyDiffers, type EventStore, isConflict, LogUnavailable } from '#eventstore/port.ts';
import type { Gap } from '#eventstore/salvage/whole.ts';
import type { BulkImport } from '#eventstore/sqlite/bulk-import.ts';
import { fromPackedRow } from '#eventstore/sqlite/packed.ts';
import type { PackedRow } from '#eventstore/sqlite/row.ts';

/** Maximum number of events, and of characters of their texts, per append. */
const perAppend = 2000;
const textPerAppend = 8_000_000;

export class NotAPrefix extends Error {
  override readonly name = 'NotAPrefix';
}

export class NotBridged extends Error {
  override readonly name = 'NotBridged';
}

type TakenCommit = readonly PackedRow[];

export interface ImportTarget extends Pick<BulkImport, 'head' | 'hashAt'> {
  take(commit: TakenCommit): void | Promise<void>;
  flush(): void | Promise<void>;
}

export interface Taking {
  take(commit: TakenCommit): Promise<void>;
  /** Skips a gap of a salvage. Throws `NotBridged` unless the log already has all of it. */
  bridge(gap: Gap): void;
  /** Ends the transfer. Throws `NotAPrefix` if the log has more than arrived. */
  end(): Promise<void>;
  /** Number of appended events. */
  readonly appended: number;
}

/** Appends commits to a log; those it already has must be equal. Throws `NotAPrefix` and `CopyDiffers`. */
export function takeInto(target: ImportTarget): Taking {
  const before = target.head().position;
  let arrived = 0;

  function compare([position, hash]: readonly [number, string | null]): void {
    if (target.hashAt(position) !== hash) throw new NotAPrefix(`the log has something else at position ${position}`);
  }

  return {
    get appended() {
      return Math.max(0, arrived - before);
    },
    async take(commit) {
      const last = commit.at(-1);
      if (last === undefined) return;
      arrived = last[0];
      // A log that ends within a commit does not have that commit.
      if ((commit[0]?.[0] ?? 0) <= before) compare([arrived, last[15]]);
      else await target.take(commit);
    },
    bridge({ from, to, hash }) {
      if (before < to) {
        throw new NotBridged(
          `positions ${from} to ${to} are missing in this salvage, and the log had nothing after position ${before}: ` +
            `restore a backup that has position ${to}, and import the salvage there`,
        );
      }
      compare([to, hash]);
      arrived = to;
    },
    async end() {
      if (arrived < before) {
        throw new NotAPrefix(`the log goes on to position ${before}, what came in ends at ${arrived}`);
      }
      await target.flush();
    },
  };
}

/** A log that has other writers: commits go through its regular appends, as many at once as it allows. */
export function sharedTarget(log: EventStore): ImportTarget {
  let { position } = log.head();
  let waiting: Commit[] = [];
  let events = 0;
  let text = 0;
  let bytes = 0;

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const outcome = await log.append(waiting, position);
    if (isConflict(outcome)) {
      if (outcome.stream === null) throw new LogUnavailable('somebody else writes to the log');
      throw new CopyDiffers(`the revisions of ${outcome.stream} are not its own`, position + 1);
    }
    position = outcome.position;
    waiting = [];
    events = 0;
    text = 0;
    bytes = 0;
  }

  const sizeOf = (commit: Commit) => commit.events.reduce((sum, event) => sum + (log.budget?.sizeOf(event) ?? 0), 0);

  return {
    head: log.head,
    hashAt: (at) => [...log.read({ from: at, limit: 1 })][0]?.hash ?? null,
    flush,
    async take(rows) {
      const commit = copyOf(rows.map(fromPackedRow));
      const size = sizeOf(commit);
      if (bytes + size > (log.budget?.bytes ?? Number.POSITIVE_INFINITY)) await flush();
      bytes += size;
      waiting.push(commit);
      events += rows.length;
      for (const { data, sealed } of commit.events) text += data.length + (sealed?.length ?? 0);
      if (events >= perAppend || text >= textPerAppend) await flush();
    },
  };
}
