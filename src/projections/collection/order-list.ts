import { type Bits, hasBit } from '../kernel/bits.ts';

export type Compare = (a: number, b: number) => number;

interface Chunk {
  readonly ords: Uint32Array;
  size: number;
}

const chunkSize = 1024;
// Chunks of a list built at once have room, so that the first inserts do not split them all.
const bulkFill = 768;

/** Which members to pick; `counts`, if known: their number in each chunk. */
export interface Pick {
  readonly skip: number;
  readonly take: number;
  readonly reverse: boolean;
  readonly counts?: Uint32Array | undefined;
}

/** Ords kept sorted in chunks, so that moving one always costs the same. */
export class OrderList {
  #chunks: Chunk[] = [];
  #size = 0;
  readonly #compare: Compare;

  /** `compare` must not return 0 for different ords. */
  constructor(compare: Compare) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  /** All members, in order. */
  saved(): Uint32Array {
    const all = new Uint32Array(this.#size);
    let at = 0;
    for (const { ords, size } of this.#chunks) {
      all.set(ords.subarray(0, size), at);
      at += size;
    }
    return all;
  }

  fill(sorted: readonly number[] | Uint32Array): void {
    this.#chunks = [];
    this.#size = sorted.length;
    for (let from = 0; from < sorted.length; from += bulkFill) {
      const part = sorted.slice(from, from + bulkFill);
      const ords = new Uint32Array(chunkSize);
      ords.set(part);
      this.#chunks.push({ ords, size: part.length });
    }
  }

  /** Removes the members of `bits`. Returns them in order. */
  extract(bits: Bits): number[] {
    const [taken, kept]: [number[], number[]] = [[], []];
    for (const { ords, size } of this.#chunks) {
      for (let i = 0; i < size; i++) {
        const ord = ords[i]!;
        (hasBit(bits, ord) ? taken : kept).push(ord);
      }
    }
    if (taken.length > 0) this.fill(kept);
    return taken;
  }

  merge(sorted: readonly number[]): void {
    if (sorted.length === 0) return;
    const all: number[] = [];
    let next = 0;
    for (const { ords, size } of this.#chunks) {
      for (let i = 0; i < size; i++) {
        const ord = ords[i]!;
        while (next < sorted.length && this.#compare(sorted[next]!, ord) < 0) all.push(sorted[next++]!);
        all.push(ord);
      }
    }
    while (next < sorted.length) all.push(sorted[next++]!);
    this.fill(all);
  }

  insert(ord: number): void {
    if (this.#append(ord)) return;
    const isAfter = (other: number) => this.#compare(other, ord) > 0;
    let at = this.#chunkOf(isAfter);
    if (at === this.#chunks.length) at -= 1;
    if (at < 0) {
      this.#chunks.push({ ords: new Uint32Array(chunkSize), size: 0 });
      at = 0;
    }
    if (this.#chunks[at]!.size === chunkSize) at = this.#split(at, isAfter);
    const chunk = this.#chunks[at]!;
    const i = indexIn(chunk, isAfter);
    chunk.ords.copyWithin(i + 1, i, chunk.size);
    chunk.ords[i] = ord;
    chunk.size += 1;
    this.#size += 1;
  }

  /** Adds a member that comes last, as new entries do in most orders. Returns false if it does not. */
  #append(ord: number): boolean {
    const last = this.#chunks[this.#chunks.length - 1];
    if (last === undefined || last.size === chunkSize || this.#compare(last.ords[last.size - 1]!, ord) > 0)
      return false;
    last.ords[last.size] = ord;
    last.size += 1;
    this.#size += 1;
    return true;
  }

  remove(ord: number): void {
    const isNotBefore = (other: number) => this.#compare(other, ord) >= 0;
    const at = this.#chunkOf(isNotBefore);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const i = indexIn(chunk, isNotBefore);
    if (chunk.ords[i] !== ord) return;
    chunk.ords.copyWithin(i, i + 1, chunk.size);
    chunk.size -= 1;
    this.#size -= 1;
    this.#tidy(at);
  }

  /** Number of members before the first one that passes; the test must hold for all later ones, too. */
  rank(passes: (ord: number) => boolean): number {
    const at = this.#chunkOf(passes);
    let rank = 0;
    for (let c = 0; c < at; c++) rank += this.#chunks[c]!.size;
    const chunk = this.#chunks[at];
    return chunk === undefined ? rank : rank + indexIn(chunk, passes);
  }

  /** Members with ranks from `from` up to, but excluding, `to`. */
  *between(from: number, to: number): Generator<Uint32Array> {
    let rank = 0;
    for (const { ords, size } of this.#chunks) {
      if (rank + size > from) yield ords.subarray(Math.max(0, from - rank), Math.min(size, to - rank));
      rank += size;
      if (rank >= to) return;
    }
  }

  /** Members of `bits` in order: skips the first `skip` and returns at most `take`. */
  pick(bits: Bits, { skip, take, reverse, counts }: Pick): number[] {
    const picked: number[] = [];
    const chunks = this.#chunks;
    let left = skip;
    for (let c = 0; c < chunks.length; c++) {
      const at = reverse ? chunks.length - 1 - c : c;
      const count = counts?.[at] ?? 0;
      if (counts !== undefined && left >= count) {
        left -= count;
        continue;
      }
      const { ords, size } = chunks[at]!;
      for (let i = 0; i < size; i++) {
        const ord = ords[reverse ? size - 1 - i : i]!;
        if (!hasBit(bits, ord)) continue;
        if (left > 0) left -= 1;
        else if (picked.length < take) picked.push(ord);
        else return picked;
      }
    }
    return picked;
  }

  /** Number of members of `bits` in each chunk. */
  countsOf(bits: Bits): Uint32Array {
    return Uint32Array.from(this.#chunks, ({ ords, size }) => {
      let count = 0;
      for (let i = 0; i < size; i++) if (hasBit(bits, ords[i]!)) count += 1;
      return count;
    });
  }

  #chunkOf(passes: (ord: number) => boolean): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { ords, size } = this.#chunks[middle]!;
      if (passes(ords[size - 1]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Splits a full chunk. Returns the index of the half that the new member belongs to. */
  #split(at: number, isAfter: (ord: number) => boolean): number {
    const chunk = this.#chunks[at]!;
    // Most new members come last: the full chunk then stays full.
    const atEnd = at === this.#chunks.length - 1 && !isAfter(chunk.ords[chunkSize - 1]!);
    const kept = atEnd ? chunkSize : chunkSize / 2;
    const ords = new Uint32Array(chunkSize);
    ords.set(chunk.ords.subarray(kept));
    this.#chunks.splice(at + 1, 0, { ords, size: chunkSize - kept });
    chunk.size = kept;
    return isAfter(chunk.ords[kept - 1]!) ? at : at + 1;
  }

  #tidy(at: number): void {
    const chunk = this.#chunks[at]!;
    const next = this.#chunks[at + 1];
    if (chunk.size === 0) this.#chunks.splice(at, 1);
    else if (next !== undefined && chunk.size + next.size <= chunkSize / 2) {
      chunk.ords.set(next.ords.subarray(0, next.size), chunk.size);
      chunk.size += next.size;
      this.#chunks.splice(at + 1, 1);
    }
  }
}

function indexIn({ ords, size }: Chunk, passes: (ord: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(ords[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
