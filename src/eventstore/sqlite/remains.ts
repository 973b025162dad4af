import { existsSync, fdatasyncSync, fstatSync, read, readFileSync, readSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Disk } from '../disk.ts';
import { LogUnavailable } from '../port.ts';
import type { WriteAhead } from '../write-ahead.ts';
import { isTruncated } from './emptying.ts';

export interface RemainsOptions {
  /** The only connection that writes to the file. The file was created with `secure_delete`. */
  readonly db: DatabaseSync;
  readonly path: string;
  /** Of the file: SQLite's locks on it end when any other descriptor is closed. */
  readonly disk: Disk;
  readonly writeAhead: WriteAhead;
  /** Texts that no row should contain any more. */
  readonly gone: readonly string[];
  /** Runs work while no transaction is open on the connection. */
  readonly alone: (work: () => void | Promise<void>) => Promise<void>;
  readonly onProgress: (done: number, total: number) => void;
}

const readFrom = promisify(read);

/** Bytes read at once, and pages overwritten in one turn: a few milliseconds of work. */
const chunk = 4 * 1024 * 1024;
const atOnce = 512;
/** How often, and at which interval in milliseconds, truncating the write-ahead log is retried while it is being read. */
const tries = 600;
const pause = 200;

/**
 * Overwrites what SQLite leaves behind when it moves rows between the pages of a tree, even with `secure_delete`: copies in the gap
 * between cell pointers and cells (https://sqlite.org/fileformat2.html#b_tree_pages). Afterwards the write-ahead log is empty and no
 * bytes are left of rows that were deleted before the call. Reads and writes go on.
 *
 * The file does not change while it is searched, because nothing is copied into it; what is written meanwhile is in the write-ahead log,
 * which tells its pages. The bytes of a gap mean nothing to readers, so that they may be overwritten below SQLite.
 *
 * Returns false if a row may contain one of the texts.
 */
export async function overwriteRemains(options: RemainsOptions): Promise<boolean> {
  const { db, path, disk, writeAhead, alone } = options;
  // A write in progress would hold a transaction on the same connection.
  await alone(() => writeAhead.checkpoint());
  writeAhead.isPaused = true;
  try {
    const { pages: found, isGone } = await search(disk.descriptor(), options);
    const pages = new Set(found);
    for (let tried = 0, more = true; more; tried++) {
      if (tried >= tries + pages.size / atOnce)
        throw new LogUnavailable('another program reads the projections all the time');
      let isDone = false;
      await alone(() => {
        for (const page of pagesInLog(path)) pages.add(page);
        isDone = isTruncated(db);
        if (isDone) overwriteSome(disk.descriptor(), pages);
        // Otherwise a page in its cache would bring them back.
        db.exec('PRAGMA shrink_memory');
      });
      more = !isDone || pages.size > 0;
      if (!isDone) await wait(pause);
    }
    return isGone;
  } finally {
    writeAhead.isPaused = false;
  }
}

interface Searched {
  /** Numbers of the pages with bytes other than zero in their gaps. */
  readonly pages: readonly number[];
  readonly isGone: boolean;
}

/** Searches a file, which must not change meanwhile. */
async function search(
  file: number,
  { gone, onProgress }: Pick<RemainsOptions, 'gone' | 'onProgress'>,
): Promise<Searched> {
  const bytes = Buffer.alloc(chunk);
  const pages: number[] = [];
  const total = fstatSync(file).size;
  let [size, isGone] = [0, true];
  for (let at = 0; at < total; at += chunk) {
    onProgress(at, total);
    const { bytesRead } = await readFrom(file, bytes, 0, chunk, at);
    if (at === 0) size = pageSizeIn(bytes);
    for (let from = 0; from + size <= bytesRead; from += size) {
      const [page, number] = [bytes.subarray(from, from + size), (at + from) / size + 1];
      if (!hasRemains(page, number)) continue;
      pages.push(number);
      page.fill(0, ...gapIn(page, number));
    }
    isGone &&= !gone.some((text) => bytes.subarray(0, bytesRead).includes(text));
  }
  return { pages, isGone };
}

/** Takes some pages from a set and fills their gaps with zeros. */
function overwriteSome(file: number, pages: Set<number>): void {
  const header = Buffer.alloc(100);
  readSync(file, header, 0, header.length, 0);
  const page = Buffer.alloc(pageSizeIn(header));
  for (const number of [...pages].slice(0, atOnce)) {
    pages.delete(number);
    const start = (number - 1) * page.length;
    if (readSync(file, page, 0, page.length, start) < page.length || !hasRemains(page, number)) continue;
    const [from, to] = gapIn(page, number);
    writeSync(file, zeros, 0, to - from, start + from);
  }
  fdatasyncSync(file);
}

/** Numbers of the pages in a write-ahead log (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
function pagesInLog(path: string): number[] {
  const log = `${path}-wal`;
  if (!existsSync(log)) return [];
  const bytes = readFileSync(log);
  const pages: number[] = [];
  if (bytes.length < 32) return pages;
  const frame = 24 + bytes.readUInt32BE(8);
  for (let at = 32; at + frame <= bytes.length; at += frame) pages.push(bytes.readUInt32BE(at));
  return pages;
}

function pageSizeIn(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

const zeros = Buffer.alloc(65_536);

function hasRemains(page: Buffer, number: number): boolean {
  const [from, to] = gapIn(page, number);
  return to > from && page.compare(zeros, 0, to - from, from, to) !== 0;
}

/** Types of pages in trees; other pages begin with the number of a page, below 16 million. */
const interior = [2, 5];
const leaves = [10, 13];

function gapIn(page: Buffer, number: number): readonly [from: number, to: number] {
  // The first page begins with the header of the file.
  const header = number === 1 ? 100 : 0;
  const type = page[header] ?? 0;
  const length = interior.includes(type) ? 12 : leaves.includes(type) ? 8 : 0;
  if (length === 0) return [0, 0];
  const to = page.readUInt16BE(header + 5);
  return [header + length + 2 * page.readUInt16BE(header + 3), to === 0 ? page.length : to];
}
