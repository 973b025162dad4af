import type { StoredEvent } from '#eventstore/port.ts';
import { type Archive, type AuditQuery, inBrief, search } from './search.ts';

/** Bounds of a timeline page: only events older than `before`, or newer than `after`. */
export interface Cursor {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface TimelinePage {
  readonly events: readonly StoredEvent[];
  /** Cursors of the neighbouring pages; null if there are none. */
  readonly older: number | null;
  readonly newer: number | null;
}

/** Events per page. */
export const pageSize = 50;
export interface PageSource {
  readonly archive: Archive;
  readonly pause: () => Promise<void>;
  /** Events on the page. */
  readonly size?: number;
}

/** Milliseconds of reading before the caller gets a turn. */
const share = 10;

/** One page of the timeline of a query, newest first, its events in brief. `pause` is awaited during the search, to let other work run. */
export async function timelinePage(
  query: AuditQuery,
  cursor: Cursor,
  { archive, pause, size = pageSize }: PageSource,
): Promise<TimelinePage> {
  const isForwards = cursor.after !== undefined;
  const bounded: AuditQuery = {
    ...query,
    direction: isForwards ? 'forwards' : 'backwards',
    low: Math.max(query.low ?? 1, (cursor.after ?? 0) + 1),
    high: Math.min(query.high ?? Number.POSITIVE_INFINITY, (cursor.before ?? Number.POSITIVE_INFINITY) - 1),
  };
  const found: StoredEvent[] = [];
  let until = performance.now() + share;
  for (const event of search(bounded, inBrief(archive))) {
    if (event === null || performance.now() > until) {
      await pause();
      until = performance.now() + share;
    }
    if (event === null) continue;
    if (found.push(event) > size) break;
  }
  const hasMore = found.length > size;
  const events = isForwards ? found.slice(0, size).reverse() : found.slice(0, size);
  const oldest = events.at(-1)?.position ?? null;
  const newest = events[0]?.position ?? null;
  return {
    events,
    older: isForwards || hasMore ? oldest : null,
    newer: isForwards ? (hasMore ? newest : null) : cursor.before === undefined ? null : newest,
  };
}
