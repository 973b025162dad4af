import { isAscii } from '#text/fold.ts';

/** A growing array of bytes. */
export class ByteSink {
  #bytes: Uint8Array;
  #size = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
  }

  push(byte: number): void {
    if (this.#size === this.#bytes.length) this.reserve(1);
    this.#bytes[this.#size++] = byte;
  }

  /** Appends `count` zero bytes and returns them for writing. */
  extend(count: number): Uint8Array {
    this.reserve(count);
    this.#size += count;
    return this.#bytes.subarray(this.#size - count, this.#size);
  }

  reserve(count: number): void {
    if (this.#size + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#size + count, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = grown;
  }

  /** What was written; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  /** Gives back the room that is not used. */
  trim(): void {
    this.#bytes = this.#bytes.slice(0, this.#size);
  }
}

/** Numbers beyond which a sink begins another array instead of growing: copying millions would take one long turn. */
const longest = 1 << 18;

export class NumberSink {
  #numbers = new Uint32Array(1024);
  #at = 0;
  readonly #full: Uint32Array[] = [];

  get size(): number {
    return this.#full.length * longest + this.#at;
  }

  push(number: number): void {
    if (this.#at === this.#numbers.length) this.#grow();
    this.#numbers[this.#at++] = number;
  }

  clear(): void {
    this.#full.length = 0;
    this.#at = 0;
  }

  /** What was written; valid until the next write. */
  view(): Uint32Array {
    return this.#full.length === 0 ? this.#numbers.subarray(0, this.#at) : this.finish();
  }

  finish(): Uint32Array {
    const all = new Uint32Array(this.size);
    this.copyTo(all, 0);
    return all;
  }

  copyTo(target: Uint32Array, from: number): void {
    for (const [i, numbers] of this.#full.entries()) target.set(numbers, from + i * longest);
    target.set(this.#numbers.subarray(0, this.#at), from + this.#full.length * longest);
  }

  #grow(): void {
    if (this.#at < longest) {
      const grown = new Uint32Array(this.#at * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
      return;
    }
    this.#full.push(this.#numbers);
    this.#numbers = new Uint32Array(longest);
    this.#at = 0;
  }
}

const packedAtOnce = 1 << 20;

/** Packs several arrays into one array of bytes, each at a multiple of four. Pauses after each megabyte. */
export function* pack(parts: readonly ArrayBufferView[]): Generator<void, Uint8Array> {
  const lengths = [parts.length, ...parts.map(({ byteLength }) => byteLength)];
  const starts: number[] = [];
  let at = lengths.length * 4;
  for (const { byteLength } of parts) {
    starts.push(at);
    at += (byteLength + 3) & ~3;
  }
  const packed = new Uint8Array(at);
  packed.set(new Uint8Array(Uint32Array.from(lengths).buffer));
  for (const [i, { buffer, byteOffset, byteLength }] of parts.entries()) {
    const part = new Uint8Array(buffer, byteOffset, byteLength);
    for (let from = 0; from < byteLength; from += packedAtOnce) {
      packed.set(part.subarray(from, from + packedAtOnce), starts[i]! + from);
      if (from > 0) yield;
    }
  }
  return packed;
}

/** Unpacks arrays without copying them. */
export function unpack(packed: Uint8Array): Uint8Array[] {
  // Views of numbers need an aligned start, which other bytes may lack.
  const bytes = packed.byteOffset % 4 === 0 ? packed : packed.slice();
  const count = numbersIn(bytes.subarray(0, 4))[0] ?? 0;
  const lengths = numbersIn(bytes.subarray(4, 4 + count * 4));
  let at = 4 + count * 4;
  return Array.from(lengths, (length) => {
    const part = bytes.subarray(at, at + length);
    at += (length + 3) & ~3;
    return part;
  });
}

export function numbersIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}

/** A text as a string of its UTF-8 bytes: one byte per character in any script. */
export function toByteString(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}
