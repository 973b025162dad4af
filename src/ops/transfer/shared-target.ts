import { copyOf } from '#eventstore/copy.ts';
import { fromPackedRow } from '#eventstore/packed.ts';
import { type Commit, CopyDiffers, type EventStore, isConflict, LogUnavailable } from '#eventstore/port.ts';
import type { ImportTarget } from './take.ts';

/** Maximum number of events, and of characters of their texts, per append. */
const perAppend = 2000;
const textPerAppend = 8_000_000;

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
