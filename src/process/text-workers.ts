import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { RunText, TextWork } from '#text/suspended.ts';

export class TooManyTexts extends Error {
  override readonly name = 'TooManyTexts';
}

interface Task {
  readonly work: TextWork;
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

type Said = { readonly result: string } | { readonly fault: string };

export interface TextWorkersOptions {
  readonly file?: URL;
  /** Maximum milliseconds per task. */
  readonly deadline?: number;
  /** Milliseconds after which an idle thread ends. */
  readonly idleTime?: number;
}

const max = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Maximum number of waiting tasks. */
const longest = 256;
/** Concatenated strings become garbage at once: a large young generation makes this work twice as fast. */
const resourceLimits = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 2048 };

/** Runs text jobs in threads that start on demand and end when idle. Every task settles, even if its thread fails. */
export function createTextWorkers(options: TextWorkersOptions = {}): RunText {
  const workers = new TextWorkers(options);
  return ({ job, texts }) => new Promise((resolve, reject) => workers.run({ work: { job, texts }, resolve, reject }));
}

class TextWorkers {
  readonly #file: URL;
  readonly #deadline: number;
  readonly #idleTime: number;
  readonly #waiting: Task[] = [];
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  #count = 0;

  constructor({
    file = new URL('./text-worker.ts', import.meta.url),
    deadline = 300_000,
    idleTime = 5000,
  }: TextWorkersOptions) {
    this.#file = file;
    this.#deadline = deadline;
    this.#idleTime = idleTime;
  }

  run(task: Task): void {
    if (this.#waiting.length >= longest) {
      task.reject(new TooManyTexts('too many long texts are waiting'));
      return;
    }
    this.#waiting.push(task);
    this.#next();
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const rested = this.#idle.pop();
    if (rested === undefined && this.#count >= max) return;
    clearTimeout(rested?.timer);
    const task = this.#waiting.shift();
    if (task === undefined) return;
    try {
      this.#give(rested?.worker ?? this.#start(), task);
    } catch (error) {
      task.reject(new Error('no thread for texts can be started', { cause: error }));
    }
  }

  #rest(worker: Worker): void {
    const end = () => {
      this.#leave(worker);
      void worker.terminate();
    };
    this.#idle.push({ worker, timer: setTimeout(end, this.#idleTime).unref() });
  }

  #leave(worker: Worker): void {
    const place = this.#idle.findIndex((one) => one.worker === worker);
    if (place >= 0) this.#idle.splice(place, 1);
  }

  #start(): Worker {
    // Throws where the system allows no more threads.
    const worker = new Worker(this.#file, { resourceLimits });
    this.#count++;
    worker.unref();
    // Errors of idle threads do not matter.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.#count--;
      this.#leave(worker);
      this.#next();
    });
    return worker;
  }

  #give(worker: Worker, task: Task): void {
    const ended = (error: unknown) => {
      stop();
      void worker.terminate();
      task.reject(new Error('a thread that works on texts has ended', { cause: error }));
    };
    const timer = setTimeout(() => ended('it took too long'), this.#deadline);
    const onSaid = (said: Said) => {
      stop();
      if ('result' in said) task.resolve(said.result);
      else task.reject(new Error(said.fault));
      this.#rest(worker);
      this.#next();
    };
    const stop = () => {
      clearTimeout(timer);
      worker.off('message', onSaid);
      worker.off('exit', ended);
      worker.off('error', ended);
    };
    worker.once('message', onSaid);
    worker.once('exit', ended);
    worker.once('error', ended);
    worker.postMessage(task.work);
  }
}

export const textWorkers: RunText = createTextWorkers();
