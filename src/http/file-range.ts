/** A part of a file: first and last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})[ \t]*-[ \t]*(\d{0,15})[ \t]*$/i;

/**
 * The part that a `Range` header asks for; null for the whole (also when it asks for several, or for what is no part),
 * `beyond` when nothing of the file is in it.
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
