import { grownBits } from '../collection/bits.ts';
import { numbersIn, pack, unpack } from './bytes.ts';
import { Segment } from './segment.ts';

export interface Savable {
  readonly segments: readonly Segment[];
  readonly tail: readonly number[];
}

// Raise it when what is saved, or how texts are cut, changes.
const format = 4;

/** First what changes all the time: the tail, and what is alive in each segment; then the segments. */
export function saveIndex({ segments, tail }: Savable): Uint8Array[] {
  const state = pack([Uint32Array.of(format), Uint32Array.from(tail), ...segments.map(({ live }) => live)]);
  return [state, ...segments.map(({ bytes }) => bytes)];
}

/** The index as it was saved; null when parts are missing or of another format. */
export function readSaved([state, ...parts]: readonly Uint8Array[]): Savable | null {
  if (state === undefined || state.length < 8) return null;
  const [head = state, tail = state, ...lives] = unpack(state);
  if (numbersIn(head)[0] !== format || lives.length !== parts.length) return null;
  return {
    tail: [...numbersIn(tail)],
    // A copy of what is alive: it changes, the bytes that it was read from must not.
    segments: parts.map((part, i) => new Segment(part, grownBits(numbersIn(lives[i] ?? state), 0))),
  };
}
