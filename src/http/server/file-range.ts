/** A part of a file: first and last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})[ \t]*-[ \t]*(\d{0,15})[ \t]*$/i;

/**
 * The part requested by a `Range` header; null for the whole file (also for several ranges or an invalid one), `beyond` if the file
 * ends before it.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'beyond' | null {
  const [, from, to] = ONE_RANGE.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') return lastBytes(Number(to), size);
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < start) return null;
  return start >= size ? 'beyond' : { start, end };
}

function lastBytes(count: number, size: number): ByteRange | 'beyond' {
  return count === 0 || size === 0 ? 'beyond' : { start: Math.max(0, size - count), end: size - 1 };
}
