import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface Thread {
  readonly worker: Worker;
  /** Ends it at once, also while it starts. */
  end(): Promise<void>;
}

/** Starts a thread that evaluates a module, and does not keep the process running. */
export function startThread(url: URL, options: WorkerOptions): Thread {
  const worker = new Worker(new URL('./thread-entry.ts', import.meta.url), { ...options, argv: [url.href] });
  worker.unref();
  return {
    worker,
    async end() {
      worker.ref();
      await worker.terminate();
    },
  };
}
