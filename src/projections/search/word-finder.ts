import { addBits, type Bits, dropBits, keepBits } from '../collection/bits.ts';
import type { Columns } from './column-postings.ts';
import type { Scratch } from './scratch.ts';
import { type Segment, shortPart, type Units } from './segment.ts';
import type { TermRun, TermWord } from './term.ts';
import type { Hits } from './types.ts';
import { LED, type Section, type Sides, TRAILED } from './units.ts';

export interface Means {
  readonly segment: Segment;
  readonly scratch: Scratch;
  /** Entries that matter; of others, some may be missing from what is found. */
  readonly wanted: Bits;
}

/** Finds one word of a term in one segment. What it finds is a superset where the word's edges matter. */
export class WordFinder {
  readonly #means: Means;
  readonly #word: TermWord;
  readonly #runs: readonly RunFinder[];
  #numbers: readonly number[] | undefined;

  constructor(word: TermWord, means: Means) {
    this.#means = means;
    this.#word = word;
    this.#runs = word.runs.map((run) => new RunFinder(run, means));
  }

  /** Where it is in these columns; needs the text to be sure only inside of long words and of scripts without blanks. */
  hits(columns: Columns): Hits {
    const sure = entriesWithPart('plain', this.#word.plain, columns, this.#means);
    const [run, ...others] = this.#runs;
    if (run === undefined) return { sure, doubtful: null };
    if (others.length > 0) return { sure, doubtful: this.#inCutWords(columns) };
    addBits(sure, run.sure(columns));
    return { sure, doubtful: run.doubtful(columns) };
  }

  beside(columns: Columns, sides: Sides): Hits {
    const sure = this.#plainBeside(columns, sides);
    const [first, last] = [this.#runs[0], this.#runs.at(-1)];
    if (first === undefined || last === undefined) return { sure, doubtful: null };
    const doubtful = this.#inCutWords(columns);
    const led = (sides & LED) === 0 ? null : first.beside('led', columns);
    const trailed = (sides & TRAILED) === 0 ? null : last.beside('trailed', columns);
    // Of a word with a blank on both sides no unit tells that it is the same word.
    if (first === last && led === null && trailed !== null) addBits(sure, trailed.sure);
    if (first === last && trailed === null && led !== null) addBits(sure, led.sure);
    if (led !== null) keepBits(doubtful, joined(led));
    if (trailed !== null) keepBits(doubtful, joined(trailed));
    dropBits(doubtful, sure);
    return { sure, doubtful };
  }

  /** Everything that `hits` has. */
  anywhere(columns: Columns): Bits {
    return joined(this.hits(columns));
  }

  /** As `anywhere`, without the words that make pairs. */
  unpaired(columns: Columns): Bits {
    const { common } = this.#means.segment;
    const numbers = this.#plain.filter((number) => !common.has(number));
    const bits = entriesWith({ section: 'plain', numbers }, columns, this.#means);
    addBits(bits, this.#inCutWords(columns));
    return bits;
  }

  paired(columns: Columns): Bits {
    const { pair } = this.#word;
    return pair === null ? this.#means.scratch.take() : entriesWithPart('pair', pair, columns, this.#means);
  }

  get #plain(): readonly number[] {
    this.#numbers ??= this.#means.segment.vocabulary('plain').numbersWith(this.#word.plain);
    return this.#numbers;
  }

  #plainBeside(columns: Columns, sides: Sides): Bits {
    const { segment, scratch, wanted } = this.#means;
    const bits = scratch.take();
    segment.addBeside(bits, this.#plain, { columns, sides, wanted, marks: scratch.take() });
    return bits;
  }

  #inCutWords(columns: Columns): Bits {
    const [first, ...others] = this.#runs;
    if (first === undefined) return this.#means.scratch.take();
    const bits = first.anywhere(columns);
    for (const run of others) keepBits(bits, run.anywhere(columns));
    return bits;
  }
}

class RunFinder {
  readonly #means: Means;
  /** One list for each gram that must be there; null when one of them is nowhere. */
  readonly #grams: readonly (readonly number[])[] | null;
  readonly #run: TermRun;

  constructor(run: TermRun, means: Means) {
    this.#run = run;
    const vocabulary = means.segment.vocabulary('gram');
    const grams = vocabulary.size === 0 ? [] : run.grams.map((gram) => vocabulary.numbersWith(gram));
    this.#means = means;
    this.#grams = grams.length === 0 || grams.some(({ length }) => length === 0) ? null : grams;
  }

  sure(columns: Columns): Bits {
    const { piece, inGram } = this.#run;
    const bits = this.#means.scratch.take();
    if (piece !== null) addBits(bits, entriesWithPart('piece', piece, columns, this.#means));
    if (inGram !== null) addBits(bits, entriesWithPart('gram', inGram, columns, this.#means));
    return bits;
  }

  doubtful(columns: Columns): Bits | null {
    if (this.#grams === null) return null;
    const [first, ...others] = this.#grams.map((numbers) =>
      entriesWith({ section: 'gram', numbers }, columns, this.#means),
    );
    for (const bits of others) keepBits(first!, bits);
    return first ?? null;
  }

  anywhere(columns: Columns): Bits {
    return joined({ sure: this.sure(columns), doubtful: this.doubtful(columns) });
  }

  /** Where it has a blank on that side; null: it is not at that end of its word. */
  beside(side: 'led' | 'trailed', columns: Columns): Hits | null {
    const run = this.#run[side];
    if (run === null) return null;
    const find = (section: Section, part: string) => entriesWithPart(section, part, columns, this.#means);
    const sure = run.piece === null ? this.#means.scratch.take() : find('piece', run.piece);
    const inGrams = find('gram', run.gram);
    if (this.#run.inGram === null) return { sure, doubtful: inGrams };
    addBits(sure, inGrams);
    return { sure, doubtful: null };
  }
}

/** Entries with a unit that has `part`. */
export function entriesWithPart(section: Section, part: string, columns: Columns, means: Means): Bits {
  const { segment, scratch } = means;
  if (part.length > shortPart) {
    return entriesWith({ section, numbers: segment.vocabulary(section).numbersWith(part) }, columns, means);
  }
  const bits = scratch.take();
  addBits(bits, segment.withShortPart(section, part, columns));
  return bits;
}

function entriesWith(units: Units, columns: Columns, { segment, scratch, wanted }: Means): Bits {
  const bits = scratch.take();
  segment.addEntries(bits, units, { columns, wanted });
  return bits;
}

function joined({ sure, doubtful }: Hits): Bits {
  if (doubtful !== null) addBits(sure, doubtful);
  return sure;
}
