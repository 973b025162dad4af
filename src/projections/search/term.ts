import { fromByteString, toByteString } from './bytes.ts';
import { gramsOf, type Run, runsOf } from './runs.ts';
import { blanksOf, HELD, LED, pairedPart, type Sides, TRAILED, wordsOf } from './units.ts';

/** A term, made ready for looking it up. All parts are byte strings; a line break stands for the edge of a unit. */
export interface Term {
  readonly text: string;
  readonly words: readonly TermWord[];
  /** Words with single spaces between, and nothing else but maybe one space before and one behind all of them. */
  readonly isPlain: boolean;
  readonly sides: Sides;
  readonly blanks: readonly string[];
  readonly isBlank: boolean;
}

export interface TermWord {
  /** The word as it must be in a plain unit. */
  readonly plain: string;
  readonly runs: readonly TermRun[];
  /** This word and the beginning of the next, as they must be in a pair unit; null at the end. */
  readonly pair: string | null;
  readonly pairIsAll: boolean;
}

export interface TermRun {
  /** The run as it must be in a piece; null when it can only be in grams. */
  readonly piece: string | null;
  /** The run as it must be in a gram, when it is that short. */
  readonly inGram: string | null;
  /** Grams that must all be there, when it is longer. */
  readonly grams: readonly string[];
  readonly led: BesideRun | null;
  readonly trailed: BesideRun | null;
}

/** A run with a blank beside it, as it must be in a piece (null: it cannot be), or as it or its outermost gram must be in a gram. */
export interface BesideRun {
  readonly piece: string | null;
  readonly gram: string;
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
  const [before, behind] = [text.startsWith(' ') ? ' ' : '', text.endsWith(' ') ? ' ' : ''];
  const sides = words.length === 0 ? 0 : (before ? LED : 0) | (behind ? TRAILED : 0) | (before && behind ? HELD : 0);
  return {
    text,
    isPlain: words.length > 0 && `${before}${words.join(' ')}${behind}` === toByteString(text),
    sides,
    blanks: blanks.map((blank) => `\n${blank}\n`),
    isBlank: blanks.length === 1 && blanks[0] === toByteString(text),
    words: longest(words, maxWords).map((i) => {
      const word = words[i]!;
      const [before, after] = [begins || i > 0 ? '\n' : '', ends || i < last ? '\n' : ''];
      const next = words[i + 1];
      return {
        plain: before + word + after,
        runs: longestRuns(word).map((run) => readRun(run, { before, after })),
        pair: next === undefined ? null : `${before}${word} ${pairedPart(next)}`,
        pairIsAll: i === 0 && last === 1 && !whole && sides === 0 && next !== undefined && pairedPart(next) === next,
      };
    }),
  };
}

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

function longest(texts: readonly string[], most: number): number[] {
  const places = [...texts.keys()];
  if (texts.length <= most) return places;
  return places
    .sort((a, b) => texts[b]!.length - texts[a]!.length)
    .slice(0, most)
    .sort((a, b) => a - b);
}

function readRun(run: PlacedRun, { before, after }: { before: string; after: string }): TermRun {
  const grams = gramsOf(run).map(toByteString);
  const isShort = grams.length === 1;
  const text = toByteString(run.text);
  // The edges of the run where it is not at an edge of the term.
  const [start, end] = [run.isFirst ? before : '\n', run.isLast ? after : '\n'];
  const beside = (piece: string, gram: string): BesideRun => ({
    piece: run.dense ? null : piece,
    gram: isShort ? piece : gram,
  });
  return {
    piece: run.dense ? null : (run.isFirst ? before : '') + text + (run.isLast ? after : ''),
    inGram: isShort ? text : null,
    grams: isShort ? [] : [...new Set(grams)].slice(0, maxGrams).map((gram) => `\n${gram}\n`),
    led: run.isFirst ? beside(`\n ${text}${end}`, `\n ${grams[0]}\n`) : null,
    trailed: run.isLast ? beside(`${start}${text} \n`, `\n${grams.at(-1)} \n`) : null,
  };
}
