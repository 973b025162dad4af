import { addBits, type Bits, keepBits } from '../collection/bits.ts';
import type { Scratch } from './scratch.ts';
import type { Segment } from './segment.ts';
import type { TermRun, TermWord } from './term.ts';
import type { Hits } from './types.ts';

/** Finds one word of a term in one segment. What it finds is a superset where the word's edges matter. */
export class WordFinder {
  readonly #segment: Segment;
  readonly #scratch: Scratch;
  readonly #plain: readonly number[];
  readonly #runs: readonly RunFinder[];
  readonly #pairs: readonly number[];

  constructor(word: TermWord, segment: Segment, scratch: Scratch) {
    this.#segment = segment;
    this.#scratch = scratch;
    this.#plain = segment.vocabulary('plain').numbersWith(word.plain);
    this.#runs = word.runs.map((run) => new RunFinder(run, segment, scratch));
    this.#pairs = word.pair === null ? [] : segment.vocabulary('pair').numbersWith(word.pair);
  }

  /** Where it is in that column; needs the text to be sure only inside of long words and of scripts without blanks. */
  hits(column: number): Hits {
    const sure = this.#withPlain(this.#plain, column);
    const [run, ...others] = this.#runs;
    if (run === undefined) return { sure, doubtful: null };
    if (others.length === 0) {
      addBits(sure, run.sure(column));
      return { sure, doubtful: run.doubtful(column) };
    }
    return { sure, doubtful: this.#inCutWords(column) };
  }

  /** Everything that `hits` has. */
  anywhere(column: number): Bits {
    return joined(this.hits(column));
  }

  /** As `anywhere`, without the words that make pairs. */
  unpaired(column: number): Bits {
    const { common } = this.#segment;
    const bits = this.#withPlain(
      this.#plain.filter((number) => !common.has(number)),
      column,
    );
    addBits(bits, this.#inCutWords(column));
    return bits;
  }

  /** Where a word that makes pairs is followed by the beginning of the next word. */
  paired(column: number): Bits {
    const bits = this.#scratch.take();
    this.#segment.addEntries(bits, { section: 'pair', numbers: this.#pairs }, column);
    return bits;
  }

  #withPlain(numbers: readonly number[], column: number): Bits {
    const bits = this.#scratch.take();
    this.#segment.addEntries(bits, { section: 'plain', numbers }, column);
    return bits;
  }

  #inCutWords(column: number): Bits {
    const [first, ...others] = this.#runs;
    if (first === undefined) return this.#scratch.take();
    const bits = first.anywhere(column);
    for (const run of others) keepBits(bits, run.anywhere(column));
    return bits;
  }
}

/** Finds one run of a word in the words that were cut. */
class RunFinder {
  readonly #segment: Segment;
  readonly #scratch: Scratch;
  readonly #pieces: readonly number[];
  readonly #inGrams: readonly number[];
  /** One list for each gram that must be there; null when one of them is nowhere. */
  readonly #grams: readonly (readonly number[])[] | null;

  constructor(run: TermRun, segment: Segment, scratch: Scratch) {
    const gramNumbers = (part: string) => segment.vocabulary('gram').numbersWith(part);
    const grams = segment.vocabulary('gram').size === 0 ? [] : run.grams.map(gramNumbers);
    this.#segment = segment;
    this.#scratch = scratch;
    this.#pieces = run.piece === null ? [] : segment.vocabulary('piece').numbersWith(run.piece);
    this.#inGrams = run.inGram === null ? [] : gramNumbers(run.inGram);
    this.#grams = grams.length === 0 || grams.some(({ length }) => length === 0) ? null : grams;
  }

  sure(column: number): Bits {
    const bits = this.#scratch.take();
    this.#segment.addEntries(bits, { section: 'piece', numbers: this.#pieces }, column);
    this.#segment.addEntries(bits, { section: 'gram', numbers: this.#inGrams }, column);
    return bits;
  }

  doubtful(column: number): Bits | null {
    if (this.#grams === null) return null;
    let bits: Bits | null = null;
    for (const numbers of this.#grams) {
      const withGram = this.#scratch.take();
      this.#segment.addEntries(withGram, { section: 'gram', numbers }, column);
      if (bits === null) bits = withGram;
      else keepBits(bits, withGram);
    }
    return bits;
  }

  anywhere(column: number): Bits {
    return joined({ sure: this.sure(column), doubtful: this.doubtful(column) });
  }
}

function joined({ sure, doubtful }: Hits): Bits {
  if (doubtful !== null) addBits(sure, doubtful);
  return sure;
}
