import type { BulkImport } from '#eventstore/bulk-import.ts';
import type { PackedRow } from '#eventstore/row.ts';
import type { Gap } from '#eventstore/salvage/whole.ts';

export class NotAPrefix extends Error {
  override readonly name = 'NotAPrefix';
}

export class NotBridged extends Error {
  override readonly name = 'NotBridged';
}

type Commit = readonly PackedRow[];

export interface ImportTarget extends Pick<BulkImport, 'head' | 'hashAt'> {
  take(commit: Commit): void | Promise<void>;
  flush(): void | Promise<void>;
}

export interface Taking {
  take(commit: Commit): Promise<void>;
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
