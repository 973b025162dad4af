import type { EventStore } from '#eventstore/port.ts';
import type { Model } from '#projections/reading/model.ts';

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
