import { ByteSink, NumberSink } from './bytes.ts';
import { writeColumns } from './column-postings.ts';
import type { Range } from './postings.ts';
import { rangeOf, Segment } from './segment.ts';
import { packSegment, type SectionParts } from './segment-parts.ts';
import { writeUnit } from './vocabulary.ts';

/** Puts a segment together, section by section, unit by unit. Units must come sorted by their bytes. */
export class SegmentWriter {
  readonly #ords: Uint32Array;
  readonly #lengths: Uint16Array;
  readonly #range: Range;
  readonly #postings: ByteSink;
  readonly #common = new NumberSink();
  readonly #sections: SectionParts[] = [];
  #units = new ByteSink(1024);
  #starts = new NumberSink();
  #offsets = new NumberSink();

  /** `expectedSize`: of the postings, bytes. */
  constructor(ords: Uint32Array, lengths: Uint16Array, expectedSize = ords.length * 256) {
    this.#ords = ords;
    this.#lengths = lengths;
    this.#range = rangeOf(ords);
    this.#postings = new ByteSink(expectedSize);
  }

  /** `entries`: ords by column, ascending. */
  add(unit: string, entries: readonly Uint32Array[]): void {
    this.#starts.push(writeUnit(this.#units, unit));
    this.#offsets.push(this.#postings.size);
    writeColumns(this.#postings, entries, this.#range);
  }

  markCommon(): void {
    this.#common.push(this.#starts.size - 1);
  }

  endSection(): void {
    this.#starts.push(this.#units.size);
    this.#offsets.push(this.#postings.size);
    this.#sections.push({
      units: this.#units.view(),
      starts: this.#starts.view(),
      offsets: this.#offsets.view(),
    });
    this.#units = new ByteSink(1024);
    this.#starts = new NumberSink();
    this.#offsets = new NumberSink();
  }

  finish(): Segment {
    const parts = {
      ords: this.#ords,
      lengths: this.#lengths,
      common: this.#common.view(),
      postings: this.#postings.view(),
      sections: this.#sections,
    };
    return new Segment(packSegment(parts));
  }
}
