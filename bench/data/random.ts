/** A source of numbers in [0, 1). The same seed gives the same numbers on every machine. */
export type Random = () => number;

/** Starts a source from one or more integers. */
export function seeded(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => scramble(mixed ^ seed), 0x9e3779b9);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return scramble(state) / 2 ** 32;
  };
}

/** An integer from 0 up to, but not including, `n`. */
export function below(random: Random, n: number): number {
  return Math.floor(random() * n);
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[below(random, list.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

/** `count` different items, or all if there are fewer. */
export function pickSome<T>(random: Random, list: readonly T[], count: number): T[] {
  const picked = new Set<T>();
  while (picked.size < Math.min(count, list.length)) picked.add(pick(random, list));
  return [...picked];
}

/** `length` hex digits. */
export function hexDigits(random: Random, length: number): string {
  let digits = '';
  while (digits.length < length) digits += below(random, 0x10000).toString(16).padStart(4, '0');
  return digits.slice(0, length);
}

/** Draws indexes by Zipf's law: the one at rank r is drawn in proportion to 1 / r. Alias method, constant time. */
export function zipf(size: number): (random: Random) => number {
  const share = Float64Array.from({ length: size }, (_, rank) => 1 / (rank + 1));
  const mean = share.reduce((sum, weight) => sum + weight, 0) / size;
  const alias = Int32Array.from({ length: size }, (_, i) => i);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < size; i++) {
    share[i] = share[i]! / mean;
    (share[i]! < 1 ? small : large).push(i);
  }
  for (let low = small.pop(), high = large.pop(); low !== undefined && high !== undefined; low = small.pop()) {
    alias[low] = high;
    share[high] = share[high]! - (1 - share[low]!);
    if (share[high]! >= 1) continue;
    small.push(high);
    high = large.pop();
  }
  return (random) => {
    const i = below(random, size);
    return random() < share[i]! ? i : alias[i]!;
  };
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
