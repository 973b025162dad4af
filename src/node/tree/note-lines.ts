import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { syncFolderNow } from '#eventstore/head-file.ts';

const line = z.object({ at: z.iso.datetime(), note: z.string() });

/** A signed note, and when it was made (UTC, ISO 8601). */
export type KeptNote = z.infer<typeof line>;

const newline = 10;
/** Bytes that are read at once from the end of a file: a few notes. */
const chunk = 65_536;

/** Reads the notes in a file, in the order in which they were made; none if there is no file. A last line that a power failure cut is ignored. */
export function readNotes(path: string): KeptNote[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map(noteIn);
}

/** The last note in a file; null: there is none. */
export function lastNote(path: string): KeptNote | null {
  if (!existsSync(path)) return null;
  const file = openSync(path, 'r');
  try {
    const end = endOfLines(file, fstatSync(file).size);
    if (end === 0) return null;
    const from = endOfLines(file, end - 1);
    return noteIn(bytesOf(file, from, end - 1).toString());
  } finally {
    closeSync(file);
  }
}

/** Appends a note, in place of a line that a power failure cut. It is on the disk on return. */
export function appendNote(path: string, note: KeptNote): void {
  const isNew = !existsSync(path);
  const file = openSync(path, 'a+', 0o600);
  try {
    ftruncateSync(file, endOfLines(file, fstatSync(file).size));
    writeSync(file, `${JSON.stringify(note)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (isNew) syncFolderNow(dirname(path));
}

function noteIn(text: string): KeptNote {
  return line.parse(JSON.parse(text));
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
