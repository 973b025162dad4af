import { fromByteString, toByteString } from './bytes.ts';
import { gramsOf, type Run, runsOf } from './runs.ts';
import { blanksOf, pairedPart, wordsOf } from './units.ts';

/** A term, made ready for looking it up. All parts are byte strings; a line break stands for the edge of a unit. */
export interface Term {
  readonly text: string;
  /** Those that are looked up. */
  readonly words: readonly TermWord[];
  /** Words with single spaces between, and nothing else. */
  readonly isPlain: boolean;
  /** Blanks that it has, as whole units. */
  readonly blanks: readonly string[];
  /** A part of pairs that says all there is to say; null: there is none. */
  readonly inPair: string | null;
  /** It is nothing but one of these. */
  readonly isBlank: boolean;
}

export interface TermWord {
  /** The word as it must be in a plain unit. */
  readonly plain: string;
  readonly runs: readonly TermRun[];
  /** This word and the beginning of the next, as they must be in a pair unit; null at the end. */
  readonly pair: string | null;
  /** Whether the pair says all there is to say about the two words. */
  readonly pairIsAll: boolean;
}

export interface TermRun {
  /** The run as it must be in a piece; null when it can only be in grams. */
  readonly piece: string | null;
  /** The run as it must be in a gram, when it is that short. */
  readonly inGram: string | null;
  /** Grams that must all be there, when it is longer. */
  readonly grams: readonly string[];
}

// More of them would hardly leave out more entries, and a client could ask for thousands.
const maxGrams = 24;
const maxRuns = 6;
const maxWords = 6;

/** Reads a folded term. When it is to be the whole text, its first and last words must be whole as well. */
export function readTerm(text: string, whole: boolean): Term {
  const words = wordsOf(text);
  const last = words.length - 1;
  const blanks = blanksOf(text);
  // Beside a blank, a word begins or ends.
  const [begins, ends] = [whole || /^\s/.test(text), whole || /\s$/.test(text)];
  return {
    text,
    isPlain: words.join(' ') === toByteString(text),
    blanks: blanks.map((blank) => `\n${blank}\n`),
    inPair: whole ? null : inPair(toByteString(text), words),
    isBlank: blanks.length === 1 && blanks[0] === toByteString(text),
    words: longest(words, maxWords).map((i) => {
      const word = words[i]!;
      const [before, after] = [begins || i > 0 ? '\n' : '', ends || i < last ? '\n' : ''];
      const next = words[i + 1];
      return {
        plain: before + word + after,
        runs: longestRuns(word).map((run) => readRun(run, { before, after })),
        pair: next === undefined ? null : `${before}${word} ${pairedPart(next)}`,
        pairIsAll: i === 0 && last === 1 && !whole && next !== undefined && pairedPart(next) === next,
      };
    }),
  };
}

/** A word with one blank before or behind it, if pairs are long enough to have it. */
function inPair(text: string, [word = '', ...others]: readonly string[]): string | null {
  if (word === '' || others.length > 0) return null;
  return text === `${word} ` || (text === ` ${word}` && pairedPart(word) === word) ? text : null;
}

/** A run, and whether it is at an end of its word. */
interface PlacedRun extends Run {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function longestRuns(word: string): PlacedRun[] {
  const runs = runsOf(fromByteString(word));
  const texts = runs.map(({ text }) => text);
  const last = runs.length - 1;
  return longest(texts, maxRuns).map((i) => ({ ...runs[i]!, isFirst: i === 0, isLast: i === last }));
}

/** Places of the longest texts, in their order: short ones tell entries apart least. */
function longest(texts: readonly string[], most: number): number[] {
  const places = [...texts.keys()];
  if (texts.length <= most) return places;
  return places
    .sort((a, b) => texts[b]!.length - texts[a]!.length)
    .slice(0, most)
    .sort((a, b) => a - b);
}

function readRun(run: PlacedRun, { before, after }: { before: string; after: string }): TermRun {
  const grams = gramsOf(run);
  const short = grams.length === 1;
  return {
    piece: run.dense ? null : (run.isFirst ? before : '') + toByteString(run.text) + (run.isLast ? after : ''),
    inGram: short ? toByteString(run.text) : null,
    grams: short ? [] : [...new Set(grams)].slice(0, maxGrams).map((gram) => `\n${toByteString(gram)}\n`),
  };
}
