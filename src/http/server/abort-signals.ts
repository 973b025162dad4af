import type { ServerResponse } from 'node:http';
import { listen } from '#process/guard.ts';

export interface AbortSignals {
  /** Aborted when the client disconnects, the response is complete or the server closes. */
  readonly of: (response: ServerResponse) => AbortSignal;
  readonly isClosing: () => boolean;
  /** Called when the server closes: ends everything that could take long. */
  readonly close: () => void;
}

export function createAbortSignals(): AbortSignals {
  const open = new Map<ServerResponse, AbortController>();
  let closing = false;
  return {
    of(response) {
      const known = open.get(response);
      if (known !== undefined) return known.signal;
      const controller = new AbortController();
      if (closing || response.closed) {
        controller.abort();
        return controller.signal;
      }
      open.set(response, controller);
      const leave = () => {
        open.delete(response);
        controller.abort();
      };
      listen(response, 'close', leave, () => undefined);
      return controller.signal;
    },
    isClosing: () => closing,
    close() {
      closing = true;
      for (const controller of open.values()) controller.abort();
    },
  };
}
