import { foldText } from '#text/fold.ts';
import { addBits, type Bits, dropBits, hasBit, keepBits, newBits, setBit } from '../kernel/bits.ts';
import type { Searcher, TermQuery } from '../search/types.ts';
import { OrdSet, type SavedOrdSet } from './ord-set.ts';

export class Facet<K> {
  readonly #sets = new Map<K, OrdSet>();

  saved(): ReadonlyMap<K, SavedOrdSet> {
    return new Map([...this.#sets].map(([value, set]) => [value, set.saved()]));
  }

  restore(saved: ReadonlyMap<K, SavedOrdSet>): void {
    for (const [value, ords] of saved) {
      const set = new OrdSet();
      set.restore(ords);
      this.#sets.set(value, set);
    }
  }

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

  /** For facets of few values: looks in all of them. */
  deleteAny(ord: number): void {
    for (const value of this.#sets.keys()) this.delete(value, ord);
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

/** Addresses of files by ord. They are few, so that a search can scan all. */
export class FileNames {
  readonly #folded = new Map<number, string>();

  get size(): number {
    return this.#folded.size;
  }

  saved(): ReadonlyMap<number, string> {
    return this.#folded;
  }

  restore(saved: ReadonlyMap<number, string>): void {
    for (const [ord, folded] of saved) this.#folded.set(ord, folded);
  }

  set(ord: number, file: string): void {
    this.#folded.set(ord, foldText(file));
  }

  delete(ord: number): void {
    this.#folded.delete(ord);
  }

  /** Keeps in `found` what matches the query, with a file's address as an additional column. */
  narrow(found: Bits, query: TermQuery, search: Searcher): void {
    for (const term of query.include) {
      const fitting = found.slice();
      search.narrow(fitting, { ...query, include: [term], exclude: [] });
      addBits(fitting, this.#having(term, query.exact, found));
      keepBits(found, fitting);
    }
    for (const term of query.exclude) dropBits(found, this.#having(term, query.exact, found));
    if (query.exclude.length > 0) search.narrow(found, { ...query, include: [] });
  }

  #having(term: string, exact: boolean, within: Bits): Bits {
    const wanted = foldText(term);
    const having = newBits(within.length * 32);
    for (const [ord, file] of this.#folded) {
      if (hasBit(within, ord) && (exact ? file === wanted : file.includes(wanted))) setBit(having, ord);
    }
    return having;
  }
}
