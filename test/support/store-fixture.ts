import { onTestFinished } from 'vitest';
import { type Commit, type EventStore, type Head, isConflict, type StoredEvent } from '#eventstore/port.ts';

/** A store as a contract gets it: empty, and its own. */
export interface OpenedStore {
  readonly store: EventStore;
  /** Closes the store and opens the same log again; absent where nothing outlives the store. */
  readonly reopen?: () => Promise<EventStore>;
  close(): void | Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

/** Opens a store that is closed when the test ends. */
export async function openForTest(open: OpenStore): Promise<OpenedStore> {
  const opened = await open();
  onTestFinished(() => opened.close());
  return opened;
}

/** Runs work on a store of its own: for properties, which need one per run. */
export async function withStore<T>(open: OpenStore, work: (store: EventStore) => Promise<T>): Promise<T> {
  const { store, close } = await open();
  try {
    return await work(store);
  } finally {
    await close();
  }
}

/** Appends commits at the head, all in one. */
export async function appendAtHead(store: EventStore, ...commits: readonly Commit[]): Promise<Head> {
  const outcome = await store.append(commits, store.head().position);
  if (isConflict(outcome)) throw new Error(`Conflict at ${outcome.position} on ${outcome.stream}`);
  return outcome;
}

/** Positions of what is given, which is how most tests look at events. */
export function positions(events: Iterable<StoredEvent>): number[] {
  return Array.from(events, ({ position }) => position);
}
