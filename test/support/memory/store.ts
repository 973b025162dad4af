import { type ChainedEvent, type ChainedStore, EMPTY_HEAD, newSalt } from '#eventstore/chain.ts';
import { createFeed } from '#eventstore/feed.ts';
import type { ReadQuery, StoredEvent } from '#eventstore/port.ts';
import { lastPositionAt } from '#eventstore/position-at.ts';
import { rangeOfRead } from '#eventstore/range.ts';
import { partOfSealed } from '#eventstore/sealed.ts';
import { stage } from '#eventstore/stage.ts';

export interface MemoryOptions {
  /** Source of salts for sealed texts, 32 hex digits each. Default: random. */
  readonly salt?: () => string;
}

/** An event log in memory: the reference model for the other engines, and sufficient for tests. */
export function openMemoryStore({ salt = newSalt }: MemoryOptions = {}): ChainedStore {
  const events = new Events();
  const read = (query?: ReadQuery) => events.read(query);
  const streamHead = (stream: string) => events.streamHead(stream);
  const eventAt = (position: number) => events.at(position);
  const feed = createFeed(read);
  let head = EMPTY_HEAD;
  let open = true;
  return {
    async append(commits, expectedPosition) {
      if (!open) throw new Error('The event log is closed');
      const staged = stage(commits, expectedPosition, { head, streamHead, eventAt, salt });
      if ('conflict' in staged) return staged;
      if (staged.events.length === 0) return staged.head;
      for (const event of staged.events) events.keep(event);
      head = staged.head;
      feed.wake();
      return head;
    },
    read,
    streamHead,
    head: () => head,
    positionAt: (at) => lastPositionAt(at, events.length, (position) => eventAt(position)?.at ?? ''),
    subscribe: feed.subscribe,
    async erase(positions) {
      for (const position of positions) events.empty(position);
    },
    chain: (from) => events.from(from),
    close() {
      open = false;
      feed.close();
    },
  };
}

/** The events of a log, in order and by stream. */
class Events {
  readonly #all: ChainedEvent[] = [];
  readonly #streams = new Map<string, ChainedEvent[]>();

  get length(): number {
    return this.#all.length;
  }

  at(position: number): ChainedEvent | undefined {
    return this.#all[position - 1];
  }

  from(position = 1): readonly ChainedEvent[] {
    return this.#all.slice(Math.max(0, position - 1));
  }

  streamHead(stream: string): number {
    return this.#streams.get(stream)?.length ?? 0;
  }

  read(query: ReadQuery = {}): Iterable<StoredEvent> {
    const events = query.stream === undefined ? this.#all : (this.#streams.get(query.stream) ?? []);
    const { low, high, backwards, limit, sealed: part } = rangeOfRead(query, events.length);
    const selected = events.slice(low - 1, Math.max(0, high));
    if (backwards) selected.reverse();
    return selected
      .slice(0, Math.max(0, limit))
      .map(({ salt: _, ...event }) => ({ ...event, sealed: partOfSealed(event.sealed, part) }));
  }

  keep(event: ChainedEvent): void {
    this.#all.push(event);
    const stream = this.#streams.get(event.stream);
    if (stream) stream.push(event);
    else this.#streams.set(event.stream, [event]);
  }

  /** Removes the sealed text of an event. */
  empty(position: number): void {
    const event = this.at(position);
    if (event === undefined) return;
    const emptied = { ...event, sealed: null, salt: null };
    this.#all[position - 1] = emptied;
    this.#streams.get(event.stream)?.splice(event.revision - 1, 1, emptied);
  }
}
