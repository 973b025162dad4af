import { closeSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedRow } from '../kernel/sums.ts';
import { ByteSink } from './bytes.ts';
import { slack } from './positions.ts';

/** Long lists of positions of a segment: in memory until the segment is saved, then in its file. Each is stored with its CRC-32. */
export interface Lists {
  readonly size: number;
  /** Whether they are read from a file. */
  readonly isSaved: boolean;
  /** Reads a list to the start of an array, with at least `slack` bytes after it; valid until the room is used again. */
  read(from: number, size: number, room: Room): Uint8Array;
  /** All bytes, in order. */
  pieces(size: number): Iterable<Uint8Array>;
  /** Nothing can be read afterwards. */
  close(): void;
}

const sumSize = 4;
/** Larger lists get memory of their own, which is free again after reading. */
const maxRoom = 1 << 20;

/** Bytes from the beginning of a list to that of the next. */
export function storedSize(size: number): number {
  return (size + sumSize + 3) & ~3;
}

/** Memory for one list at a time. */
export class Room {
  #bytes = new Uint8Array(0);

  take(size: number): Uint8Array {
    if (size > maxRoom) return new Uint8Array((size + 3) & ~3);
    if (size > this.#bytes.length) this.#bytes = new Uint8Array(2 ** Math.ceil(Math.log2(size)));
    return this.#bytes;
  }
}

export class MemoryLists implements Lists {
  readonly isSaved = false;
  readonly #sink: ByteSink;

  constructor(capacity: number) {
    this.#sink = new ByteSink(capacity);
  }

  get size(): number {
    return this.#sink.size;
  }

  /** Returns where the list begins: at a multiple of four. */
  append(list: Uint8Array): number {
    const from = this.#sink.size;
    const stored = this.#sink.extend(storedSize(list.length));
    stored.set(list);
    sumIn(stored).setUint32(list.length, crc32(list), true);
    return from;
  }

  /** Gives back the room that is not used. */
  trim(): void {
    this.#sink.trim();
  }

  read(from: number, size: number): Uint8Array {
    return this.#sink.view().subarray(from, from + size + slack);
  }

  pieces(size: number): Iterable<Uint8Array> {
    return inPieces(this.#sink.view(), size);
  }

  close(): void {}
}

/** Lists in a file, after its first `start` bytes. */
export class FileLists implements Lists {
  readonly isSaved = true;
  readonly size: number;
  readonly #file: number;
  readonly #start: number;

  /** `file`: open for reading; belongs to this object. */
  constructor(file: number, start: number, size: number) {
    this.#file = file;
    this.#start = start;
    this.size = size;
  }

  /** Throws `DamagedRow` when the list is not what was written. */
  read(from: number, size: number, room: Room): Uint8Array {
    const bytes = room.take(size + sumSize + slack);
    try {
      readAll(this.#file, bytes.subarray(0, size + sumSize), this.#start + from);
    } catch (error) {
      throw damaged(from, (error as Error).message);
    }
    if (crc32(bytes.subarray(0, size)) !== sumIn(bytes).getUint32(size, true))
      throw damaged(from, 'the checksum differs');
    return bytes;
  }

  *pieces(size: number): Iterable<Uint8Array> {
    for (let from = 0; from < this.size; from += size) {
      const piece = new Uint8Array(Math.min(size, this.size - from));
      readAll(this.#file, piece, this.#start + from);
      yield piece;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

export function* inPieces(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** Fills an array from a file. Throws at its end. */
export function readAll(file: number, into: Uint8Array, from: number): void {
  for (let at = 0; at < into.length; ) {
    const count = readSync(file, into, at, into.length - at, from + at);
    if (count === 0) throw new Error('the file is too short');
    at += count;
  }
}

function sumIn({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function damaged(from: number, reason: string): DamagedRow {
  return new DamagedRow(`the list at byte ${from} of the search index is not what was written: ${reason}`);
}
