import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import { syncFolderNow } from '#eventstore/head-file.ts';
import { LogUnavailable } from '#eventstore/port.ts';

/**
 * JSON texts that end with a checksum over all before it. Older ones have none. A small file is one such text; notes that are kept one after
 * the other are lines of a file.
 */

/** A file of the data directory that cannot be made again is not what was written. The message names it and says what to do. */
export class FileDamaged extends LogUnavailable {
  readonly path: string;
  /** The message for everybody: without the path of the directory. */
  readonly shown: string;

  constructor(path: string, { fault, remedy, name = basename(path) }: DamagedFile) {
    const what = `cannot be used: ${fault}. ${remedy}`;
    super(`${path} ${what}`);
    this.path = path;
    this.shown = `${name} ${what}`;
  }
}

interface DamagedFile {
  readonly fault: string;
  /** What to do. */
  readonly remedy: string;
  /** Default: that of the file. */
  readonly name?: string;
}

/** What is read of a file, and what is wrong with it. */
export interface CheckedContent<T> {
  readonly content: T;
  /** What is damaged, and where; null: nothing. */
  readonly fault: string | null;
}

const newline = 10;
/** Bytes that are read at once from the end of a file: a few notes. */
const chunk = 65_536;
const checksum = /,"sum":"([0-9a-f]{8})"\}$/;

/** Reads a small file; null if there is none, or it is damaged. */
export function readChecked<S extends z.ZodType>(path: string, schema: S): CheckedContent<z.infer<S> | null> {
  return reading(path, null, () => ({ content: parsedAs(readFileSync(path, 'utf8').trimEnd(), schema), fault: null }));
}

/** Replaces a small file atomically. `isSynced`: it is on the disk on return. */
export function writeChecked(path: string, value: object, { isSynced = true } = {}): void {
  const draft = `${path}.new`;
  writeFileSync(draft, `${checkedText(value)}\n`, { mode: 0o600, flush: isSynced });
  renameSync(draft, path);
  if (isSynced) syncFolderNow(dirname(path));
}

/** Reads the intact lines of a file, in order; none if there is no file. A last line that a power failure cut is ignored. */
export function readLines<S extends z.ZodType>(
  path: string,
  schema: S,
  onFault: (fault: string) => void,
): z.infer<S>[] {
  const { content, fault } = reading<z.infer<S>[]>(path, [], () => {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const content = lines.flatMap((line, i) => {
      try {
        return [parsedAs(line, schema)];
      } catch (error) {
        onFault(lineFault(i + 1, error));
        return [];
      }
    });
    return { content, fault: lines.length === 0 ? 'it has no whole line' : null };
  });
  if (fault !== null) onFault(fault);
  return content;
}

/** The last intact line of a file; null: there is none. Without a fault, the others are not read. */
export function lastLine<S extends z.ZodType>(path: string, schema: S): CheckedContent<z.infer<S> | null> {
  try {
    const text = endOf(path);
    if (text === null || text !== '') return { content: text === null ? null : parsedAs(text, schema), fault: null };
  } catch {
    // What is damaged is looked for in the whole file.
  }
  const faults: string[] = [];
  const content = readLines(path, schema, (fault) => faults.push(fault)).at(-1) ?? null;
  return { content, fault: faults.at(-1) ?? null };
}

/** Appends a line, in place of one that a power failure cut. It is on the disk on return. */
export function appendLine(path: string, value: object): void {
  // A file is never without a line.
  if (!existsSync(path)) {
    writeChecked(path, value);
    return;
  }
  const file = openSync(path, 'a+');
  try {
    ftruncateSync(file, endOfLines(file, fstatSync(file).size));
    writeSync(file, `${checkedText(value)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function lineFault(line: number, error: unknown): string {
  return `line ${line} is not what was written (${reasonOf(error)})`;
}

export function checkedText(value: object): string {
  const text = JSON.stringify(value);
  return `${text.slice(0, -1)},"sum":"${sumOfText(text)}"}`;
}

/** What a text says. Throws unless it is what was written. */
export function parsedAs<S extends z.ZodType>(text: string, schema: S): z.infer<S> {
  const [end, sum] = checksum.exec(text) ?? [];
  const value = end === undefined ? text : `${text.slice(0, -end.length)}}`;
  if (sum !== undefined && sum !== sumOfText(value)) throw new Error('its checksum is another one');
  return schema.parse(JSON.parse(value));
}

/** What is wrong with a path where a file has to be; null: nothing, or there is none. */
export function placeFault(path: string, isFolder = false): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory() === isFolder) return null;
  return isFolder ? 'it has to be a folder' : 'it is a folder';
}

function reading<T>(path: string, none: T, read: () => CheckedContent<T>): CheckedContent<T> {
  try {
    const fault = placeFault(path);
    if (fault !== null || !existsSync(path)) return { content: none, fault };
    return read();
  } catch (error) {
    return { content: none, fault: reasonOf(error) };
  }
}

/** Of an error of zod, which is JSON of several lines, the first part. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its message quotes the file.
  if (error instanceof SyntaxError) return 'it is no JSON';
  const { issues } = error as { readonly issues?: readonly { readonly message: string }[] };
  return issues?.[0]?.message ?? error.message;
}

function sumOfText(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The last line of a file; null: there is no file, '': no line. */
function endOf(path: string): string | null {
  if (!existsSync(path)) return null;
  const file = openSync(path, 'r');
  try {
    const end = endOfLines(file, fstatSync(file).size);
    return end === 0 ? '' : bytesOf(file, endOfLines(file, end - 1), end - 1).toString();
  } finally {
    closeSync(file);
  }
}

/** The place after the last newline among the first `size` bytes. */
function endOfLines(file: number, size: number): number {
  for (let to = size; to > 0; to -= chunk) {
    const from = Math.max(0, to - chunk);
    const place = bytesOf(file, from, to).lastIndexOf(newline);
    if (place >= 0) return from + place + 1;
  }
  return 0;
}

function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
}
