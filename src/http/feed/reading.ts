import { setImmediate as turn } from 'node:timers/promises';
import type { Viewer } from '#domain/user/roles.ts';
import { after, onAbort } from '#process/guard.ts';
import type { Journal } from './journal.ts';
import type { Source } from './source.ts';

export interface FeedReading {
  readonly source: Source;
  readonly journal: Journal;
  readonly turn: TurnQueue;
  readonly viewer: Viewer;
  /** Aborted when the client disconnects, or when the viewer may no longer read. */
  readonly gone: AbortSignal;
  readonly from: number;
}

/** Resolves when it is the caller's turn. */
export type TurnQueue = () => Promise<void>;

export interface Pause {
  readonly source: Source;
  readonly position: number;
  /** The longest wait. */
  readonly ms: number;
  readonly gone: AbortSignal;
}

/**
 * Lets one caller pass in each turn of the event loop, in the order of arrival: however many readers follow the log, other requests
 * wait for at most one page of it.
 */
export function createTurnQueue(): TurnQueue {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => turn());
    await last;
  };
}

/** Resolves when the model is past `position`, after `ms` milliseconds, or when `gone` is aborted. */
export function pause({ source, position, ms, gone }: Pause): Promise<void> {
  return new Promise((resolve, reject) => {
    if (gone.aborted || source.model().position > position) return resolve();
    const end = () => {
      stopListening();
      stopWaiting();
      stopWatching();
      resolve();
    };
    const stopListening = source.changed(end);
    const stopWaiting = after(Math.max(0, ms), end, reject);
    const stopWatching = onAbort(gone, end, reject);
  });
}
