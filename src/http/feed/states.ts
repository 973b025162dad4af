import { LRUCache } from 'lru-cache';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';

/** States of items of one kind at events of their streams; null: the item does not exist. */
export interface FeedStates<S> {
  /** After an event of the stream; revision 0: before the first. */
  readonly at: (id: number, revision: number) => S | null;
  readonly after: (id: number, stored: StoredEvent) => S | null;
  readonly asOf: (id: number, position: number) => S | null;
}

export interface StatesOptions<S> {
  readonly read: EventStore['read'];
  readonly streamOf: (id: number) => string;
  /** The state after an event; small, because many are cached. */
  readonly move: (state: S | null, stored: StoredEvent) => S | null;
}

/** Cached states, of a few hundred bytes each. As a size, because a maximum number of entries reserves the memory at once. */
const MAX_KEPT = 10_000;

/** Folds states from the log and caches them: reading the log in order needs the state just before. */
export function createStates<S>({ read, streamOf, move }: StatesOptions<S>): FeedStates<S> {
  const known = new LRUCache<string, { readonly state: S | null }>({ maxSize: MAX_KEPT, sizeCalculation: () => 1 });

  function at(id: number, revision: number): S | null {
    if (revision === 0) return null;
    const key = `${id} ${revision}`;
    let kept = known.get(key);
    if (kept === undefined) {
      let state: S | null = null;
      for (const stored of read({ stream: streamOf(id), to: revision })) state = move(state, stored);
      kept = { state };
      known.set(key, kept);
    }
    return kept.state;
  }

  return {
    at,
    after(id, stored) {
      const state = move(at(id, stored.revision - 1), stored);
      known.set(`${id} ${stored.revision}`, { state });
      return state;
    },
    asOf: (id, position) => at(id, revisionAt(read, streamOf(id), position)),
  };
}

function revisionAt(read: EventStore['read'], stream: string, position: number): number {
  const [last] = read({ stream, direction: 'backwards', limit: 1 });
  let [low, high] = [0, last?.revision ?? 0];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [event] = read({ stream, from: middle, to: middle });
    if (event !== undefined && event.position <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
