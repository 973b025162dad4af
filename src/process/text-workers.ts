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
export function createTextWorkers({
  file = new URL('./text-worker.ts', import.meta.url),
  deadline = 300_000,
  idleTime = 5000,
}: TextWorkersOptions = {}): RunText {
  const waiting: Task[] = [];
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  let count = 0;

  function next(): void {
    if (waiting.length === 0) return;
    const rested = idle.pop();
    if (rested === undefined && count >= max) return;
    clearTimeout(rested?.timer);
    const task = waiting.shift();
    if (task !== undefined) give(rested?.worker ?? start(), task);
  }

  function rest(worker: Worker): void {
    const end = () => {
      leave(worker);
      void worker.terminate();
    };
    idle.push({ worker, timer: setTimeout(end, idleTime).unref() });
  }

  function leave(worker: Worker): void {
    const place = idle.findIndex((one) => one.worker === worker);
    if (place >= 0) idle.splice(place, 1);
  }

  function start(): Worker {
    count++;
    const worker = new Worker(file, { resourceLimits });
    worker.unref();
    // Errors of idle threads do not matter.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      count--;
      leave(worker);
      next();
    });
    return worker;
  }

  function give(worker: Worker, task: Task): void {
    const ended = (error: unknown) => {
      stop();
      void worker.terminate();
      task.reject(new Error('a thread that works on texts has ended', { cause: error }));
    };
    const timer = setTimeout(() => ended('it took too long'), deadline);
    const onSaid = (said: Said) => {
      stop();
      if ('result' in said) task.resolve(said.result);
      else task.reject(new Error(said.fault));
      rest(worker);
      next();
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

  return ({ job, texts }) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= longest) return reject(new TooManyTexts('too many long texts are waiting'));
      waiting.push({ work: { job, texts }, resolve, reject });
      next();
    });
}

export const textWorkers: RunText = createTextWorkers();
