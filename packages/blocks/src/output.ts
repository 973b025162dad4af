/** Maximum size in bytes of a buffer kept for the next text. */
const LARGEST_SPARE = 1 << 20;

/** Number of characters from which adopting a part is faster than copying it. */
const LONG = 128;

/** Number of characters up to which a growing string is faster than a buffer. */
const SHORT = 1 << 14;

const none: Uint8Array = new Uint8Array(0);
let spare: Uint8Array | null = null;

/**
 * Builds a text, a long one in a buffer. A long string built with `+=` is a tree of millions of objects, which costs most of its time in
 * garbage collection.
 */
export class Output {
  /** The beginning, up to about `SHORT` characters. */
  #beginning = '';
  readonly #chunks: string[] = [];
  #narrow: Uint8Array = none;
  #wide: Uint16Array | null = null;
  #length = 0;

  /** Appends the part of a text from `start` to `end`. */
  add(text: string, start = 0, end = text.length): void {
    if (this.#beginning.length < SHORT) {
      this.#beginning += end - start === text.length ? text : text.slice(start, end);
      return;
    }
    if (this.#narrow === none) this.#narrow = takeSpare();
    if (end - start >= LONG) {
      this.#flush();
      this.#chunks.push(text.slice(start, end));
      return;
    }
    const from = this.#wide === null ? this.#addNarrow(text, start, end) : start;
    if (from < end) this.#addWide(text, from, end);
  }

  finish(): string {
    if (this.#narrow === none) return this.#beginning;
    this.#flush();
    if (this.#narrow.length <= LARGEST_SPARE) spare = this.#narrow;
    this.#narrow = none;
    return this.#beginning + this.#chunks.join('');
  }

  #flush(): void {
    const length = this.#length;
    if (length === 0) return;
    const wide = this.#wide;
    const text =
      wide === null
        ? Buffer.from(this.#narrow.buffer, 0, length).toString('latin1')
        : Buffer.from(wide.buffer, 0, length * 2).toString('utf16le');
    this.#chunks.push(text);
    this.#wide = null;
    this.#length = 0;
  }

  /** Returns the offset of the first character that does not fit into a byte, or `end`. */
  #addNarrow(text: string, start: number, end: number): number {
    let to = this.#length;
    if (to + end - start > this.#narrow.length) this.#narrow = grown(this.#narrow, to + end - start);
    const buffer = this.#narrow;
    let at = start;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > 255) {
        this.#wide = Uint16Array.from(buffer);
        break;
      }
      buffer[to++] = code;
    }
    this.#length = to;
    return at;
  }

  #addWide(text: string, start: number, end: number): void {
    let buffer = this.#wide ?? new Uint16Array(end - start);
    let to = this.#length;
    if (to + end - start > buffer.length) buffer = grown(buffer, to + end - start);
    for (let at = start; at < end; at++) buffer[to++] = text.charCodeAt(at);
    this.#wide = buffer;
    this.#length = to;
  }
}

function takeSpare(): Uint8Array {
  const taken = spare ?? new Uint8Array(4096);
  spare = null;
  return taken;
}

function grown<T extends Uint8Array | Uint16Array>(buffer: T, needed: number): T;
function grown(buffer: Uint8Array | Uint16Array, needed: number): Uint8Array | Uint16Array {
  const length = Math.max(needed, buffer.length * 2);
  const larger = buffer instanceof Uint8Array ? new Uint8Array(length) : new Uint16Array(length);
  larger.set(buffer);
  return larger;
}
