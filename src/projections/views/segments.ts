import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Bytes of one file. A record is never split over two. */
export const segmentSize = 1 << 24;

const NAME = /^(\d+)\.views$/;
const sync = promisify(fdatasync);

export function segmentPath(directory: string, number: number): string {
  return join(directory, `${number}.views`);
}

interface Segment {
  readonly fd: number;
  end: number;
  /** Bytes of records in use. */
  live: number;
  dirty: boolean;
}

/** Addresses from the first byte to the one behind the last. */
export interface Unused {
  readonly from: number;
  readonly to: number;
}

/** Records in files of a fixed size: appended, read by address, and removed file by file. */
export class Segments {
  readonly #directory: string;
  readonly #segments = new Map<number, Segment>();
  #current = -1;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  /** Takes over the files with the given records, and removes all others. Returns false when a file is missing or too short. */
  adopt(records: Iterable<{ readonly address: number; readonly length: number }>): boolean {
    const ends = new Map<number, { end: number; live: number }>();
    for (const { address, length } of records) {
      const segment = Math.floor(address / segmentSize);
      const known = ends.get(segment) ?? { end: 0, live: 0 };
      known.end = Math.max(known.end, (address % segmentSize) + length);
      known.live += length;
      ends.set(segment, known);
    }
    const there = this.#numbers();
    for (const number of there) if (!ends.has(number)) rmSync(this.#path(number));
    for (const [number, { end, live }] of ends) {
      if (!there.includes(number) || statSync(this.#path(number)).size < end) return false;
      this.#segments.set(number, { fd: openSync(this.#path(number), 'r+'), end, live, dirty: false });
      this.#current = Math.max(this.#current, number);
    }
    return true;
  }

  /** Appends a record of at most `segmentSize` bytes. Returns its address. */
  append(record: Uint8Array): number {
    return this.appendAll([record])[0] as number;
  }

  appendAll(records: readonly Uint8Array[]): number[] {
    const addresses: number[] = [];
    for (let from = 0; from < records.length; from = addresses.length) {
      const segment = this.#withRoomFor(records[from]?.length ?? 0);
      let { end } = segment;
      for (const { length } of records.slice(from)) {
        if (end + length > segmentSize) break;
        addresses.push(this.#current * segmentSize + end);
        end += length;
      }
      writeBehind(segment, Buffer.concat(records.slice(from, addresses.length)));
    }
    return addresses;
  }

  /** Reads into a buffer. Throws when the record does not exist. */
  read(address: number, { into, at, length }: { into: Uint8Array; at: number; length: number }): void {
    const segment = this.#segments.get(Math.floor(address / segmentSize));
    const place = address % segmentSize;
    if (segment === undefined || readSync(segment.fd, into, at, length, place) < length) {
      throw new Error(`no record at ${address}`);
    }
  }

  release(address: number, length: number): void {
    const segment = this.#segments.get(Math.floor(address / segmentSize));
    if (segment !== undefined) segment.live -= length;
  }

  /** The number of a full file of which less than half is in use; undefined if there is none. */
  sparse(): number | undefined {
    for (const [number, { live, end }] of this.#segments) {
      if (number !== this.#current && live > 0 && live < end / 2) return number;
    }
    return undefined;
  }

  empty(): number[] {
    return [...this.#segments].flatMap(([number, { live }]) =>
      live === 0 && number !== this.#current ? [number] : [],
    );
  }

  remove(numbers: readonly number[]): void {
    for (const number of numbers) {
      const segment = this.#segments.get(number);
      if (segment === undefined) continue;
      closeSync(segment.fd);
      this.#segments.delete(number);
      rmSync(this.#path(number), { force: true });
    }
  }

  /** The places that none of the given records uses. */
  unused(records: Iterable<{ readonly address: number; readonly length: number }>): Unused[] {
    const used = Array.from(records, ({ address, length }) => ({ from: address, to: address + length }));
    const bySegment = Map.groupBy(used, ({ from }) => Math.floor(from / segmentSize));
    return [...this.#segments].flatMap(([number, { end }]) => {
      const start = number * segmentSize;
      const inOrder = (bySegment.get(number) ?? []).sort((a, b) => a.from - b.from);
      const ends = [start, ...inOrder.map(({ to }) => to)];
      return [...inOrder.map(({ from }) => from), start + end].flatMap((to, i) => {
        const from = ends[i] ?? to;
        return from < to ? { from, to } : [];
      });
    });
  }

  /** Fills places with zeros, also on the disk. Files that are removed meanwhile are left out. */
  async overwrite(places: readonly Unused[]): Promise<void> {
    for (const { from, to } of places) {
      const segment = this.#segments.get(Math.floor(from / segmentSize));
      if (segment === undefined) continue;
      const zeros = Buffer.alloc(to - from);
      for (let at = 0; at < zeros.length; ) {
        at += writeSync(segment.fd, zeros, at, zeros.length - at, (from % segmentSize) + at);
      }
      segment.dirty = true;
      await turn();
    }
    await this.sync();
  }

  async sync(): Promise<void> {
    for (const segment of this.#dirty()) await sync(segment.fd);
  }

  syncNow(): void {
    for (const segment of this.#dirty()) fdatasyncSync(segment.fd);
  }

  clear(): void {
    this.close();
    for (const number of this.#numbers()) rmSync(this.#path(number));
    this.#current = -1;
  }

  close(): void {
    for (const { fd } of this.#segments.values()) closeSync(fd);
    this.#segments.clear();
  }

  #withRoomFor(length: number): Segment {
    const current = this.#segments.get(this.#current);
    if (current !== undefined && current.end + length <= segmentSize) return current;
    this.#current += 1;
    const segment = { fd: openSync(this.#path(this.#current), 'w+', 0o600), end: 0, live: 0, dirty: false };
    this.#segments.set(this.#current, segment);
    return segment;
  }

  #dirty(): Segment[] {
    const dirty = [...this.#segments.values()].filter((segment) => segment.dirty);
    for (const segment of dirty) segment.dirty = false;
    return dirty;
  }

  #numbers(): number[] {
    return readdirSync(this.#directory).flatMap((name) => {
      const number = NAME.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  }

  #path(number: number): string {
    return segmentPath(this.#directory, number);
  }
}

function writeBehind(segment: Segment, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(segment.fd, bytes, done, bytes.length - done, segment.end + done);
  }
  segment.end += bytes.length;
  segment.live += bytes.length;
  segment.dirty = true;
}
