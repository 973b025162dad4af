import { type Grams, gramsOf } from './grams.ts';

/**
 * How texts are divided into tokens. A word is a run of letters and digits, a gap a run of anything else; in some scripts, each character
 * is a token. This depends on the bytes alone, so that any part of a text is divided like the text, except at its ends. A gap of one
 * blank between two other tokens is not a token: neighbours are separated by one blank by default.
 *
 * Units identify tokens: byte strings (`toByteString`), with one of these marks before them, which are bytes that never occur in UTF-8.
 */
export const marks = {
  /** Before and after each unit of a vocabulary. */
  edge: '\xfe',
  /** Where a text begins and ends; part of the gap there. */
  end: '\xff',
  /** The previous token ends where this one begins, without a blank. */
  glued: '\xfd',
  /** The rest of a longer run. */
  rest: '\xfc',
  /** Not a token: records that a text has a single blank that is not a token. */
  blank: '\xfb ',
} as const;

/** In bytes: longer runs are split, so that units do not cover all of their parts. */
const longestToken = 128;

export type AddToken = (text: string, from: number, to: number) => void;

interface Run {
  readonly kind: number;
  readonly from: number;
  readonly to: number;
}

const [gap, word, single, unsure] = [0, 1, 2, 3];
const blank = 32;

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 128) return /[\w:']/.test(String.fromCharCode(byte)) ? word : gap;
  if (byte === 0xe0 || byte === 0xe1) return unsure;
  if (byte > 0xf4) return gap;
  return byte >= 0xef || (byte >= 0xe2 && byte <= 0xe9) ? single : word;
});

/** Number of bytes cut between two pauses. */
const cutAtOnce = 1 << 16;

/** The bytes of a text (a byte string), with an end at both sides. */
export function endedBytes(text: string): Buffer {
  return codesOf(marks.end + text + marks.end);
}

/** Calls `add` for each token of a text (see `endedBytes`), in order, with pauses. Returns whether it has a blank that is not a token. */
export function* cutText(codes: Buffer, add: AddToken): Generator<void, boolean> {
  const text = codes.toString('latin1');
  const cut: Cut = { at: 0, before: gap, hasBlank: false };
  while (cut.at < text.length) {
    if (cut.at > 0) yield;
    cutOn({ codes, text, until: cut.at + cutAtOnce }, cut, add);
  }
  return cut.hasBlank;
}

interface Cut {
  at: number;
  /** Kind of the run before. */
  before: number;
  hasBlank: boolean;
}

interface CutText {
  readonly codes: Buffer;
  readonly text: string;
  readonly until: number;
}

function cutOn({ codes, text, until }: CutText, cut: Cut, add: AddToken): void {
  const end = Math.min(until, text.length);
  let { at: from, before } = cut;
  while (from < end) {
    const kind = kindAt(codes, from);
    const to = runEnd(codes, from, kind);
    if (kind === gap && isBlank(codes, from, to)) {
      cut.hasBlank = true;
      before = gap;
    } else {
      if (kind !== gap && before !== gap)
        addMarked(marks.glued, text.slice(from, Math.min(to, from + longestToken)), add);
      else add(text, from, Math.min(to, from + longestToken));
      for (let at = from + longestToken; at < to; at += longestToken) {
        addMarked(marks.rest, text.slice(at, Math.min(to, at + longestToken)), add);
      }
      before = kind;
    }
    from = to;
  }
  cut.at = from;
  cut.before = before;
}

/** The units of a term as they occur in a text. */
export interface TokenPattern {
  readonly text: string;
  /** Whether the parts cover the whole term; otherwise only its beginning. */
  readonly isWhole: boolean;
  /** Consecutive parts of units, with edges where a unit begins or ends. */
  readonly parts: readonly string[];
  /** Whether a blank is required before the first part, and after the last. */
  readonly isLed: boolean;
  readonly isTrailed: boolean;
  /** See `gramsOf`; null also for a whole text. */
  readonly grams: Grams | null;
}

/** Maximum number of parts of a term that are considered: a client can send thousands. */
const maxParts = 40;

/** `bytes`: a folded term; `whole`: it must be the whole text. */
export function patternOf(bytes: string, whole: boolean): TokenPattern {
  const text = whole ? marks.end + bytes + marks.end : bytes;
  const codes = codesOf(text);
  const runs = runsOf(codes);
  const isBlankRun = ({ from, to }: Run): boolean => isBlank(codes, from, to);
  const isMore = runs.length > 1;
  const isLed = isMore && isBlankRun(runs[0]!);
  const isTrailed = isMore && isBlankRun(runs.at(-1)!);
  const last = runs.length - 1;
  const parts = runs.flatMap((run, i) => {
    const begins = i > 0;
    const ends = i < last;
    if (isMore && isBlankRun(run)) return [];
    const isGlued = begins && run.kind !== gap && runs[i - 1]!.kind !== gap;
    const start = begins ? marks.edge + (isGlued ? marks.glued : '') : '';
    return [start + text.slice(run.from, run.to) + (ends ? marks.edge : '')];
  });
  return {
    text,
    isWhole: runs.at(-1)?.to === text.length || text === '',
    parts,
    isLed,
    isTrailed,
    grams: whole ? null : gramsOf(bytes),
  };
}

/** Whether the unit directly follows the previous token, without a blank. */
export function startsWithoutBlank(unit: string): boolean {
  const first = unit.charAt(0);
  if (first === marks.glued || first === marks.rest) return true;
  return first !== ' ' && unit !== marks.blank && kindOf(unit.charCodeAt(0), unit.charCodeAt(1)) === gap;
}

export function endsWithoutBlank(unit: string): boolean {
  const at = unit.startsWith(marks.rest) ? 1 : 0;
  const kind = kindOf(unit.charCodeAt(at), unit.charCodeAt(at + 1));
  return !unit.endsWith(' ') && kind === gap && !unit.startsWith(marks.glued);
}

function runsOf(codes: Uint8Array): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < codes.length && runs.length <= maxParts; ) {
    const kind = kindAt(codes, from);
    const to = runEnd(codes, from, kind);
    runs.push({ kind, from, to });
    from = to;
  }
  return runs;
}

/** A concatenated string is slow to index by character. */
function codesOf(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1');
}

function kindAt(codes: Uint8Array, at: number): number {
  return kindOf(codes[at]!, codes[at + 1] ?? 0);
}

/** `next`: the following byte, which decides for some. */
function kindOf(byte: number, next: number): number {
  const kind = kinds[byte]!;
  if (kind !== unsure) return kind;
  const isSingle = byte === 0xe0 ? next >= 0xb8 : (next > 0 && next < 0x83) || next === 0x9e || next === 0x9f;
  return isSingle ? single : word;
}

function runEnd(codes: Uint8Array, from: number, kind: number): number {
  if (kind === single) return from + (codes[from]! < 0xf0 ? 3 : 4);
  let at = from + 1;
  for (; at < codes.length; at++) {
    const next = kinds[codes[at]!]!;
    if (next !== kind && (next !== unsure || kindAt(codes, at) !== kind)) break;
  }
  return at;
}

function isBlank(codes: Uint8Array, from: number, to: number): boolean {
  return to === from + 1 && codes[from] === blank;
}

function addMarked(mark: string, text: string, add: AddToken): void {
  const unit = mark + text;
  add(unit, 0, unit.length);
}
