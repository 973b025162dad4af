import { hash } from 'node:crypto';
import type { BufferPool } from './buffer-pool.ts';
import type { Segments } from './segments.ts';
import { isIntact, lengthOf, placesIn, type Slot, sumSize, viewDigest } from './table.ts';
import type { ViewList } from './types.ts';

/** A list of texts of which none is ready: with the bytes and the digest that it would have otherwise. */
export function listOfTexts(texts: readonly string[]): ViewList {
  const bytes = Buffer.from(`[${texts.join(',')}]`, 'latin1');
  const digest = digestOf(Float64Array.from(texts, (text) => viewDigest(Buffer.from(text, 'latin1'))));
  return { bytes, digest, release: () => undefined };
}

function digestOf(marks: Float64Array): string {
  return hash('sha1', marks, 'base64url');
}

interface Chunk {
  readonly bytes: Buffer;
  size: number;
  addresses: number[];
}

/** Bytes of one chunk. */
const chunkSize = 1 << 20;
/** Longer records are not kept. */
const longest = 1 << 16;

const [opening, comma, closing] = Buffer.from('[,]') as unknown as [number, number, number];

/** Reads records, and compares them with their checksums. */
export class RecordReader {
  readonly #segments: Pick<Segments, 'read'>;
  readonly #recent: RecentRecords;
  readonly #onDamage: (id: number, message: string) => void;

  /** `cacheBytes`: maximum size of the copies in memory. */
  constructor(segments: Pick<Segments, 'read'>, cacheBytes: number, onDamage: (id: number, message: string) => void) {
    this.#segments = segments;
    this.#recent = new RecentRecords(cacheBytes);
    this.#onDamage = onDamage;
  }

  /** Size of the copies in memory. */
  get cachedBytes(): number {
    return this.#recent.bytes;
  }

  /** The bytes of a list of records and other texts, with its digest; null if a record is damaged. */
  join(parts: readonly (Slot | string)[], pool: BufferPool): ViewList | null {
    const size = parts.reduce((sum, part) => sum + lengthOf(part) + 1, 1 + Number(parts.length === 0));
    // The checksum of the last text is read, too.
    const { bytes, release } = pool.lend(size + sumSize);
    const marks = new Float64Array(parts.length);
    bytes[0] = opening;
    let at = 1;
    for (const [i, part] of parts.entries()) {
      if (i > 0) bytes[at++] = comma;
      if (typeof part === 'string') {
        bytes.write(part, at, 'latin1');
        marks[i] = viewDigest(bytes.subarray(at, at + part.length));
      } else if (this.copy(part, bytes, at)) {
        marks[i] = part.digest;
      } else {
        release();
        return null;
      }
      at += lengthOf(part);
    }
    bytes[at] = closing;
    return { bytes: bytes.subarray(0, size), digest: digestOf(marks), release };
  }

  /** Copies a text, and perhaps what follows, as it was when it was last read. Returns false when it is damaged. */
  copy(slot: Slot, into: Buffer, at: number, length = slot.text + sumSize): boolean {
    return this.#recent.copy(slot.address, { into, at, length }) || this.#load(slot, { into, at, length });
  }

  #load(slot: Slot, { into, at, length }: { into: Buffer; at: number; length: number }): boolean {
    const size = placesIn(slot).searched;
    const parts = [slot.text, slot.label];
    if (!this.#recent.keeps(size)) {
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

/**
 * Keeps recently read records in memory, so that they are not read and checked for each answer. The oldest megabyte is dropped first:
 * buffers of their own would be garbage outside the heap.
 */
export class RecentRecords {
  readonly #chunks: Chunk[] = [];
  readonly #places = new Map<number, number>();
  readonly #maxChunks: number;
  #current = 0;

  constructor(maxBytes: number) {
    this.#maxChunks = Math.floor(maxBytes / chunkSize);
  }

  get bytes(): number {
    return this.#chunks.length * chunkSize;
  }

  keeps(length: number): boolean {
    return length <= longest && this.#maxChunks > 0;
  }

  /** Copies the beginning of the record at an address. Returns false when it is not kept. */
  copy(address: number, { into, at, length }: { into: Buffer; at: number; length: number }): boolean {
    const place = this.#places.get(address);
    if (place === undefined) return false;
    const from = place % chunkSize;
    this.#chunks[Math.floor(place / chunkSize)]!.bytes.copy(into, at, from, from + length);
    return true;
  }

  /** Has `read` write a record, and keeps it if that returns true. */
  keep(address: number, length: number, read: (into: Buffer, at: number) => boolean): boolean {
    const chunk = this.#withRoomFor(length);
    if (!read(chunk.bytes, chunk.size)) return false;
    this.#places.set(address, this.#current * chunkSize + chunk.size);
    chunk.addresses.push(address);
    chunk.size += length;
    return true;
  }

  #withRoomFor(length: number): Chunk {
    const current = this.#chunks[this.#current];
    if (current !== undefined && current.size + length <= chunkSize) return current;
    if (current !== undefined) this.#current = (this.#current + 1) % this.#maxChunks;
    const oldest = this.#chunks[this.#current];
    for (const address of oldest?.addresses ?? []) this.#places.delete(address);
    const chunk = { bytes: oldest?.bytes ?? Buffer.allocUnsafeSlow(chunkSize), size: 0, addresses: [] };
    this.#chunks[this.#current] = chunk;
    return chunk;
  }
}
