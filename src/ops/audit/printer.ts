import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Stopped } from '../progress.ts';

export interface Printer {
  /** Waits while the reader is slow. Returns false once the reader is gone (`| head`). Throws `Stopped`. */
  print(text: string): Promise<boolean>;
  /** Yields to pending signals now and then. Throws `Stopped`. */
  yieldToEvents(): Promise<void>;
}

/** Maximum time without yielding to signals, in milliseconds. */
const MAX_BLOCKING_MS = 50;

/** Prints to a stream until its reader is gone or the signal aborts. */
export function printerTo(output: NodeJS.WritableStream, signal: AbortSignal): Printer {
  let gone = false;
  let yieldedAt = performance.now();
  output.on('error', () => {
    gone = true;
  });
  const yieldToEvents = async () => {
    if (performance.now() - yieldedAt < MAX_BLOCKING_MS) return;
    await turn();
    yieldedAt = performance.now();
    if (signal.aborted) throw new Stopped('stopped');
  };
  return {
    yieldToEvents,
    async print(text) {
      if (!gone && !output.write(text)) {
        // If the reader goes away, the stream emits an error, which ends the wait as well.
        await once(output, 'drain', { signal }).catch(() => undefined);
        if (signal.aborted) throw new Stopped('stopped');
      }
      await yieldToEvents();
      return !gone;
    },
  };
}
