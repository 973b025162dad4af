import { finished } from '#text/finished.ts';
import { grownBits } from '../kernel/bits.ts';
import { numbersIn, pack, unpack } from './bytes.ts';
import { Segment } from './segment.ts';
import { SearchTail } from './tail.ts';
import { TextSearch } from './text-search.ts';
import type { LengthOf, ReadyTexts, Searcher, TextsOf } from './types.ts';
import { Upkeep, type UpkeepOptions } from './upkeep.ts';

/** A search index, updated by its owner. */
export interface SearchIndex extends Searcher {
  readonly segments: readonly Segment[];
  /** Recently changed entries, whose texts each search has to read. */
  readonly tailSize: number;
  put(ord: number): void;
  remove(ord: number): void;
  /** Indexes part of a long tail for about the given milliseconds. Returns false when there is nothing to do. */
  indexSome(budget: number): boolean;
  /** Takes a step towards a single compact index. Returns false when that is reached. */
  indexStep(): boolean;
  /** Takes a step towards a short tail. Returns false when that is reached. */
  indexTail(): boolean;
  /** Has everything of removed entries dropped by the next steps; until then the index must not be saved. */
  forgetDead(): void;
  readonly isForgetting: boolean;
  /** What changes beside the segments: the tail, and which entries of each segment are live. */
  saveState(): Uint8Array;
  /**
   * Replaces the index by a saved one, without copying the arrays. A segment that the index has already stays as it is, without the entries
   * that have changed since it was saved. Returns false, with nothing changed, when a part is missing or unreadable.
   */
  load(state: Uint8Array, segments: readonly SavedSegment[]): boolean;
}

export interface SearchOptions extends UpkeepOptions {
  readonly texts: TextsOf;
  /** Texts that are already folded; used to check uncertain entries, not to build the index. */
  readonly ready?: ReadyTexts;
  /** Absent: all texts are short. */
  readonly lengthOf?: LengthOf;
  /** Monotonic clock for budgets, in milliseconds. */
  readonly now?: () => number;
}

export type SavedSegment = Pick<Segment, 'head' | 'lists'>;

interface Savable {
  readonly segments: readonly Segment[];
  readonly tail: readonly number[];
}

// To be raised when the saved format, or the tokenisation of texts, changes.
const format = 8;

export function createSearchIndex({
  texts,
  now = () => performance.now(),
  sizes,
  keepsSaved,
  ...about
}: SearchOptions): SearchIndex {
  const tail = new SearchTail(texts, about);
  const upkeep = new Upkeep(tail, texts, { sizes, keepsSaved });
  const search = new TextSearch(upkeep);
  return {
    get segments() {
      return upkeep.segments;
    },
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
    indexTail: () => upkeep.hasLongTail && upkeep.step(false),
    forgetDead: () => upkeep.forgetDead(),
    get isForgetting() {
      return upkeep.isForgetting;
    },
    saveState: () => stateOf({ segments: upkeep.segments, tail: tail.ords }),
    load(state, segments) {
      const saved = readSaved(state, segments);
      if (saved === null) return false;
      upkeep.restore(saved.segments);
      for (const ord of saved.tail) tail.put(ord);
      return true;
    },
  };
}

function stateOf({ segments, tail }: Savable): Uint8Array {
  return finished(pack([Uint32Array.of(format), Uint32Array.from(tail), ...segments.map(({ live }) => live)]));
}

/** Whether a saved state can be read: it may be of an earlier version. */
export function hasCurrentFormat(state: Uint8Array): boolean {
  return state.length >= 8 && numbersIn(unpack(state)[0] ?? state)[0] === format;
}

/** The saved index; null when parts are missing or of another format. */
function readSaved(state: Uint8Array, segments: readonly SavedSegment[]): Savable | null {
  if (!hasCurrentFormat(state)) return null;
  const [, tail = state, ...lives] = unpack(state);
  if (lives.length !== segments.length) return null;
  return {
    tail: [...numbersIn(tail)],
    // A copy of the live entries: they change, but the saved bytes must not.
    segments: segments.map((saved, i) =>
      saved instanceof Segment
        ? saved
        : new Segment(saved.head, saved.lists, grownBits(numbersIn(lives[i] ?? state), 0)),
    ),
  };
}
