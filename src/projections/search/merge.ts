import { type Bits, hasBit, newBits, noBits } from '../kernel/bits.ts';
import { ByteSink, NumberSink, pack } from './bytes.ts';
import { EntryListWriter } from './entry-lists.ts';
import { MemoryLists, Room } from './lists.ts';
import { Places, writeLengths, zones } from './places.ts';
import { PositionReader, PositionWriter, slack } from './positions.ts';
import { longList, Segment } from './segment.ts';
import { type Vocabulary, writeUnit } from './vocabulary.ts';

const listWork = 10;
/** Entries visited between two pauses. */
const movedAtOnce = 20_000;

const writtenAtOnce = 50_000;

/** Merges segments into one, without dead entries, in steps of a few milliseconds. */
export function* mergeSegments(sources: readonly Segment[], pause: number): Generator<void, Segment | null> {
  const live = sources.map((source) => source.live.slice());
  const { ords, starts, moves } = yield* moved(sources, live);
  if (ords.length === 0) return null;
  const size = sources.reduce((sum, { lists }) => sum + lists.size, 0);
  // Room to spare: growing would copy all of it in one step.
  const writer = new SegmentWriter(ords, starts, Math.ceil(size * 1.125));
  const gathered = zones.map(() => new NumberSink());
  const reader = new PositionReader();
  const own = new Room();
  let work = 0;
  for (const { unit, numbers } of unitsOf(sources)) {
    for (const sink of gathered) sink.clear();
    for (const [i, number] of numbers.entries()) {
      if (number < 0) continue;
      const source = sources[i]!;
      source.open(number, reader, own);
      for (let count = reader.read(), place = 0; count > 0; count = reader.read()) {
        place = gather({ found: reader.found, count }, { source, moves: moves[i]!, place }, gathered);
        work += count;
        if (work < pause) continue;
        work = 0;
        yield;
      }
    }
    const positions = joined(gathered);
    if (positions.length > 0) yield* writer.add(unit, positions);
    work += listWork + positions.length;
  }
  yield* joinGrams(sources, live, writer);
  return yield* writer.finish();
}

/** Adds the n-grams of the live entries of some segments. */
function* joinGrams(sources: readonly Segment[], live: readonly Bits[], writer: SegmentWriter): Generator<void> {
  const numbers = new Set(sources.flatMap(({ grams }) => [...grams]));
  const entries = newBits(Math.max(...live.map(({ length }) => length)) * 32);
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const grams = { first: number, last: number };
    for (const [i, source] of sources.entries()) source.addWithGrams(grams, entries, live[i]!);
    writer.addGram(number, entries);
    entries.fill(0);
    yield;
  }
}

const dead = 0xffffffff;

interface Moved {
  /** Live entries of all sources, and the new start of each of their texts. */
  readonly ords: Uint32Array;
  readonly starts: Uint32Array;
  /** The new start of each text, by source. */
  readonly moves: readonly Uint32Array[];
}

function* moved(sources: readonly Segment[], live: readonly Bits[]): Generator<void, Moved> {
  const all = new NumberSink();
  const kept = new NumberSink();
  const moves = sources.map(({ places }) => new Uint32Array(places.starts.length - 1).fill(dead));
  let end = 0;
  for (const zone of zones.keys()) {
    for (const [i, { ords, places }] of sources.entries()) {
      for (let entry = 0; entry < ords.length; entry++) {
        if (entry % movedAtOnce === 0) yield;
        if (!hasBit(live[i]!, ords[entry]!)) continue;
        if (zone === 0) kept.push(ords[entry]!);
        const place = zone * ords.length + entry;
        all.push(end);
        moves[i]![place] = end;
        end += places.starts[place + 1]! - places.starts[place]!;
      }
    }
  }
  all.push(end);
  return { ords: kept.finish(), starts: all.finish(), moves };
}

/** Copies `count` positions of a unit in live texts, by zone, starting in a place. Returns the place of the last one. */
function gather(
  { found, count }: { readonly found: Uint32Array; readonly count: number },
  { source, moves, place: first }: { readonly source: Segment; readonly moves: Uint32Array; readonly place: number },
  zoned: readonly NumberSink[],
): number {
  const { places } = source;
  let place = first;
  for (let i = 0; i < count; i++) {
    const position = found[i]!;
    place = places.of(position, place);
    if (moves[place] === dead) continue;
    const zone = place < places.entries ? 0 : place < 2 * places.entries ? 1 : 2;
    zoned[zone]!.push(moves[place]! + position - places.starts[place]!);
  }
  return place;
}

