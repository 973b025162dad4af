import { setImmediate as turn } from 'node:timers/promises';
import { type Params, SingleBar } from 'cli-progress';

export interface Task {
  /** Beginning of a progress line: `checking the chain`. */
  readonly name: string;
  /** Total amount; 0: unknown. */
  readonly total: number;
  /** Unit of the amount: `events`. */
  readonly unit: string;
  /** Amount done by an earlier run. Default: 0. */
  readonly from?: number;
}

export interface ShownProgress {
  /**
   * Reports the amount done. Must be awaited: it yields to the terminal, signals and other work now and then. Rejects with `Stopped` once
   * the work should end; work that ends like this leaves nothing half done.
   */
  at(done: number): Promise<void>;
  end(): void;
}

/** Starts a task. Throws `Stopped` if the work should end. */
export type StartProgress = (task: Task) => ShownProgress;

export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Where progress is shown: as a bar on a terminal, otherwise as plain lines. */
export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** Aborted when the work should end. */
  readonly signal: AbortSignal;
  /** Milliseconds since any fixed time. Default: the running time of this process. */
  readonly clock?: () => number;
}

/** Maximum time without yielding, in milliseconds. */
const MAX_BLOCKING_MS = 50;
/** Milliseconds between two plain lines; shorter work prints none. */
const pause = 5000;

export function progressOn({ stream, signal, clock = () => performance.now() }: ProgressOptions): StartProgress {
  const check = () => {
    if (signal.aborted) throw new Stopped('stopped');
  };
  return (task) => {
    check();
    const began = clock();
    const show = stream.isTTY ? bar(stream, task) : lines(stream, began);
    let yieldedAt = began;
    return {
      async at(done) {
        check();
        const now = clock();
        if (now - yieldedAt < MAX_BLOCKING_MS) return;
        yieldedAt = now;
        show.at(done, now, progressText(task, done, now - began));
        await turn();
        check();
      },
      end: () => show.end(),
    };
  };
}

/** Amounts from which a rate says something. */
const leastForRate = 10;

/** Progress with rate and remaining time: `120 of 1,000 events, 60/s, 15 s left`. */
export function progressText({ name, total, unit, from = 0 }: Task, done: number, milliseconds: number): string {
  if (total === 0 && done === 0) return name;
  const rate = milliseconds === 0 ? 0 : ((done - from) * 1000) / milliseconds;
  const counted = `${name}: ${amount(done)}${total > 0 ? ` of ${amount(total)}` : ''} ${unit}`;
  if (done - from < leastForRate) return counted;
  const text = `${counted}, ${amount(rate)}/s`;
  return total > 0 && rate > 0 ? `${text}, ${duration(Math.max(0, total - done) / rate)} left` : text;
}

interface Shown {
  at(done: number, now: number, text: string): void;
  end(): void;
}

function bar(stream: NodeJS.WriteStream, { total, from = 0 }: Task): Shown {
  const format = (_: unknown, { progress }: Params, { text }: { text: string }) => drawn(total, progress) + text;
  const single = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true });
  single.start(total, from, { text: '' });
  return {
    at: (done, _, text) => single.update(done, { text }),
    end: () => single.stop(),
  };
}

function drawn(total: number, progress: number): string {
  if (total === 0) return '';
  const full = Math.round(Math.min(1, Math.max(0, progress)) * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} `;
}

const width = 24;

function lines(stream: NodeJS.WriteStream, began: number): Shown {
  let last = began;
  return {
    at(_, now, text) {
      if (now - last < pause) return;
      last = now;
      stream.write(`${text}\n`);
    },
    end: () => undefined,
  };
}

function amount(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
