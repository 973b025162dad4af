import { ByteSink, NumberSink, pack } from './bytes.ts';
import { writeLengths } from './places.ts';
import { PositionWriter } from './positions.ts';
import { Segment } from './segment.ts';
import { writeUnit } from './vocabulary.ts';

const writtenAtOnce = 50_000;

/** Builds a segment from units in byte order. */
export class SegmentWriter {
  readonly #ords: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #positions: PositionWriter;
  readonly #units = new ByteSink(1024);
  readonly #unitStarts = new NumberSink();
  readonly #offsets = new NumberSink();

  /** `starts`: of the texts, see `Places`; `expectedSize`: bytes of the positions. */
  constructor(ords: Uint32Array, starts: Uint32Array, expectedSize = ords.length * 512) {
    this.#ords = ords;
    this.#starts = starts;
    this.#positions = new PositionWriter(expectedSize);
  }

  /** Adds a unit, pausing after every few milliseconds of its positions. */
  *add(unit: string, positions: Uint32Array): Generator<void> {
    this.#unitStarts.push(writeUnit(this.#units, unit));
    this.#offsets.push(this.#positions.size);
    this.#positions.begin(positions.length, this.#starts.at(-1)!);
    for (let from = 0; from < positions.length; from += writtenAtOnce) {
      if (from > 0) yield;
      this.#positions.write(positions.subarray(from, from + writtenAtOnce));
    }
    this.#positions.end();
  }

  *finish(): Generator<void, Segment> {
    this.#unitStarts.push(this.#units.size);
    this.#offsets.push(this.#positions.size);
    const lengths = new ByteSink(this.#starts.length);
    writeLengths(lengths, this.#starts);
    const numbers = [this.#ords, this.#unitStarts.view(), this.#offsets.view()];
    yield;
    const bytes = yield* pack([...numbers, lengths.view(), this.#units.view(), this.#positions.finish()]);
    yield;
    return new Segment(bytes);
  }
}
