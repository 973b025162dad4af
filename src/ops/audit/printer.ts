import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Stopped } from '../progress.ts';

export interface Printer {
  /** Waits while the reader is slow. Returns false once the reader is gone (`| head`). Throws `Stopped`. */
  print(text: string): Promise<boolean>;
  /** Yields to pending signals now and then. Throws `Stopped`. */
  breathe(): Promise<void>;
}

/** Maximum time without yielding to signals, in milliseconds. */
const breath = 50;

/** Prints to a stream until its reader is gone or the signal aborts. */
export function printerTo(output: NodeJS.WritableStream, signal: AbortSignal): Printer {
  let gone = false;
  let breathed = performance.now();
  output.on('error', () => {
    gone = true;
  });
  const breathe = async () => {
    if (performance.now() - breathed < breath) return;
    await turn();
    breathed = performance.now();
    if (signal.aborted) throw new Stopped('stopped');
  };
  return {
    breathe,
    async print(text) {
      if (!gone && !output.write(text)) {
        // If the reader goes away, the stream emits an error, which ends the wait as well.
        await once(output, 'drain', { signal }).catch(() => undefined);
        if (signal.aborted) throw new Stopped('stopped');
      }
      await breathe();
      return !gone;
    },
  };
}
