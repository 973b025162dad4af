import type { Viewer } from '#domain/user/roles.ts';
import type { Journal } from './journal.ts';
import type { Source } from './source.ts';
import type { TurnQueue } from './turn-queue.ts';

export interface FeedReading {
  readonly source: Source;
  readonly journal: Journal;
  readonly turn: TurnQueue;
  readonly viewer: Viewer;
  /** Aborted when the client disconnects, or when the viewer may no longer read. */
  readonly gone: AbortSignal;
  readonly from: number;
}
