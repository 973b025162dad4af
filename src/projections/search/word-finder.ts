import { addBits, type Bits, keepBits } from '../collection/bits.ts';
import type { Columns } from './column-postings.ts';
import type { Scratch } from './scratch.ts';
import type { Segment, Units } from './segment.ts';
import type { TermRun, TermWord } from './term.ts';
import type { Hits } from './types.ts';

/** What words are found with. */
export interface Means {
  readonly segment: Segment;
  readonly scratch: Scratch;
  /** Entries that matter; of others, some may be missing from what is found. */
  readonly wanted: Bits;
}

/** Finds one word of a term in one segment. What it finds is a superset where the word's edges matter. */
export class WordFinder {
  readonly #means: Means;
  readonly #plain: readonly number[];
  readonly #runs: readonly RunFinder[];
  readonly #pairs: readonly number[];

  constructor(word: TermWord, means: Means) {
    const { segment } = means;
    this.#means = means;
    this.#plain = segment.vocabulary('plain').numbersWith(word.plain);
    this.#runs = word.runs.map((run) => new RunFinder(run, means));
    this.#pairs = word.pair === null ? [] : segment.vocabulary('pair').numbersWith(word.pair);
  }

  /** Where it is in these columns; needs the text to be sure only inside of long words and of scripts without blanks. */
  hits(columns: Columns): Hits {
    const sure = entriesWith({ section: 'plain', numbers: this.#plain }, columns, this.#means);
    const [run, ...others] = this.#runs;
    if (run === undefined) return { sure, doubtful: null };
    if (others.length > 0) return { sure, doubtful: this.#inCutWords(columns) };
    addBits(sure, run.sure(columns));
    return { sure, doubtful: run.doubtful(columns) };
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

  /** Where a word that makes pairs is followed by the beginning of the next word. */
  paired(columns: Columns): Bits {
    return entriesWith({ section: 'pair', numbers: this.#pairs }, columns, this.#means);
  }

  #inCutWords(columns: Columns): Bits {
    const [first, ...others] = this.#runs;
    if (first === undefined) return this.#means.scratch.take();
    const bits = first.anywhere(columns);
    for (const run of others) keepBits(bits, run.anywhere(columns));
    return bits;
  }
}

/** Finds one run of a word in the words that were cut. */
class RunFinder {
  readonly #means: Means;
  readonly #pieces: readonly number[];
  readonly #inGrams: readonly number[];
  /** One list for each gram that must be there; null when one of them is nowhere. */
  readonly #grams: readonly (readonly number[])[] | null;

  constructor(run: TermRun, means: Means) {
    const vocabulary = means.segment.vocabulary('gram');
    const grams = vocabulary.size === 0 ? [] : run.grams.map((gram) => vocabulary.numbersWith(gram));
    this.#means = means;
    this.#pieces = run.piece === null ? [] : means.segment.vocabulary('piece').numbersWith(run.piece);
    this.#inGrams = run.inGram === null ? [] : vocabulary.numbersWith(run.inGram);
    this.#grams = grams.length === 0 || grams.some(({ length }) => length === 0) ? null : grams;
  }

  sure(columns: Columns): Bits {
    const bits = entriesWith({ section: 'piece', numbers: this.#pieces }, columns, this.#means);
    addBits(bits, entriesWith({ section: 'gram', numbers: this.#inGrams }, columns, this.#means));
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
}

export function entriesWith(units: Units, columns: Columns, { segment, scratch, wanted }: Means): Bits {
  const bits = scratch.take();
  segment.addEntries(bits, units, { columns, wanted });
  return bits;
}

function joined({ sure, doubtful }: Hits): Bits {
  if (doubtful !== null) addBits(sure, doubtful);
  return sure;
}
