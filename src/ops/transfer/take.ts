import type { ChainedEvent } from '#eventstore/chain.ts';
import { copyOf } from '#eventstore/copy.ts';
import { CopyDiffers, type EventStore, isConflict, LogUnavailable, type StoredEvent } from '#eventstore/port.ts';

/** The commits that come in do not go on from what the log has. Nothing of them was appended. */
export class NotAPrefix extends Error {
  override readonly name = 'NotAPrefix';
}

/** Takes over the commits of another log, in order, each of them whole or not at all. */
export interface Taking {
  take(commit: readonly ChainedEvent[]): Promise<void>;
  /** Appends what is gathered. */
  flush(): Promise<void>;
  /** Ends the taking over. Throws `NotAPrefix` when the log has more than came in. */
  end(): Promise<void>;
  /** Events that were appended. */
  readonly appended: number;
}

/** So many events, or characters of their texts, are appended in one go. */
const perAppend = 2000;
const textPerAppend = 8_000_000;

/** What comes in first must be what the log has already. Throws `NotAPrefix` and `CopyDiffers`. */
export function takeInto(log: EventStore): Taking {
  const present = log.read()[Symbol.iterator]();
  const before = log.head().position;
  let arrived = 0;
  let position = before;
  let appended = 0;
  let waiting: (readonly ChainedEvent[])[] = [];
  let events = 0;
  let text = 0;
  /** Bytes that are waiting, where one append may only take so many. */
  let bytes = 0;

  /** Holds a commit against what the log has in its place: equal hashes are equal histories. */
  function compare(commit: readonly ChainedEvent[]): void {
    let stored: StoredEvent | undefined;
    for (const _ of commit) stored = present.next().value;
    if (stored === undefined || stored.hash !== commit.at(-1)?.hash) {
      throw new NotAPrefix(`the log has something else at position ${commit[0]?.position}`);
    }
  }

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const outcome = await log.append(waiting.map(copyOf), position);
    if (isConflict(outcome)) {
      if (outcome.stream === null) throw new LogUnavailable('somebody else writes to the log');
      throw new CopyDiffers(`the revisions of ${outcome.stream} are not its own`, position + 1);
    }
    position = outcome.position;
    appended += events;
    waiting = [];
    events = 0;
    text = 0;
    bytes = 0;
  }

  const sizeOf = (commit: readonly ChainedEvent[]) =>
    commit.reduce((sum, event) => sum + (log.budget?.sizeOf(event) ?? 0), 0);

  return {
    get appended() {
      return appended;
    },
    async take(commit) {
      const next = arrived + 1;
      if (commit[0]?.position !== next) throw new CopyDiffers(`position ${next} is missing`, next);
      arrived += commit.length;
      if (next <= before) return compare(commit);
      const size = sizeOf(commit);
      if (bytes + size > (log.budget?.bytes ?? 0)) await flush();
      bytes += size;
      waiting.push(commit);
      events += commit.length;
      for (const { data, sealed } of commit) text += data.length + (sealed?.length ?? 0);
      if (events >= perAppend || text >= textPerAppend) await flush();
    },
    flush,
    async end() {
      if (arrived < before)
        throw new NotAPrefix(`the log goes on to position ${before}, what came in ends at ${arrived}`);
      await flush();
    },
  };
}
