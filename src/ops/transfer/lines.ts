/** A line without its end, and how many bytes of the source lie before the next one. */
export interface Line {
  readonly text: string;
  readonly end: number;
  /** False for what is left behind the last line's end. */
  readonly whole: boolean;
}

/** Longest line that is taken, in bytes, if the caller says nothing else. */
const longestLine = 256 * 1024 * 1024;

/** Something that is no text in lines. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/** Lines of what comes in, as it comes in. Throws `LineTooLong`. */
export async function* linesOf(source: AsyncIterable<Buffer | string>, longest = longestLine): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let held = 0;
  let end = 0;
  for await (const piece of source) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, at);
      const text = parts.length === 0 ? last.toString() : Buffer.concat([...parts, last]).toString();
      end += held + last.length + 1;
      yield { text, end, whole: true };
      parts = [];
      held = 0;
      start = at + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    held += chunk.length - start;
    if (held > longest) throw new LineTooLong('a line is longer than any commit');
  }
  if (held > 0) yield { text: Buffer.concat(parts).toString(), end: end + held, whole: false };
}
