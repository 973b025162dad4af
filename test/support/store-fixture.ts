import { onTestFinished } from 'vitest';
import { type Commit, type EventStore, type Head, isConflict, type StoredEvent } from '#eventstore/port.ts';

/** A new, empty store for a contract test. */
export interface OpenedStore {
  readonly store: EventStore;
  /** Closes the store and opens the same log again; absent if the log does not outlive the store. */
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

/** Runs work on a new store: properties need one per run. */
export async function withStore<T>(open: OpenStore, work: (store: EventStore) => Promise<T>): Promise<T> {
  const { store, close } = await open();
  try {
    return await work(store);
  } finally {
    await close();
  }
}

/** Appends commits at the head, in one append. */
export async function appendAtHead(store: EventStore, ...commits: readonly Commit[]): Promise<Head> {
  const outcome = await store.append(commits, store.head().position);
  if (isConflict(outcome)) throw new Error(`Conflict at ${outcome.position} on ${outcome.stream}`);
  return outcome;
}

/** Returns the positions of events, which most tests compare. */
export function positions(events: Iterable<StoredEvent>): number[] {
  return Array.from(events, ({ position }) => position);
}
