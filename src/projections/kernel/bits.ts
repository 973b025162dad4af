/** A set of small integers, one bit each; anything beyond the end is not in it. */
export type Bits = Uint32Array;

export function newBits(capacity: number): Bits {
  return new Uint32Array((capacity + 31) >>> 5);
}

export function hasBit(bits: Bits, i: number): boolean {
  return (((bits[i >>> 5] ?? 0) >>> (i & 31)) & 1) === 1;
}

/** `i` must be within the capacity. */
export function setBit(bits: Bits, i: number): void {
  bits[i >>> 5]! |= 1 << (i & 31);
}

export function clearBit(bits: Bits, i: number): void {
  if (i >>> 5 < bits.length) bits[i >>> 5]! &= ~(1 << (i & 31));
}

/** A copy with room for at least `capacity`. */
export function grownBits(bits: Bits, capacity: number): Bits {
  const grown = new Uint32Array(Math.max(bits.length, (capacity + 31) >>> 5));
  grown.set(bits);
  return grown;
}

/** Keeps in `bits` only members of `others`. */
export function keepBits(bits: Bits, others: Bits): void {
  const n = Math.min(bits.length, others.length);
  for (let i = 0; i < n; i++) bits[i]! &= others[i]!;
  bits.fill(0, n);
}

/** Removes `others` from `bits`. */
export function dropBits(bits: Bits, others: Bits): void {
  const n = Math.min(bits.length, others.length);
  for (let i = 0; i < n; i++) bits[i]! &= ~others[i]!;
}

/** Adds `others`, as far as they are within the capacity. */
export function addBits(bits: Bits, others: Bits): void {
  const n = Math.min(bits.length, others.length);
  for (let i = 0; i < n; i++) bits[i]! |= others[i]!;
}

/** Adds what three sets have in common, as far as it is within the capacity. */
export function addCommon(bits: Bits, some: Bits, others: Bits, more: Bits): void {
  const n = Math.min(bits.length, some.length, others.length, more.length);
  for (let i = 0; i < n; i++) bits[i]! |= some[i]! & others[i]! & more[i]!;
}

/** What two sets have in common. */
export function commonBits(some: Bits, others: Bits): Bits {
  const common = some.slice();
  keepBits(common, others);
  return common;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) {
    // As integers of 32 bits, all of this is several times as fast.
    const word = bits[i]! | 0;
    if (word !== 0) count = (count + onesIn(word)) | 0;
  }
  return count;
}

/** Whether two sets have at least so many members in common. */
export function haveCommon(some: Bits, others: Bits, least: number): boolean {
  const n = Math.min(some.length, others.length);
  let count = 0;
  for (let i = 0; i < n && count < least; i++) count += onesIn(some[i]! & others[i]!);
  return count >= least;
}

function onesIn(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0;
  const fours = ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function noBits(bits: Bits): boolean {
  for (let i = 0; i < bits.length; i++) if (bits[i] !== 0) return false;
  return true;
}

export function* eachBit(bits: Bits): Generator<number> {
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i]!; word !== 0; word &= word - 1) yield i * 32 + 31 - Math.clz32(word & -word);
  }
}

export function bitsToArray(bits: Bits): number[] {
  const members: number[] = [];
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i]!; word !== 0; word &= word - 1) members.push(i * 32 + 31 - Math.clz32(word & -word));
  }
  return members;
}

/** Index of the first of some ascending integers that is not below `least`. */
export function lowerBound(sorted: ArrayLike<number>, least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
