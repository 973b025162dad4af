import type { ChainLink } from '#eventstore/chain.ts';

/** A line without its newline, as received, and the offset in the source at which the next one begins. */
export interface Line {
  readonly bytes: Buffer;
  readonly end: number;
}

export const newline = 10;

/** Default maximum length of a line in bytes. */
const longestLine = 256 * 1024 * 1024;

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

export interface Lines {
  /** Lines that the next piece completes. Throws `LineTooLong`. */
  take(piece: Uint8Array): Generator<Line>;
  /** Number of bytes after the last newline. */
  readonly buffered: number;
}

export function createLines(longest = longestLine): Lines {
  let parts: Buffer[] = [];
  let buffered = 0;
  let end = 0;
  return {
    get buffered() {
      return buffered;
    },
    *take(piece) {
      const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      let start = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        const last = chunk.subarray(start, at);
        const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
        end += bytes.length + 1;
        parts = [];
        buffered = 0;
        start = at + 1;
        yield { bytes, end };
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
      buffered += chunk.length - start;
      if (buffered > longest) throw new LineTooLong('a line is longer than any commit');
    },
  };
}

/** Groups events into commits. Events left at the end are yielded as an incomplete commit. */
export function* commitsOf<E extends ChainLink>(events: Iterable<E>): Generator<readonly E[]> {
  let commit: E[] = [];
  for (const event of events) {
    commit.push(event);
    if (event.hash === null) continue;
    yield commit;
    commit = [];
  }
  if (commit.length > 0) yield commit;
}
