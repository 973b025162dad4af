import { readSaved, saveIndex } from './saved.ts';
import { Tail } from './tail.ts';
import { TextSearch } from './text-search.ts';
import type { ReadyTexts, Searcher, TextsOf } from './types.ts';
import { type Sizes, Upkeep } from './upkeep.ts';

/** A search index; its owner keeps it up to date. */
export interface SearchIndex extends Searcher {
  /** Entries whose texts each search has to look through, because they changed lately. */
  readonly tailSize: number;
  put(ord: number): void;
  remove(ord: number): void;
  /** Indexes part of a long tail for about the given milliseconds; false when there is nothing to do. */
  indexSome(budget: number): boolean;
  /** Goes a step towards one index of everything, as compact as it goes; false when it is that. */
  indexStep(): boolean;
  /** The whole index in parts: the first is small and new, any other is the same array for as long as it is there. */
  save(): readonly Uint8Array[];
  /** Takes over what was saved, and the arrays themselves, into an empty index; false when it can't be read, then every entry must be put. */
  load(parts: readonly Uint8Array[]): boolean;
}

export interface SearchOptions {
  readonly texts: TextsOf;
  /** Those that lie folded already; not for building the index, only for what it leaves in doubt. */
  readonly ready?: ReadyTexts;
  /** Milliseconds from any start: what budgets are measured with. */
  readonly now?: () => number;
  readonly sizes?: Sizes;
}

export function createSearchIndex({ texts, ready, now = () => performance.now(), sizes }: SearchOptions): SearchIndex {
  const tail = new Tail(texts, ready);
  const upkeep = new Upkeep(tail, texts, sizes);
  const search = new TextSearch(upkeep);
  return {
    get tailSize() {
      return tail.size;
    },
    put: (ord) => upkeep.put(ord),
    remove: (ord) => upkeep.remove(ord),
    narrow: (found, query) => search.narrow(found, query),
    look: (term, place, within) => search.look(term, place, within),
    holds: (ord, term, place) => search.holds(ord, term, place),
    indexSome(budget) {
      for (const until = now() + budget; upkeep.step(false); ) if (now() >= until) return true;
      return false;
    },
    indexStep: () => upkeep.step(true),
    save: () => saveIndex({ segments: upkeep.segments, tail: tail.ords }),
    load(parts) {
      const saved = readSaved(parts);
      if (saved === null) return false;
      upkeep.restore(saved.segments);
      for (const ord of saved.tail) tail.put(ord);
      return true;
    },
  };
}
