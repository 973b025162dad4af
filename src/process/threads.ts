import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface Thread {
  readonly worker: Worker;
  /** Ends it, at the earliest when it has sent its first message. */
  end(): Promise<void>;
}

/**
 * Starts a thread that says when it is loaded. V8 aborts the process when a thread is ended while it evaluates a module that had to wait
 * for another with top-level `await`, as those that load plugins have. So a thread works only in a later turn, and is not ended before.
 */
export function startThread(url: URL, options: WorkerOptions): Thread {
  const worker = new Worker(url, options);
  worker.unref();
  const loaded = Promise.race([once(worker, 'message'), once(worker, 'exit')]).catch(() => undefined);
  return {
    worker,
    async end() {
      worker.ref();
      await loaded;
      await worker.terminate();
    },
  };
}
