import { RecentRecords } from './recent-records.ts';
import { isIntact, placesIn, sumSize } from './record.ts';
import type { Segments } from './segments.ts';
import type { Slot } from './table.ts';

/** Reads records, and compares them with their checksums. */
export class RecordReader {
  readonly #segments: Pick<Segments, 'read'>;
  readonly #recent = new RecentRecords();
  readonly #onDamage: (id: number, message: string) => void;

  constructor(segments: Pick<Segments, 'read'>, onDamage: (id: number, message: string) => void) {
    this.#segments = segments;
    this.#onDamage = onDamage;
  }

  /** Copies a text, and perhaps what follows, as it was when it was last read. Returns false when it is damaged. */
  copy(slot: Slot, into: Buffer, at: number, length = slot.text + sumSize): boolean {
    return this.#recent.copy(slot.address, { into, at, length }) || this.#load(slot, { into, at, length });
  }

  #load(slot: Slot, { into, at, length }: { into: Buffer; at: number; length: number }): boolean {
    const size = placesIn(slot).searched;
    const parts = [slot.text, slot.label];
    if (!RecentRecords.keeps(size)) {
      return this.read(slot, { into, at, skip: 0, parts: length < size ? [slot.text] : parts });
    }
    const read = (bytes: Buffer, from: number) => this.read(slot, { into: bytes, at: from, skip: 0, parts });
    return this.#recent.keep(slot.address, size, read) && this.#recent.copy(slot.address, { into, at, length });
  }

  /** Reads adjacent parts of a record, each with its checksum. Returns false when they are damaged. */
  read(slot: Slot, { into, at, skip, parts }: { into: Buffer; at: number; skip: number; parts: number[] }): boolean {
    const length = parts.reduce((sum, part) => sum + part + sumSize, 0);
    try {
      this.#segments.read(slot.address + skip, { into, at, length });
      let from = at;
      for (const part of parts) {
        if (!isIntact(into, from, part)) throw new Error('the checksum differs');
        from += part + sumSize;
      }
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      this.#onDamage(slot.id, `the ready answer for ${slot.id} is not what was made: ${reason}`);
      return false;
    }
  }
}
