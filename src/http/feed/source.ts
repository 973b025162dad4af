import type { EventStore } from '#eventstore/port.ts';
import type { Model } from '#projections/reading/model.ts';

/**
 * What the feed reads. It queues nothing: a reader is a position and a loop over the log, at its own pace, so that one who is slow costs
 * nobody anything.
 *
 * Why, and what was rejected: `docs/adr/0009-live-feed.md`.
 */
export interface Source {
  readonly model: () => Model;
  readonly read: EventStore['read'];
  /** Calls `listener` whenever the model shows more of the log. Returns a function that stops it. */
  readonly changed: (listener: () => void) => () => void;
}

export function sourceOf(store: {
  readonly reader: Model;
  readonly log: Pick<EventStore, 'read'>;
  awaited(listener: () => void): () => void;
}): Source {
  return {
    model: () => store.reader,
    read: (query) => store.log.read(query),
    changed: (listener) => store.awaited(listener),
  };
}
