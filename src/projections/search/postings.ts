import { type Bits, hasBit } from '../collection/bits.ts';
import type { ByteSink, NumberSink } from './bytes.ts';

/** The ords that postings of one segment can speak of: `words` times 32, from `base`, a multiple of 32. */
export interface Range {
  readonly base: number;
  readonly words: number;
}

/** A stretch of bytes that one list of postings takes up. */
export interface Stretch {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** How many bytes `writePostings` takes for ascending ords. */
export function postingsSize(ords: Uint32Array, { base, words }: Range): number {
  let size = 0;
  let before = base - 1;
  for (let i = 0; i < ords.length; i++) {
    const distance = ords[i]! - before - 1;
    size += distance < 1 << 7 ? 1 : distance < 1 << 14 ? 2 : distance < 1 << 21 ? 3 : distance < 1 << 28 ? 4 : 5;
    before = ords[i]!;
  }
  return Math.min(size, words * 4);
}

/** Writes ords as distances, seven bits a byte; or as a bitmap, when that is not longer. `size` is `postingsSize`. */
export function writePostings(
  sink: ByteSink,
  ords: Uint32Array,
  { range, size }: { range: Range; size: number },
): void {
  if (isBitmap(size, range)) {
    writeBitmap(sink.extend(size), ords, range);
    return;
  }
  let before = range.base - 1;
  for (let i = 0; i < ords.length; i++) {
    writeNumber(sink, ords[i]! - before - 1);
    before = ords[i]!;
  }
}

/** Adds the ords to `bits`, as far as they are within the capacity. */
export function addPostings(stretch: Stretch, range: Range, bits: Bits): void {
  addPostingsAt(stretch.bytes, stretch.from, stretch.to, range, bits);
}

export function addPostingsAt(bytes: Uint8Array, from: number, to: number, range: Range, bits: Bits): void {
  if (isBitmap(to - from, range)) {
    for (let i = from, word = range.base >>> 5; i < to; i += 4, word++) {
      bits[word]! |= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    }
    return;
  }
  let ord = range.base - 1;
  for (let i = from; i < to; ) {
    let byte = bytes[i++]!;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[i++]!;
      distance |= (byte & 127) << shift;
    }
    ord += distance + 1;
    bits[ord >>> 5]! |= 1 << (ord & 31);
  }
}

/** Adds the ords to `bits` that are not in `marks`. */
export function addPostingsUnless({ bytes, from, to }: Stretch, range: Range, { bits, marks }: Marked): void {
  if (isBitmap(to - from, range)) {
    for (let i = from, word = range.base >>> 5; i < to; i += 4, word++) {
      const some = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
      bits[word]! |= some & ~marks[word]!;
    }
    return;
  }
  let ord = range.base - 1;
  for (let i = from; i < to; ) {
    let byte = bytes[i++]!;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[i++]!;
      distance |= (byte & 127) << shift;
    }
    ord += distance + 1;
    bits[ord >>> 5]! |= (1 << (ord & 31)) & ~marks[ord >>> 5]!;
  }
}

/** Empties the words of `bits` that the ords are in. */
export function clearPostings({ bytes, from, to }: Stretch, range: Range, bits: Bits): void {
  if (isBitmap(to - from, range)) {
    bits.fill(0, range.base >>> 5, (range.base >>> 5) + range.words);
    return;
  }
  let ord = range.base - 1;
  for (let i = from; i < to; ) {
    let byte = bytes[i++]!;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[i++]!;
      distance |= (byte & 127) << shift;
    }
    ord += distance + 1;
    bits[ord >>> 5] = 0;
  }
}

interface Marked {
  readonly bits: Bits;
  readonly marks: Bits;
}

/** Writes those of the ords that are `live` to `sink`, ascending. */
export function listPostings(stretch: Stretch, range: Range, { sink, live }: { sink: NumberSink; live: Bits }): void {
  const { bytes, from, to } = stretch;
  if (isBitmap(to - from, range)) {
    for (let at = 0; at < range.words * 32; at++) {
      const ord = range.base + at;
      if (((bytes[from + (at >>> 3)]! >>> (at & 7)) & 1) === 1 && hasBit(live, ord)) sink.push(ord);
    }
    return;
  }
  let ord = range.base - 1;
  for (let i = from; i < to; ) {
    let byte = bytes[i++]!;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[i++]!;
      distance |= (byte & 127) << shift;
    }
    ord += distance + 1;
    if (hasBit(live, ord)) sink.push(ord);
  }
}

/** Seven bits a byte, the lowest first; the last byte has its highest bit clear. */
export function writeNumber(sink: ByteSink, number: number): void {
  let rest = number;
  for (; rest > 127; rest >>>= 7) sink.push((rest & 127) | 128);
  sink.push(rest);
}

// A list that is as long as a bitmap is one.
function isBitmap(size: number, { words }: Range): boolean {
  return size === words * 4;
}

function writeBitmap(bitmap: Uint8Array, ords: Uint32Array, { base }: Range): void {
  for (let i = 0; i < ords.length; i++) {
    const at = ords[i]! - base;
    bitmap[at >>> 3]! |= 1 << (at & 7);
  }
}
