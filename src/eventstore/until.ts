import { EMPTY_HEAD } from './chain.ts';
import { type EventStore, type Head, LogUnavailable, type ReadQuery } from './port.ts';

/**
 * A log as of a position, which is the end of a commit. It is read-only: an append or erasure throws `LogUnavailable`, a subscription
 * delivers nothing, and closing it does not affect the log itself.
 */
export function logUntil(log: EventStore, position: number): EventStore {
  const [last] = position === 0 ? [] : log.read({ from: position, limit: 1 });
  const head: Head = last === undefined ? EMPTY_HEAD : { position, hash: last.hash ?? '', at: last.at };
  const streamHead = (stream: string) => revisionAt(log, stream, position);

  function read(query: ReadQuery = {}): ReturnType<EventStore['read']> {
    const top = query.stream === undefined ? position : streamHead(query.stream);
    const end = query.direction === 'backwards' ? 'from' : 'to';
    const high = Math.min(query[end] ?? top, top);
    return high < 1 ? [] : log.read({ ...query, [end]: high });
  }

  return {
    read,
    streamHead,
    head: () => head,
    positionAt: (at) => Math.min(position, log.positionAt(at)),
    append: async () => {
      throw new LogUnavailable('a log of the past takes no events');
    },
    erase: async () => {
      throw new LogUnavailable('what is erased is erased from all of a log');
    },
    subscribe: () => () => undefined,
    close: () => undefined,
  };
}

function revisionAt(log: EventStore, stream: string, position: number): number {
  let [low, high] = [0, log.streamHead(stream)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [event] = log.read({ stream, from: middle, to: middle });
    if (event !== undefined && event.position <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
