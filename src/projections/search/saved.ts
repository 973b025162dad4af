import { finished } from '#text/finished.ts';
import { grownBits } from '../kernel/bits.ts';
import { numbersIn, pack, unpack } from './bytes.ts';
import { Segment } from './segment.ts';

export interface Savable {
  readonly segments: readonly Segment[];
  readonly tail: readonly number[];
}

// To be raised when the saved format, or the tokenisation of texts, changes.
const format = 4;

/** First the volatile part (the tail, and the live entries of each segment), then the segments. */
export function saveIndex({ segments, tail }: Savable): Uint8Array[] {
  const state = finished(pack([Uint32Array.of(format), Uint32Array.from(tail), ...segments.map(({ live }) => live)]));
  return [state, ...segments.map(({ bytes }) => bytes)];
}

/** The saved index; null when parts are missing or of another format. */
export function readSaved([state, ...parts]: readonly Uint8Array[]): Savable | null {
  if (state === undefined || state.length < 8) return null;
  const [head = state, tail = state, ...lives] = unpack(state);
  if (numbersIn(head)[0] !== format || lives.length !== parts.length) return null;
  return {
    tail: [...numbersIn(tail)],
    // A copy of the live entries: they change, but the saved bytes must not.
    segments: parts.map((part, i) => new Segment(part, grownBits(numbersIn(lives[i] ?? state), 0))),
  };
}
