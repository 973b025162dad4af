import { type ObjectStore, ObjectsUnavailable } from './port.ts';

/** Milliseconds between two tries while a store cannot be reached. */
const interval = 5000;

/** Whether the store of files can be reached: known by what fails, and afterwards by trying. */
export interface Reach {
  /** The same store; what it does is taken note of. */
  readonly store: ObjectStore;
  /** Why it cannot be reached; null while it can, as far as is known. */
  readonly fault: string | null;
  /** Asks it for something small, and goes on with that while it fails; answers how to stop. */
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
