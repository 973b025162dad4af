import { addCommon, type Bits, commonBits, countBits, dropBits, haveCommon, newBits, noBits } from '../kernel/bits.ts';
import { Marking, Narrowing } from './marking.ts';
import { anyColumn, type PlaceColumns } from './places.ts';
import { PositionReader } from './positions.ts';
import type { Segment } from './segment.ts';
import type { TokenPattern } from './tokens.ts';

export interface Lookup {
  readonly segment: Segment;
  readonly columns: PlaceColumns;
  readonly hits: FoundHits;
  readonly pool: SetPool;
}

/** What a search for a term has found so far in the entries of `within`. */
export class FoundHits {
  readonly sure: Bits;
  readonly within: Bits;
  #doubtful: Bits | null = null;

  /** `sure`: an empty set as large as `within`. */
  constructor(sure: Bits, within: Bits) {
    this.sure = sure;
    this.within = within;
  }

  /** Entries that are left to be decided by their texts; null: none. */
  doubtful(): Bits | null {
    if (this.#doubtful === null) return null;
    dropBits(this.#doubtful, this.sure);
    return noBits(this.#doubtful) ? null : this.#doubtful;
  }

  /** Adds those of some entries that are in both sets. */
  doubt(entries: Bits, live: Bits): void {
    this.#doubtful ??= newBits(this.within.length * 32);
    addCommon(this.#doubtful, entries, live, this.within);
  }
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
/** Bytes of a list after which it pays to check whether any entry is left. */
const longEnough = 512;
/** Approximate bytes of positions read before the time is looked at. */

const max = 2;
const reader = new PositionReader();

/** Finds the entries with a term. Leaves entries to be decided by their texts if that is less work, or if they have runs that were split. */
export function lookUp(pattern: TokenPattern, lookup: Lookup): void {
  const { segment, columns, hits } = lookup;
  const { live, cut } = segment;
  if (pattern.parts.length === 0) {
    addCommon(hits.sure, live, live, hits.within);
    return;
  }
  if (pattern.grams !== null && columns === anyColumn) {
    segment.addWithGrams(pattern.grams, hits.sure, hits.within);
    return;
  }
  const steps = stepsOf(pattern, lookup);
  const size = steps.reduce((sum, step) => sum + step.size, 0);
  if (isMoreThanTexts(size, lookup)) hits.doubt(live, live);
  else if (isUnit(pattern, columns)) addUnits(steps[0]!, lookup);
  else if (steps.every(({ numbers }) => numbers.length > 0)) addPhrase({ pattern, steps, lookup });
  if (cut !== null) hits.doubt(cut, live);
}

/** Whether reading the texts of all relevant entries takes less time than `size` bytes of lists. */
function isMoreThanTexts(size: number, { segment: { live }, hits: { within } }: Lookup): boolean {
  return size > textCost && !haveCommon(live, within, size / textCost);
}

/** Whether the entries of the units tell everything, without positions. */
function isUnit({ parts, isWhole, isLed, isTrailed }: TokenPattern, columns: PlaceColumns): boolean {
  return parts.length === 1 && isWhole && !isLed && !isTrailed && columns === anyColumn;
}

/** Adds the entries with any of some units. */
function addUnits(step: Step, { segment, hits }: Lookup): void {
  const { sure, within } = hits;
  const lists = { found: sure, costOf: (number: number) => segment.costOf(number) };
  const left = readLists(step, { segment, hits, ...lists, read: (number) => segment.addEntries(number, sure, within) });
  if (left !== null) hits.doubt(left, segment.live);
}

/** The parts of a term, the rarest first. */
function stepsOf(pattern: TokenPattern, { segment, columns }: Lookup): Step[] {
  const share = segment.places.only(columns).end / segment.places.end;
  const costOf = isUnit(pattern, columns)
    ? (number: number) => segment.costOf(number)
    : (number: number) => segment.sizeOf(number) * share;
  const steps = pattern.parts.map((part, at) => {
    const numbers = segment.vocabulary.numbersWith(part);
    return { at, numbers, size: numbers.reduce((sum, number) => sum + costOf(number), 0) };
  });
  return steps.sort((a, b) => a.size - b.size);
}

/** Adds the entries in which the parts follow each other. */
function addPhrase(work: Work): void {
  const { pool, segment } = work.lookup;
  const taken: Bits[] = [];
  try {
    addThrough(work, () => {
      const set = pool.take(segment.places.end);
      taken.push(set);
      return set;
    });
  } finally {
    for (const set of taken) pool.give(set);
  }
}

function addThrough({ pattern, steps, lookup }: Work, take: () => Bits): void {
  const { segment, columns, hits } = lookup;
  let open: Bits | null = null;
  let spare: Bits | null = null;
  for (const [i, { at, numbers }] of steps.slice(0, -1).entries()) {
    const narrowing: Narrowing = new Narrowing(spare?.fill(0) ?? take(), { open, at, columns, places: segment.places });
    for (const number of numbers) readList(number, segment, (reader) => narrowing.read(reader));
    [open, spare] = [narrowing.positions, open];
    const rest = steps.slice(i + 1).reduce((sum, { size }) => sum + size, 0);
    if (narrowing.count === 0) return;
    if (narrowing.count * textCost >= rest) continue;
    hits.doubt(segment.entriesAt(open), segment.live);
    return;
  }
  addLast(steps.at(-1)!, { pattern, open, lookup });
}

interface Last {
  readonly pattern: TokenPattern;
  /** Where the term can begin, according to the other parts. */
  readonly open: Bits | null;
  readonly lookup: Lookup;
}

/** Adds the entries with the last part at a possible position. */
function addLast(step: Step, { pattern, open, lookup }: Last): void {
  const { segment, columns, hits } = lookup;
  const { isLed, isTrailed, parts, isWhole } = pattern;
  const where = {
    open,
    at: step.at,
    last: parts.length - 1,
    after: isLed ? segment.afterGap() : null,
    before: isTrailed ? segment.beforeGap() : null,
  };
  const marking = new Marking(segment, columns, where);
  const read = (number: number) => readList(number, segment, (reader) => marking.read(reader));
  const costOf = (number: number) => segment.sizeOf(number);
  const left = readLists(step, { segment, hits, found: marking.bits, costOf, read });
  if (left !== null) hits.doubt(left, segment.live);
  if (isWhole) addCommon(hits.sure, marking.bits, segment.live, hits.within);
  else hits.doubt(marking.bits, segment.live);
}

interface ListsToRead extends Pick<Lookup, 'segment' | 'hits'> {
  /** What has been found in the lists. */
  readonly found: Bits;
  readonly costOf: (number: number) => number;
  readonly read: (number: number) => void;
}

/**
 * Reads the lists of some units. Long lists are read first: after them often little is left to find. Returns the entries that are left
 * once reading their texts takes less time than the other lists; null if all lists that matter were read.
 */
function readLists({ numbers, size }: Step, { segment, hits, found, costOf, read }: ListsToRead): Bits | null {
  const isLong = (number: number) => costOf(number) >= longEnough;
  const long = numbers.filter(isLong).sort((a, b) => costOf(b) - costOf(a));
  let rest = size;
  let unasked = 0;
  for (const number of long) {
    read(number);
    rest -= costOf(number);
    unasked += costOf(number);
    if (unasked < segment.ords.length) continue;
    unasked = 0;
    const left = commonBits(segment.live, hits.within);
    dropBits(left, found);
    const count = countBits(left);
    if (count === 0) return null;
    if (count * textCost < rest) return left;
  }
  for (const number of numbers) if (!isLong(number)) read(number);
  return null;
}

/** `read` returns whether more of the list matters. */
function readList(number: number, segment: Segment, read: (reader: PositionReader) => boolean): void {
  segment.open(number, reader);
  while (read(reader));
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
