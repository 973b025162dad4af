import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { LogUnavailable } from '../port.ts';
import { PAGE_SIZE } from '../sqlite/schema.ts';

/** The pages of a log file and its write-ahead log, read without SQLite, which refuses damaged files. */
export interface Pages {
  /** Each page once, with a valid checksum or without any. */
  whole(): Generator<Version>;
  damaged(): Generator<Version>;
  read(version: Version): Buffer;
  /** The newest version of a page; null if it does not exist. */
  newest(page: number): Buffer | null;
  close(): void;
}

export interface Version {
  readonly file: 'log' | 'wal';
  readonly at: number;
}

export interface Frames {
  readonly whole: ReadonlyMap<number, number>;
  readonly damaged: ReadonlyMap<number, number>;
}

type Checksum = readonly [number, number];
type ReadBytes = (at: number, length: number) => Buffer;

/** Bytes of the header of a write-ahead log, and of each frame header: https://sqlite.org/fileformat2.html#walformat */
const headerBytes = 32;
const frameHeaderBytes = 24;
/** First word of a write-ahead log with big-endian checksums. */
const bigEndianMagic = 0x377f0683;

export function openPages(path: string): Pages {
  const files = { log: openFile(path), wal: openFile(`${path}-wal`) };
  if (files.log.size === 0 && files.wal.size === 0) {
    throw new LogUnavailable(`there is no event log at ${path}`);
  }
  const { whole, damaged } = framesOf(files.wal.size, files.wal.read, PAGE_SIZE);
  const pages = Math.ceil(files.log.size / PAGE_SIZE);
  const read = ({ file, at }: Version) => files[file].read(at, PAGE_SIZE);
  return {
    *whole() {
      for (let page = 1; page <= pages; page++) {
        if (!whole.has(page)) yield { file: 'log', at: (page - 1) * PAGE_SIZE };
      }
      for (const at of whole.values()) yield { file: 'wal', at };
    },
    *damaged() {
      for (const at of damaged.values()) yield { file: 'wal', at };
    },
    read,
    newest(page) {
      const at = damaged.get(page) ?? whole.get(page);
      if (at !== undefined) return read({ file: 'wal', at });
      return page >= 1 && page <= pages ? read({ file: 'log', at: (page - 1) * PAGE_SIZE }) : null;
    },
    close() {
      files.log.close();
      files.wal.close();
    },
  };
}

function openFile(path: string) {
  const file = existsSync(path) ? openSync(path, 'r') : null;
  return {
    size: file === null ? 0 : fstatSync(file).size,
    read(at: number, length: number): Buffer {
      const bytes = Buffer.alloc(length);
      try {
        if (file !== null) readSync(file, bytes, 0, length, at);
      } catch {
        // A sector that the disk cannot read is damage like any other.
        bytes.fill(0);
      }
      return bytes;
    },
    close() {
      if (file !== null) closeSync(file);
    },
  };
}

/**
 * Finds the frames of a write-ahead log. SQLite ends the log at the first damaged frame; here each frame is checked against the checksum
 * recorded in the previous one, so that frames after a damaged one still count.
 */
function framesOf(size: number, read: ReadBytes, pageSize: number): Frames {
  const whole = new Map<number, number>();
  const damaged = new Map<number, number>();
  const frameBytes = frameHeaderBytes + pageSize;
  const count = Math.floor((size - headerBytes) / frameBytes);
  if (count < 1) return { whole, damaged };
  const header = read(0, headerBytes);
  const big = header.readUInt32BE(0) === bigEndianMagic;
  let before: Checksum = [header.readUInt32BE(24), header.readUInt32BE(28)];
  const holds = same(checksum(header.subarray(0, 24), [0, 0], big), before);
  // A damaged header says nothing about its frames; the first frame belongs to the current log.
  const salts = holds ? header.subarray(16, 24) : read(headerBytes, frameHeaderBytes).subarray(8, 16);
  let pending: { page: number; at: number; holds: boolean }[] = [];
  for (let i = 0; i < count; i++) {
    const start = headerBytes + i * frameBytes;
    const frame = read(start, frameBytes);
    const own: Checksum = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    const isCurrent = salts.equals(frame.subarray(8, 16));
    const sum = checksum(frame.subarray(frameHeaderBytes), checksum(frame.subarray(0, 8), before, big), big);
    before = own;
    // Left over from an earlier use of the file.
    if (!isCurrent) continue;
    pending.push({ page: frame.readUInt32BE(0), at: start + frameHeaderBytes, holds: same(sum, own) });
    const endsCommit = frame.readUInt32BE(4) !== 0;
    if (!endsCommit) continue;
    for (const { page, at, holds } of pending) {
      if (holds) {
        whole.set(page, at);
        damaged.delete(page);
      } else damaged.set(page, at);
    }
    pending = [];
  }
  return { whole, damaged };
}

function checksum(bytes: Buffer, [first, second]: Checksum, big: boolean): Checksum {
  let a = first;
  let b = second;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (big ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (big ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

function same(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
