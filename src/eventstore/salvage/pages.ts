import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { LogUnavailable } from '../port.ts';
import { PAGE_SIZE } from '../schema.ts';
import { framesOf } from './write-ahead.ts';

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
