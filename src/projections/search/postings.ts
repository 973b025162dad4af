import { type Bits, hasBit } from '../collection/bits.ts';
import type { ByteSink, NumberSink } from './bytes.ts';

/** The ords that postings of one segment can speak of: `words` times 32, from `base`, a multiple of 32. */
export interface Range {
  readonly base: number;
  readonly words: number;
}

/** Ascending ords as distances, seven bits a byte; or as a bitmap, when that is not longer. */
export function writePostings(sink: ByteSink, ords: Uint32Array, range: Range): void {
  if (ords.length === 0) return;
  if (distancesSize(ords, range) >= range.words * 4) {
    writeBitmap(sink.extend(range.words * 4), ords, range);
    return;
  }
  let before = range.base - 1;
  for (let i = 0; i < ords.length; i++) {
    let distance = ords[i]! - before - 1;
    for (; distance > 127; distance >>>= 7) sink.push((distance & 127) | 128);
    sink.push(distance);
    before = ords[i]!;
  }
}

/** Adds what `writePostings` wrote to `bits`, as far as it is within the capacity. */
export function addPostings(postings: Uint8Array, { base, words }: Range, bits: Bits): void {
  if (postings.length === words * 4) {
    for (let i = 0, word = base >>> 5; i < postings.length; i += 4, word++) {
      bits[word]! |= postings[i]! | (postings[i + 1]! << 8) | (postings[i + 2]! << 16) | (postings[i + 3]! << 24);
    }
    return;
  }
  let ord = base - 1;
  for (let i = 0; i < postings.length; ) {
    let byte = postings[i++]!;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[i++]!;
      distance |= (byte & 127) << shift;
    }
    ord += distance + 1;
    bits[ord >>> 5]! |= 1 << (ord & 31);
  }
}

/** Writes those of the ords that are `live` to `sink`, in ascending order. */
export function listPostings(
  postings: Uint8Array,
  range: Range,
  { sink, live }: { sink: NumberSink; live: Bits },
): void {
  const { base, words } = range;
  if (postings.length === words * 4) {
    for (let at = 0; at < words * 32; at++) {
      if (((postings[at >>> 3]! >>> (at & 7)) & 1) === 1 && hasBit(live, base + at)) sink.push(base + at);
    }
    return;
  }
  let ord = base - 1;
  for (let i = 0; i < postings.length; ) {
    let byte = postings[i++]!;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = postings[i++]!;
      distance |= (byte & 127) << shift;
    }
    ord += distance + 1;
    if (hasBit(live, ord)) sink.push(ord);
  }
}

function distancesSize(ords: Uint32Array, { base }: Range): number {
  let size = 0;
  let before = base - 1;
  for (let i = 0; i < ords.length; i++) {
    const distance = ords[i]! - before - 1;
    size += distance < 1 << 7 ? 1 : distance < 1 << 14 ? 2 : distance < 1 << 21 ? 3 : distance < 1 << 28 ? 4 : 5;
    before = ords[i]!;
  }
  return size;
}

function writeBitmap(bitmap: Uint8Array, ords: Uint32Array, { base }: Range): void {
  for (let i = 0; i < ords.length; i++) {
    const at = ords[i]! - base;
    bitmap[at >>> 3]! |= 1 << (at & 7);
  }
}
