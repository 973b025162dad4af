import type { ChainedEvent, ChainedStore } from './chain.ts';
import { createFeed } from './feed.ts';
import { EMPTY_HEAD, newSalt } from './hash.ts';
import type { ReadQuery, StoredEvent } from './port.ts';
import { lastPositionAt } from './position-at.ts';
import { rangeOf } from './range.ts';
import { inBrief } from './sealed.ts';
import { stage } from './stage.ts';

export interface MemoryOptions {
  /** Source of salts for sealed texts, 32 hex digits each. Default: random. */
  readonly salt?: () => string;
}

/** An event log in memory: the reference model for the other engines, and sufficient for tests. */
export function openMemoryStore({ salt = newSalt }: MemoryOptions = {}): ChainedStore {
  const log: ChainedEvent[] = [];
  const streams = new Map<string, ChainedEvent[]>();
  const feed = createFeed(read);
  let head = EMPTY_HEAD;
  let open = true;

  const eventAt = (position: number) => log[position - 1];
  const streamHead = (stream: string) => streams.get(stream)?.length ?? 0;

  function read(query: ReadQuery = {}): Iterable<StoredEvent> {
    const events = query.stream === undefined ? log : (streams.get(query.stream) ?? []);
    const { low, high, backwards, limit, brief } = rangeOf(query, events.length);
    const selected = events.slice(low - 1, Math.max(0, high));
    if (backwards) selected.reverse();
    return selected
      .slice(0, Math.max(0, limit))
      .map(({ salt: _, ...event }) => (brief ? { ...event, sealed: inBrief(event.sealed) } : event));
  }

  function keep(event: ChainedEvent): void {
    log.push(event);
    const stream = streams.get(event.stream);
    if (stream) stream.push(event);
    else streams.set(event.stream, [event]);
  }

  function empty(position: number): void {
    const event = eventAt(position);
    if (event === undefined) return;
    const emptied = { ...event, sealed: null, salt: null };
    log[position - 1] = emptied;
    streams.get(event.stream)?.splice(event.revision - 1, 1, emptied);
  }

  return {
    read,
    streamHead,
    head: () => head,
    async append(commits, expectedPosition) {
      if (!open) throw new Error('The event log is closed');
      const staged = stage(commits, expectedPosition, { head, streamHead, eventAt, salt });
      if ('conflict' in staged) return staged;
      if (staged.events.length === 0) return staged.head;
      staged.events.forEach(keep);
      head = staged.head;
      feed.wake();
      return head;
    },
    positionAt: (at) => lastPositionAt(at, log.length, (position) => eventAt(position)?.at ?? ''),
    subscribe: feed.subscribe,
    async erase(positions) {
      positions.forEach(empty);
    },
    chain: (from = 1) => log.slice(Math.max(0, from - 1)),
    close() {
      open = false;
      feed.close();
    },
  };
}
