import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { IdMap } from '../kernel/id-map.ts';

/** The address of a view, and what is needed without reading it. */
export interface Slot {
  readonly id: number;
  readonly address: number;
  readonly version: number;
  readonly shared: number;
  /** Bytes of the kind and the permalink. */
  readonly label: number;
  /** Bytes of the view itself; 0 if there is none. */
  readonly text: number;
  /** Bytes of the texts for searches, at the end. */
  readonly searched: number;
  /** 48 bits of the view's digest. */
  readonly digest: number;
}

/** Bytes of a checksum. */
export const sumSize = 4;

/** Digest of a view: 48 bits, which a number holds exactly. */
export function viewDigest(text: Uint8Array): number {
  return Number.parseInt(hash('sha1', text, 'hex').slice(0, 12), 16);
}

export function digestText(digest: number): string {
  return digest.toString(16).padStart(12, '0');
}

/** Bytes of a view, or of an ASCII text instead of it. */
export function lengthOf(part: Slot | string): number {
  return typeof part === 'string' ? part.length : part.text;
}

const fields = [
  'id',
  'address',
  'version',
  'shared',
  'label',
  'text',
  'searched',
  'digest',
] as const satisfies (keyof Slot)[];
const width = fields.length;

/**
 * Slots by id, in one array of numbers: as objects those of 100,000 entries would take five times the memory, and could not be written at
 * once.
 */
export class SlotTable {
  #values = new Float64Array(width * 1024);
  #size = 0;
  readonly #at = new IdMap();
  readonly #free: number[] = [];

  /** Bytes for `load`. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#values.buffer, 0, this.#size * 8);
  }

  /** Loads the result of `bytes`. Throws `RangeError` when it is invalid. */
  load(bytes: Uint8Array): void {
    if (bytes.length % (width * 8) !== 0) throw new RangeError('not whole slots');
    this.#size = bytes.length / 8;
    this.#values = new Float64Array(Math.max(width * 1024, this.#size));
    new Uint8Array(this.#values.buffer).set(bytes);
    for (let at = 0; at < this.#size; at += width) {
      const id = this.#values[at]!;
      if (id === 0) this.#free.push(at);
      else this.#at.set(id, at);
    }
  }

  get(id: number): Slot | undefined {
    const at = this.#at.get(id);
    return at === undefined ? undefined : this.#slot(at);
  }

  set(slot: Slot): void {
    const at = this.#at.get(slot.id) ?? this.#free.pop() ?? this.#grow();
    for (let i = 0; i < width; i++) this.#values[at + i] = slot[fields[i]!];
    this.#at.set(slot.id, at);
  }

  delete(id: number): void {
    const at = this.#at.get(id);
    if (at === undefined) return;
    this.#values[at] = 0;
    this.#at.delete(id);
    this.#free.push(at);
  }

  clear(): void {
    this.#size = 0;
    this.#at.clear();
    this.#free.length = 0;
  }

  *slots(): Generator<Slot> {
    for (const at of this.#at.values()) yield this.#slot(at);
  }

  /** Addresses of all records; yields the same object each time. */
  *records(): Generator<{ readonly address: number; readonly length: number }> {
    const record = { address: 0, length: 0 };
    for (const at of this.#at.values()) {
      record.address = this.#values[at + 1]!;
      const [label, text, searched] = [this.#values[at + 4]!, this.#values[at + 5]!, this.#values[at + 6]!];
      record.length = placesIn({ label, text, searched }).end;
      yield record;
    }
  }

  #slot(at: number): Slot {
    const values = this.#values;
    return {
      id: values[at]!,
      address: values[at + 1]!,
      version: values[at + 2]!,
      shared: values[at + 3]!,
      label: values[at + 4]!,
      text: values[at + 5]!,
      searched: values[at + 6]!,
      digest: values[at + 7]!,
    };
  }

  #grow(): number {
    const at = this.#size;
    this.#size += width;
    if (this.#size > this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    return at;
  }
}

/**
 * The record of a view: the text, then its kind and permalink, then the texts for searches, each followed by its checksum. The text comes
 * first, because lists read it alone.
 */
export function recordOf(text: Buffer, label: Buffer, searched: Buffer): Buffer {
  return Buffer.concat([text, label, searched].flatMap((part) => [part, sumBytes(part)]));
}

export function placesIn({ text, label, searched }: Lengths): { label: number; searched: number; end: number } {
  const labelAt = text + sumSize;
  const searchedAt = labelAt + label + sumSize;
  return { label: labelAt, searched: searchedAt, end: searchedAt + searched + sumSize };
}

/** Whether the bytes match the checksum after them. */
export function isIntact(bytes: Buffer, from: number, length: number): boolean {
  return crc32(bytes.subarray(from, from + length)) === bytes.readUInt32LE(from + length);
}

interface Lengths {
  readonly text: number;
  readonly label: number;
  readonly searched: number;
}

function sumBytes(part: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(sumSize);
  bytes.writeUInt32LE(crc32(part));
  return bytes;
}
