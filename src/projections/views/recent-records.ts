/** Bytes of one chunk, and the maximum number of chunks. */
const chunkSize = 1 << 20;
const maxChunks = 8;
/** Longer records are not kept. */
const longest = 1 << 16;

interface Chunk {
  readonly bytes: Buffer;
  size: number;
  addresses: number[];
}

/**
 * Keeps recently read records in memory, up to eight megabytes, so that they are not read and checked for each answer. The oldest
 * megabyte is dropped first: buffers of their own would be garbage outside the heap.
 */
export class RecentRecords {
  readonly #chunks: Chunk[] = [];
  readonly #places = new Map<number, number>();
  #current = 0;

  static keeps(length: number): boolean {
    return length <= longest;
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
    if (current !== undefined) this.#current = (this.#current + 1) % maxChunks;
    const oldest = this.#chunks[this.#current];
    for (const address of oldest?.addresses ?? []) this.#places.delete(address);
    const chunk = { bytes: oldest?.bytes ?? Buffer.allocUnsafeSlow(chunkSize), size: 0, addresses: [] };
    this.#chunks[this.#current] = chunk;
    return chunk;
  }
}
