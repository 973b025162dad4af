import { type ObjectStore, ObjectsUnavailable } from './port.ts';

/** Milliseconds between two probes of an unreachable store. */
const interval = 5000;

/** Tracks whether a store is reachable: detects faults by failing requests, and recovery by probes. */
export interface Reach {
  /** The store, with its requests observed. */
  readonly store: ObjectStore;
  /** Why the store is unreachable; null if it is not known to be. */
  readonly fault: string | null;
  /** Probes the store, repeatedly while it fails. Returns a function that stops the probes. */
  start(): () => void;
}

export function reachOf(store: ObjectStore, onWarning: (message: string) => void): Reach {
  let fault: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = true;

  function failed(error: unknown): never {
    if (error instanceof ObjectsUnavailable) {
      if (fault === null) onWarning(`uploaded files cannot be reached: ${error.message}`);
      fault = error.message;
      if (!isStopped) timer ??= setTimeout(probe, interval).unref();
    }
    throw error;
  }

  async function noted<T>(work: Promise<T>): Promise<T> {
    const value = await work.catch(failed);
    if (fault !== null) onWarning('uploaded files can be reached again');
    fault = null;
    return value;
  }

  async function probe(): Promise<void> {
    timer = undefined;
    await noted(store.list('tmp/')[Symbol.asyncIterator]().next()).catch(() => undefined);
  }

  return {
    store: {
      ...store,
      head: (key) => noted(store.head(key)),
      read: (key, part) => noted(store.read(key, part)),
      put: (key, source) => noted(store.put(key, source)),
      take: (key, path) => noted(store.take(key, path)),
      remove: (key) => noted(store.remove(key)),
      now: () => noted(store.now()),
    },
    get fault() {
      return fault;
    },
    start() {
      isStopped = false;
      probe();
      return () => {
        isStopped = true;
        clearTimeout(timer);
      };
    },
  };
}
