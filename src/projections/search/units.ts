import { fromByteString, toByteString } from './bytes.ts';
import { gramsOf, hasDensePart, runsOf } from './runs.ts';

/**
 * What texts are cut into, and so what can be looked up without reading them:
 *
 * - plain: a word, that is what stands between blanks, unless it is long or in a script without blanks;
 * - piece: of other words, each run of letters and digits and each run of anything else; each sort of blank in the text
 *   that is a character of its own (not tabs and ends of lines);
 * - gram: two or three neighbouring characters where a run is in a script without blanks, or is long itself;
 * - pair: a very common word with the beginning of the word that follows one blank later, to find phrases by;
 *
 * Of plain words it is also known where they have no blank beside them. Of words that are no plain units, the first and the
 * last unit are there with the blank, too. Units are byte strings.
 */
export const sections = ['plain', 'piece', 'gram', 'pair'] as const;

export type Section = (typeof sections)[number];

/**
 * Takes in units, which are spans of a byte string; answers whether it is a word that makes pairs. `sides`: where a plain
 * word has a blank.
 */
export type AddUnit = (section: Section, text: string, span: Span, sides: Sides) => boolean;

/** Where a word has a blank (U+0020) right beside it, as a set of bits. */
export type Sides = number;

export const [LED, TRAILED, HELD] = [1, 2, 4];

export interface Span {
  readonly from: number;
  readonly to: number;
}

// In bytes.
const longest = 40;
const pairedBytes = 3;

const blank = 32;
const ascii = /^[\0-\x7f]*$/;
const otherBlanks = /[^\S\x00-\x7f]/g;

export function cutText(folded: string, add: AddUnit): void {
  for (const unit of blanksOf(folded)) add('piece', unit, { from: 0, to: unit.length }, 0);
  const mayBeDense = hasDensePart(folded);
  const text = withAsciiBlanks(folded);
  // Where the word before this one starts, if it makes a pair with it.
  let pairStart = -1;
  for (let from = skipBlanks(text, 0); from < text.length; ) {
    const to = skipWord(text, from);
    if (pairStart >= 0) add('pair', text, { from: pairStart, to: Math.min(to, from + pairedBytes) }, 0);
    const cut = to - from > longest || (mayBeDense && isDense(text.slice(from, to)));
    const sides = sidesOf(text, { from, to });
    if (cut) cutWord(fromByteString(text.slice(from, to)), sides, add);
    const makesPair = !cut && add('plain', text, { from, to }, sides);
    const next = skipBlanks(text, to);
    pairStart = makesPair && next === to + 1 && text.charCodeAt(to) === blank ? from : -1;
    from = next;
  }
}

function isDense(word: string): boolean {
  return !ascii.test(word) && hasDensePart(fromByteString(word));
}

export function blanksOf(folded: string): string[] {
  const others = [...new Set(folded.match(otherBlanks))].map(toByteString);
  return folded.includes(' ') ? [' ', ...others] : others;
}

export function wordsOf(folded: string): string[] {
  const text = withAsciiBlanks(folded);
  const words: string[] = [];
  for (let start = skipBlanks(text, 0); start < text.length; ) {
    const end = skipWord(text, start);
    words.push(text.slice(start, end));
    start = skipBlanks(text, end);
  }
  return words;
}

export function pairedPart(word: string): string {
  return word.slice(0, pairedBytes);
}

function cutWord(word: string, sides: Sides, add: AddUnit): void {
  const addWhole = (section: Section, text: string) => {
    const unit = toByteString(text);
    add(section, unit, { from: 0, to: unit.length }, 0);
  };
  const runs = runsOf(word).map((run) => {
    const isPiece = !run.dense && run.text.length <= longest;
    const section: Section = isPiece ? 'piece' : 'gram';
    return { section, units: isPiece ? [run.text] : gramsOf(run) };
  });
  for (const { section, units } of runs) for (const unit of units) addWhole(section, unit);
  const [first, last] = [runs[0], runs.at(-1)];
  if (first !== undefined && (sides & LED) !== 0) addWhole(first.section, ` ${first.units[0]}`);
  if (last !== undefined && (sides & TRAILED) !== 0) addWhole(last.section, `${last.units.at(-1)} `);
}

function sidesOf(text: string, { from, to }: Span): Sides {
  const isLed = from > 0 && text.charCodeAt(from - 1) === blank;
  const isTrailed = to < text.length && text.charCodeAt(to) === blank;
  return (isLed ? LED : 0) | (isTrailed ? TRAILED : 0) | (isLed && isTrailed ? HELD : 0);
}

/** As a byte string, with tabs for blanks that are not in ASCII: which blank it is does not matter outside of pairs. */
function withAsciiBlanks(text: string): string {
  return toByteString(text.replace(otherBlanks, '\t'));
}

function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === blank || (code >= 9 && code <= 13);
}
