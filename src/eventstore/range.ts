import type { ReadQuery, SealedPart } from './port.ts';

/** A read query with its bounds resolved: positions, or revisions of `stream`. Empty if `low` > `high`. */
export interface Range {
  readonly stream: string | null;
  readonly low: number;
  readonly high: number;
  readonly backwards: boolean;
  readonly limit: number;
  readonly sealed: SealedPart;
}

/** Resolves the bounds of a read; `top` is the highest position (or revision of the stream). */
export function rangeOfRead(query: ReadQuery, top: number): Range {
  const backwards = query.direction === 'backwards';
  const low = (backwards ? query.to : query.from) ?? 1;
  const high = (backwards ? query.from : query.to) ?? top;
  return {
    stream: query.stream ?? null,
    low: Math.max(1, Math.ceil(low)),
    high: Math.min(top, Math.floor(high)),
    backwards,
    limit: Math.floor(query.limit ?? Number.POSITIVE_INFINITY),
    sealed: query.sealed ?? 'whole',
  };
}
