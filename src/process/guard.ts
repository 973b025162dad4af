import type { EventEmitter } from 'node:events';

/**
 * The only place that attaches callbacks to events, timers, abort signals and promises that are not awaited. An exception in one has no
 * caller and would end the process; here it is passed to `fail`.
 */
export type Fail = (error: unknown) => void;

/** Cancels the callback. */
export type Stop = () => void;

export function listen<A extends readonly unknown[]>(
  emitter: Pick<EventEmitter, 'on' | 'off'>,
  event: string,
  work: (...args: A) => void,
  fail: Fail,
): Stop {
  const listener = (...args: unknown[]) => {
    try {
      work(...(args as unknown as A));
    } catch (error) {
      report(error, fail);
    }
  };
  emitter.on(event, listener);
  return () => emitter.off(event, listener);
}

/** Attaches one listener to many emitters, which avoids a closure for each; `work` receives the emitter. */
export function listenAlike<E extends Pick<EventEmitter, 'on'>>(
  event: string,
  work: (emitter: E) => void,
  fail: Fail,
): (emitter: E) => void {
  const listener = function (this: E) {
    guard(() => work(this), fail);
  };
  return (emitter) => void emitter.on(event, listener);
}

/** Runs `work` after a delay in milliseconds. */
export function after(ms: number, work: () => void, fail: Fail): Stop {
  const timer = setTimeout(() => guard(work, fail), ms);
  return () => clearTimeout(timer);
}

export interface Regularity {
  /** Milliseconds from the end of one run to the beginning of the next; a function is asked each time. */
  readonly pause: number | (() => number);
  /** Milliseconds until the first run. Default: a pause. */
  readonly first?: number;
  /** Milliseconds after a run that failed. Default: a pause. */
  readonly afterFault?: number;
}

/** Does `work` again and again, never twice at a time. A run that fails does not end that. It keeps no process running. */
export function regularly(work: () => unknown, { pause, first, afterFault }: Regularity, fail: Fail): Stop {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const usual = () => (typeof pause === 'number' ? pause : pause());
  const wait = (ms: number) => {
    if (!isOver) timer = setTimeout(run, ms).unref();
  };
  const failed = (error: unknown) => {
    if (!isOver) report(error, fail);
    wait(afterFault ?? usual());
  };
  const run = () => {
    try {
      const done = work();
      if (done instanceof Promise) done.then(() => wait(usual()), failed);
      else wait(usual());
    } catch (error) {
      failed(error);
    }
  };
  wait(first ?? usual());
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

export function onAbort(signal: AbortSignal, work: () => void, fail: Fail): Stop {
  const listener = () => guard(work, fail);
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

export function detach(work: () => Promise<unknown>, fail: Fail): void {
  guard(() => {
    work().catch((error: unknown) => guard(() => fail(error), ignore));
  }, fail);
}

export function guard(work: () => void, fail: Fail): void {
  try {
    work();
  } catch (error) {
    report(error, fail);
  }
}

function report(error: unknown, fail: Fail): void {
  try {
    fail(error);
  } catch {
    // A failing fault handler has nowhere to report.
  }
}

/** For work that may fail without anybody having to know. */
export function ignore(): void {}