function joined(sinks: readonly NumberSink[]): Uint32Array {
  const all = new Uint32Array(sinks.reduce((sum, { size }) => sum + size, 0));
  let at = 0;
  for (const sink of sinks) {
    sink.copyTo(all, at);
    at += sink.size;
  }
  return all;
}

interface MergedUnit {
  readonly unit: string;
  /** Number of the unit in each source; -1 where it is missing. */
  readonly numbers: readonly number[];
}

function* unitsOf(sources: readonly Segment[]): Generator<MergedUnit> {
  const cursors = sources.map((source) => new Cursor(source.vocabulary));
  for (;;) {
    let unit: string | null = null;
    for (const cursor of cursors) if (cursor.unit !== null && (unit === null || cursor.unit < unit)) unit = cursor.unit;
    if (unit === null) return;
    yield { unit, numbers: cursors.map((cursor) => cursor.take(unit)) };
  }
}

class Cursor {
  readonly #vocabulary: Vocabulary;
  #next = 0;
  unit: string | null = null;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#read();
  }

  /** The number of the unit if it is the next one, and advances; else -1. */
  take(unit: string): number {
    if (this.unit !== unit) return -1;
    this.#next += 1;
    this.#read();
    return this.#next - 1;
  }

  #read(): void {
    this.unit = this.#next < this.#vocabulary.size ? this.#vocabulary.unit(this.#next) : null;
  }
}

/** Builds a segment from units in byte order. */
export class SegmentWriter {
  readonly #ords: Uint32Array;
  readonly #texts: Uint32Array;
  readonly #positions = new PositionWriter();
  readonly #entries: EntryListWriter;
  readonly #words = new ByteSink(1024);
  readonly #units = new NumberSink();
  readonly #starts = new NumberSink();
  readonly #sizes = new NumberSink();
  readonly #entrySizes = new NumberSink();
  readonly #short = new ByteSink(1024);
  readonly #grams = new NumberSink();
  readonly #gramStarts = new NumberSink();
  readonly #gramSizes = new NumberSink();
  readonly #lists: MemoryLists;

  /** `texts`: where they start, see `Places`; `expectedSize`: bytes of the long lists. */
  constructor(ords: Uint32Array, texts: Uint32Array, expectedSize = ords.length * 512) {
    this.#ords = ords;
    this.#texts = texts;
    this.#entries = new EntryListWriter(ords, new Places(texts));
    this.#lists = new MemoryLists(expectedSize);
  }

  /** Adds a unit, pausing after every few milliseconds of its positions. */
  *add(unit: string, positions: Uint32Array): Generator<void> {
    this.#units.push(writeUnit(this.#words, unit));
    this.#positions.begin(positions.length, this.#texts.at(-1)!);
    for (let from = 0; from < positions.length; from += writtenAtOnce) {
      if (from > 0) yield;
      this.#positions.write(positions.subarray(from, from + writtenAtOnce));
    }
    const list = this.#positions.end();
    this.#sizes.push(list.length);
    if (list.length >= longList) {
      this.#starts.push(this.#lists.append(list));
      const entries = yield* this.#entries.write(positions);
      this.#lists.append(entries);
      this.#entrySizes.push(entries.length);
    } else {
      this.#starts.push(this.#short.size);
      this.#short.extend(list.length).set(list);
      this.#entrySizes.push(0);
    }
  }

  /** Adds the entries with an n-gram, in ascending order of n-grams. */
  addGram(number: number, entries: Bits): void {
    if (noBits(entries)) return;
    const list = this.#entries.writeSet(entries);
    this.#grams.push(number);
    this.#gramStarts.push(this.#lists.append(list));
    this.#gramSizes.push(list.length);
  }

  *finish(): Generator<void, Segment> {
    this.#units.push(this.#words.size);
    this.#short.extend(slack + (-this.#short.size & 3));
    const lengths = new ByteSink(this.#texts.length);
    writeLengths(lengths, this.#texts);
    const sizes = [this.#sizes.view(), this.#entrySizes.view()];
    const numbers = [this.#ords, this.#units.view(), this.#starts.view(), ...sizes];
    yield;
    const texts = [lengths.view(), this.#words.view(), this.#short.view()];
    const grams = [this.#grams, this.#gramStarts, this.#gramSizes].map((sink) => sink.view());
    const head = yield* pack([...numbers, ...texts, ...grams]);
    yield;
    this.#lists.trim();
    return new Segment(head, this.#lists);
  }
}
