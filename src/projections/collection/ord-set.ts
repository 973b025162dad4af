import {
  addBits,
  type Bits,
  bitsToArray,
  clearBit,
  countBits,
  dropBits,
  grownBits,
  hasBit,
  keepBits,
  lowerBound,
  newBits,
  setBit,
} from '../kernel/bits.ts';

// With more members, a bitset over 100,000 entries is about as small as the list.
const maxListed = 1024;

export interface SavedOrdSet {
  readonly listed: number[] | null;
  readonly bits: Bits;
}

/** A set of ords: a sorted list while it is small (most tags, parents and authors), otherwise a bitset. */
export class OrdSet {
  #listed: number[] | null = [];
  #bits: Bits = newBits(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** For `restore`; to be used before the next change. */
  saved(): SavedOrdSet {
    return { listed: this.#listed, bits: this.#bits };
  }

  restore({ listed, bits }: SavedOrdSet): void {
    this.#listed = listed;
    this.#bits = bits.slice();
    this.#size = listed?.length ?? countBits(bits);
  }

  get end(): number {
    return this.#listed === null ? this.#bits.length * 32 : (this.#listed.at(-1) ?? -1) + 1;
  }

  has(ord: number): boolean {
    if (this.#listed === null) return hasBit(this.#bits, ord);
    return this.#listed[lowerBound(this.#listed, ord)] === ord;
  }

  add(ord: number): void {
    if (this.has(ord)) return;
    this.#size += 1;
    if (this.#listed === null) this.#setBit(ord);
    else if (this.#listed.length === maxListed) this.#toBits(ord);
    else if (ord > (this.#listed.at(-1) ?? -1)) this.#listed.push(ord);
    else this.#listed.splice(lowerBound(this.#listed, ord), 0, ord);
  }

  delete(ord: number): void {
    if (!this.has(ord)) return;
    this.#size -= 1;
    if (this.#listed === null) clearBit(this.#bits, ord);
    else this.#listed.splice(lowerBound(this.#listed, ord), 1);
  }

  /** Adds the members of `bits`. */
  addAll(bits: Bits): void {
    if (this.#listed !== null && this.#size + countBits(bits) <= maxListed) {
      for (const ord of bitsToArray(bits)) this.add(ord);
      return;
    }
    const all = grownBits(this.#bits, bits.length * 32);
    for (const ord of this.#listed ?? []) setBit(all, ord);
    addBits(all, bits);
    this.#listed = null;
    this.#bits = all;
    this.#size = countBits(all);
  }

  /** Removes the members of `bits`. */
  deleteAll(bits: Bits): void {
    if (this.#listed !== null) this.#listed = this.#listed.filter((ord) => !hasBit(bits, ord));
    else dropBits(this.#bits, bits);
    this.#size = this.#listed?.length ?? countBits(this.#bits);
  }

  /** Adds its members to `bits`, which must have room for them. */
  addTo(bits: Bits): void {
    if (this.#listed === null) addBits(bits, this.#bits);
    else for (const ord of this.#listed) setBit(bits, ord);
  }

  /** Keeps in `bits` only its members. */
  keepIn(bits: Bits): void {
    if (this.#listed === null) {
      keepBits(bits, this.#bits);
      return;
    }
    const both = this.#listed.filter((ord) => hasBit(bits, ord));
    bits.fill(0);
    for (const ord of both) setBit(bits, ord);
  }

  /** Removes its members from `bits`. */
  dropFrom(bits: Bits): void {
    if (this.#listed === null) dropBits(bits, this.#bits);
    else for (const ord of this.#listed) clearBit(bits, ord);
  }

  #setBit(ord: number): void {
    if (ord >>> 5 >= this.#bits.length) this.#bits = grownBits(this.#bits, Math.ceil((ord + 1) * 1.25));
    setBit(this.#bits, ord);
  }

  #toBits(ord: number): void {
    const listed = this.#listed ?? [];
    this.#listed = null;
    for (const member of listed) this.#setBit(member);
    this.#setBit(ord);
  }
}
