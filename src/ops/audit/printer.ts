import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Stopped } from '../progress.ts';

export interface Printer {
  /** Waits while the reader is slow; answers false when nobody reads any more (`| head`). Throws `Stopped`. */
  print(text: string): Promise<boolean>;
  /** Lets signals have their turn now and then. Throws `Stopped`. */
  breathe(): Promise<void>;
}

/** Milliseconds that work may go on without letting signals have their turn. */
const breath = 50;

/** Prints to a stream that may be closed at its other end, until it is or somebody wants to stop. */
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
        // A reader that went away fires an error instead, which ends the wait as well.
        await once(output, 'drain', { signal }).catch(() => undefined);
        if (signal.aborted) throw new Stopped('stopped');
      }
      await breathe();
      return !gone;
    },
  };
}
