import { isAnnounced } from '#eventstore/port.ts';
import type { Store } from './types.ts';

/** Submits as given, and calls back for each write that an outage refuses which the log has reported. */
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
