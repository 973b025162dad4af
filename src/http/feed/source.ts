import type { EventStore } from '#eventstore/port.ts';
import type { Model } from '#projections/model.ts';

/** What the feed is made from. */
export interface Source {
  /** The read model of the present. What the log has beyond its position is not told yet. */
  readonly model: () => Model;
  readonly read: EventStore['read'];
  /** Calls back whenever the model shows more of the log; answers how to stop that. */
  readonly changed: (listener: () => void) => () => void;
}

/** A store as the feed knows it. */
export function sourceOf(store: {
  readonly reader: Model;
  readonly log: Pick<EventStore, 'read'>;
  changed(listener: () => void): () => void;
}): Source {
  return {
    model: () => store.reader,
    read: (query) => store.log.read(query),
    changed: (listener) => store.changed(listener),
  };
}
