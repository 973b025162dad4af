import { NeedsTurn, presentAttempts } from '#text/turns.ts';
import { type Bits, clearBit, grownBits, hasBit, newBits, setBit } from '../kernel/bits.ts';
import type { Hits, IndexChanges, SearchPlace } from './types.ts';

interface Verdicts {
  readonly known: Bits;
  readonly has: Bits;
}

interface Looked {
  readonly within: Bits;
  readonly hits: Hits;
}

/** A term whose look-up has begun. */
interface Begun {
  readonly key: string;
  readonly within: Bits;
  readonly work: Generator<void, Hits>;
}

/** Changes of the index during a read after which terms are looked up without a pause. */
const maxRestarts = 3;

/** Intermediate results of one read, which may be aborted after each step and repeated, because other requests wait. */
export class Memo {
  readonly #looked = new Map<string, readonly Looked[]>();
  #begun: Begun | null = null;
  readonly #verdicts = new Map<string, Verdicts>();
  #reached: number;
  #restarts = 0;
  #attempt = 0;
  #isFresh = true;

  constructor(reached: number) {
    this.#reached = reached;
  }

  /** The memo of the current read for a searcher; null if the read is not divided into turns. */
  static of(searcher: object, changes: IndexChanges): Memo | null {
    const attempts = presentAttempts();
    if (attempts === null) return null;
    const known = attempts.kept.get(searcher) as Memo | undefined;
    const memo = known ?? new Memo(changes.count);
    if (known === undefined) attempts.kept.set(searcher, memo);
    memo.#forget(changes);
    if (memo.#attempt !== attempts.count) memo.#isFresh = true;
    memo.#attempt = attempts.count;
    return memo;
  }

  look(term: string, place: SearchPlace, within: Bits, lookUp: () => Generator<void, Hits>): Hits {
    const key = keyOf(term, place);
    // A term may be looked up in several sets of entries, for example when it is both required and excluded.
    const looked = this.#looked.get(key) ?? [];
    const known = looked.find((one) => isSame(one.within, within));
    if (known !== undefined) return known.hits;
    if (this.#restarts < maxRestarts) this.pause();
    const begun = this.#begun?.key === key && isSame(this.#begun.within, within) ? this.#begun : null;
    const work = begun?.work ?? lookUp();
    for (let step = work.next(); ; step = work.next()) {
      this.#isFresh = false;
      this.#begun = step.done ? null : { key, within: within.slice(), work };
      if (step.done) {
        this.#looked.set(key, [...looked, { within: within.slice(), hits: step.value }]);
        return step.value;
      }
      if (this.#restarts < maxRestarts) this.pause();
    }
  }

  /** Whether an entry has a term, if known; else undefined. */
  verdict(ord: number, term: string, place: SearchPlace): boolean | undefined {
    const verdicts = this.#verdicts.get(keyOf(term, place));
    return verdicts !== undefined && hasBit(verdicts.known, ord) ? hasBit(verdicts.has, ord) : undefined;
  }

  judge(ord: number, term: string, place: SearchPlace, has: boolean): void {
    const key = keyOf(term, place);
    const kept = this.#verdicts.get(key);
    const isLarge = kept !== undefined && ord < kept.known.length * 32;
    const verdicts = isLarge ? kept : grown(kept, 2 * ord + 1024);
    if (!isLarge) this.#verdicts.set(key, verdicts);
    setBit(verdicts.known, ord);
    if (has) setBit(verdicts.has, ord);
    else clearBit(verdicts.has, ord);
    this.#isFresh = false;
  }

  /** Aborts the read when its turn is over and it has made progress. Throws `NeedsTurn`. */
  pause(): void {
    if (this.#isFresh || presentAttempts()?.isOver !== true) return;
    throw new NeedsTurn('a search takes more than one turn');
  }

  #forget(changes: IndexChanges): void {
    if (changes.count === this.#reached) return;
    const changed = changes.since(this.#reached);
    this.#reached = changes.count;
    this.#restarts += 1;
    this.#looked.clear();
    this.#begun = null;
    if (changed === null) this.#verdicts.clear();
    for (const ord of changed ?? []) for (const { known } of this.#verdicts.values()) clearBit(known, ord);
  }
}

function grown(verdicts: Verdicts | undefined, size: number): Verdicts {
  const { known = newBits(0), has = newBits(0) } = verdicts ?? {};
  return { known: grownBits(known, size), has: grownBits(has, size) };
}

function keyOf(term: string, { columns, exact }: SearchPlace): string {
  return `${exact ? '=' : '~'}${columns.join()} ${term}`;
}

function isSame(some: Bits, others: Bits): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}
