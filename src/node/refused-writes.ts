import { isAnnounced } from '#eventstore/port.ts';
import type { Store } from './types.ts';

/** Wraps `submit`, and calls back for each write refused by an outage that the log has already reported. */
export function countRefused(submit: Store['submit'], onRefused: () => void): Store['submit'] {
  return async (context, work) => {
    try {
      return await submit(context, work);
    } catch (error) {
      if (isAnnounced(error)) onRefused();
      throw error;
    }
  };
}
