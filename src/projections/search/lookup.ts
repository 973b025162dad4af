import { pieceDone } from '#text/suspended.ts';
import { addBits, type Bits, commonBits, countBits, dropBits, newBits } from '../kernel/bits.ts';
import { Marking, Narrowing } from './marking.ts';
import { anyColumn, type PlaceColumns } from './places.ts';
import { PositionReader } from './positions.ts';
import type { Segment } from './segment.ts';
import type { TokenPattern } from './tokens.ts';
import type { Hits } from './types.ts';

export interface Lookup {
  readonly segment: Segment;
  readonly columns: PlaceColumns;
  /** Relevant entries; for others, results may be wrong. */
  readonly within: Bits;
  /** How many live entries of the segment are relevant. */
  readonly wanted: number;
  readonly pool: SetPool;
}

/** A part of a term and the units that match it. */
interface Step {
  readonly at: number;
  readonly numbers: readonly number[];
  readonly size: number;
}

interface Work {
  readonly pattern: TokenPattern;
  readonly steps: readonly Step[];
  readonly lookup: Lookup;
}

/** Bytes of positions that are read in the time of reading one text. */
const textCost = 2048;
/** Up to this many bytes of positions, results are not cached. */
const littleSize = 512;
/** Bytes of a list after which it pays to check whether any entry is left. */
const longEnough = 512;
/** Approximate bytes of positions read before the time is looked at. */
const pieceSize = 1 << 16;

const max = 2;

/** Finds the entries with a term. Leaves entries to be decided by their texts if that is less work, or if they have runs that were split. */
export function lookUp(pattern: TokenPattern, lookup: Lookup): Hits {
  const { segment, columns, within, wanted } = lookup;
  if (pattern.parts.length === 0) return { sure: segment.live, doubtful: null };
  const key = `${columns} ${pattern.text}`;
  const known = segment.found.get(key);
  if (known !== undefined) return withCut({ sure: known, doubtful: null }, segment);
  const steps = stepsOf(pattern, lookup);
  const size = steps.reduce((sum, step) => sum + step.size, 0);
  if (wanted * textCost < size) return { sure: newBits(0), doubtful: commonBits(segment.live, within) };
  const hits = steps.some(({ numbers }) => numbers.length === 0) ? noHits : hitsOf({ pattern, steps, lookup });
  if (hits.doubtful === null && size > littleSize) segment.found.set(key, hits.sure);
  return withCut(hits, segment);
}

const noHits: Hits = { sure: newBits(0), doubtful: null };

function withCut({ sure, doubtful }: Hits, { cut }: Segment): Hits {
  if (cut === null) return { sure, doubtful };
  const open = cut.slice();
  if (doubtful !== null) addBits(open, doubtful);
  dropBits(open, sure);
  return { sure, doubtful: open };
}

/** The parts of a term, the rarest first. */
function stepsOf({ parts }: TokenPattern, { segment, columns }: Lookup): Step[] {
  const share = segment.places.only(columns).end / segment.places.end;
  const steps = parts.map((part, at) => {
    const numbers = segment.vocabulary.numbersWith(part);
    const size = numbers.reduce((sum, number) => sum + segment.sizeOf(number), 0);
    return { at, numbers, size: size * share };
  });
  return steps.sort((a, b) => a.size - b.size);
}

function hitsOf({ pattern, steps, lookup }: Work): Hits {
  const { pool } = lookup;
  const taken: Bits[] = [];
  try {
    return stepsThrough({ pattern, steps, lookup }, () => {
      const set = pool.take(lookup.segment.places.end);
      taken.push(set);
      return set;
    });
  } finally {
    for (const set of taken) pool.give(set);
  }
}

function stepsThrough({ pattern, steps, lookup }: Work, take: () => Bits): Hits {
  const { segment, columns } = lookup;
  let open: Bits | null = null;
  let spare: Bits | null = null;
  for (const [i, { at, numbers }] of steps.slice(0, -1).entries()) {
    const narrowing: Narrowing = new Narrowing(spare?.fill(0) ?? take(), { open, at, columns, places: segment.places });
    readAll(numbers, segment, (reader) => narrowing.read(reader));
    [open, spare] = [narrowing.positions, open];
    const rest = steps.slice(i + 1).reduce((sum, { size }) => sum + size, 0);
    if (narrowing.count === 0) return noHits;
    if (narrowing.count * textCost < rest) return { sure: newBits(0), doubtful: segment.entriesAt(open) };
  }
  const last = steps.at(-1)!;
  const hits = marked(last, { pattern, open, lookup });
  if (pattern.isWhole) return hits;
  if (hits.doubtful !== null) addBits(hits.sure, hits.doubtful);
  return { sure: newBits(0), doubtful: hits.sure };
}

interface Last {
  readonly pattern: TokenPattern;
  /** Where the term can begin, according to the other parts. */
  readonly open: Bits | null;
  readonly lookup: Lookup;
}

/** Entries with the last part at a possible position. Long lists are read first: after them often little is left to find. */
function marked({ at, numbers, size }: Step, { pattern, open, lookup }: Last): Hits {
  const { segment, columns } = lookup;
  const { isLed, isTrailed, parts } = pattern;
  const where = {
    ...{ open, at, last: parts.length - 1 },
    ...{ after: isLed ? segment.afterGap() : null, before: isTrailed ? segment.beforeGap() : null },
  };
  const isAnywhere = open === null && !isLed && !isTrailed && columns === anyColumn;
  const marking = new Marking(segment, columns, where);
  const read = (reader: PositionReader) => marking.read(reader);
  const long = numbers.filter((number) => segment.sizeOf(number) >= longEnough);
  let rest = size;
  let unasked = 0;
  for (const number of long.sort((a, b) => segment.sizeOf(b) - segment.sizeOf(a))) {
    if (!isAnywhere || !segment.addOften(number, marking.bits)) readAll([number], segment, read);
    rest -= segment.sizeOf(number);
    unasked += segment.sizeOf(number);
    if (unasked < segment.ords.length) continue;
    unasked = 0;
    const left = leftOf(segment.all, marking.bits);
    const count = countBits(left);
    if (count === 0) return { sure: marking.bits, doubtful: null };
    if (count * textCost < rest) return { sure: marking.bits, doubtful: left };
  }
  const short = numbers.filter((number) => segment.sizeOf(number) < longEnough);
  readAll(short, segment, read);
  return { sure: marking.bits, doubtful: null };
}

function leftOf(all: Bits, found: Bits): Bits {
  const left = all.slice();
  dropBits(left, found);
  return left;
}

/** Reads lists, each in pieces; `read` returns whether more of the list matters. */
function readAll(numbers: readonly number[], segment: Segment, read: (reader: PositionReader) => boolean): void {
  const reader = new PositionReader();
  let done = 0;
  for (const number of numbers) {
    segment.open(number, reader);
    while (read(reader)) pieceDone();
    done += segment.sizeOf(number);
    if (done < pieceSize) continue;
    done = 0;
    pieceDone();
  }
}

/** Reusable sets of positions for searches: new ones for each would be megabytes of garbage. */
export class SetPool {
  readonly #free: Bits[] = [];

  /** Returns an empty set of at least that capacity. */
  take(capacity: number): Bits {
    const set = this.#free.pop();
    return set === undefined || set.length * 32 < capacity ? newBits(capacity) : set.fill(0);
  }

  give(set: Bits): void {
    if (this.#free.length < max) this.#free.push(set);
  }
}
