import { foldText } from '#text/fold.ts';
import { addBits, type Bits, dropBits, hasBit, keepBits, newBits, setBit } from '../kernel/bits.ts';
import type { Searcher, TermQuery } from '../search/types.ts';

/** Addresses of files by ord. They are few, so that a search can scan all. */
export class FileNames {
  readonly #folded = new Map<number, string>();

  get size(): number {
    return this.#folded.size;
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
