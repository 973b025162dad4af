/**
 * Highest position whose time is at or before `at`, by binary search: times never go back along the log, so no index is needed. `at` is
 * an ISO 8601 time with a zone; throws `RangeError` when it is invalid.
 */
export function lastPositionAt(at: string, top: number, timeOf: (position: number) => string): number {
  const time = new Date(at).toISOString();
  let low = 0;
  let high = top;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (timeOf(middle) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
