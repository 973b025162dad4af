import { type Bits, newBits } from '../kernel/bits.ts';
import { OrdSet } from './ord-set.ts';

export class Facet<K> {
  readonly #sets = new Map<K, OrdSet>();

  add(value: K, ord: number): void {
    let set = this.#sets.get(value);
    if (set === undefined) {
      set = new OrdSet();
      this.#sets.set(value, set);
    }
    set.add(ord);
  }

  delete(value: K, ord: number): void {
    const set = this.#sets.get(value);
    set?.delete(ord);
    if (set?.size === 0) this.#sets.delete(value);
  }

  pass(value: K, to: K): void {
    const set = this.#sets.get(value);
    if (set === undefined || value === to) return;
    this.#sets.delete(value);
    const bits = newBits(set.end);
    set.addTo(bits);
    const other = this.#sets.get(to) ?? new OrdSet();
    other.addAll(bits);
    this.#sets.set(to, other);
  }

  moveAll(ords: Bits, to: K): void {
    for (const [value, set] of this.#sets) {
      if (value === to) continue;
      set.deleteAll(ords);
      if (set.size === 0) this.#sets.delete(value);
    }
    const set = this.#sets.get(to) ?? new OrdSet();
    set.addAll(ords);
    if (set.size > 0) this.#sets.set(to, set);
  }

  get(value: K): OrdSet | undefined {
    return this.#sets.get(value);
  }

  /** Keeps in `bits` only entries with the value. */
  keepIn(value: K, bits: Bits): void {
    const set = this.#sets.get(value);
    if (set === undefined) bits.fill(0);
    else set.keepIn(bits);
  }

  any(values: readonly K[], capacity: number): Bits {
    const bits = newBits(capacity);
    for (const value of values) this.#sets.get(value)?.addTo(bits);
    return bits;
  }
}
