import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { damaged } from './faults.ts';
import { syncFolderNow } from './folder.ts';
import type { Head, LogDamaged } from './port.ts';

/** A head as it was noted: position and chain hash. */
export type NotedHead = Pick<Head, 'position' | 'hash'>;

/**
 * The head of a log in a file of its own. The newest commits are in the write-ahead log alone, and SQLite takes that to end
 * where it is damaged; this file tells what has been there. It may be behind the log, and is never ahead of what is durable.
 */
export interface HeadFile {
  /** Takes note of a head that is on the disk; a few microseconds. What goes wrong is told once, and stops nothing. */
  note(head: NotedHead): void;
  /** What was noted is on the disk, too, when this returns; the file is made again if it is not there. */
  settle(): void;
  close(): void;
}

/** Bytes of a line. Two lines are written in turn, so that one is whole after a power failure. */
const lineBytes = 128;
const line = /^(\d+):([\da-f]{64}) ([\da-f]{8}) *\n$/;

export function headPathOf(logPath: string): string {
  return join(dirname(logPath), 'head');
}

/** The head that was noted last beside a log; null where there is none that can be read. */
export function readHead(logPath: string): NotedHead | null {
  try {
    const text = readFileSync(headPathOf(logPath), 'latin1');
    const noted = [text.slice(0, lineBytes), text.slice(lineBytes)].flatMap(headsIn);
    return noted.sort((a, b) => b.position - a.position)[0] ?? null;
  } catch {
    return null;
  }
}

/** Notes a head, whatever was noted before; it is on the disk when this returns. */
export function writeHead(logPath: string, head: NotedHead): void {
  const path = headPathOf(logPath);
  const draft = `${path}.new`;
  writeFileSync(draft, lineOf(head) + lineOf(head), { mode: 0o600, flush: true });
  renameSync(draft, path);
  syncFolderNow(dirname(path));
}

/** Opens the file beside a log that stands at a head; it is made, or made to say that, if need be. */
export function openHeadFile(logPath: string, at: NotedHead, onFault: (error: unknown) => void): HeadFile {
  let noted: NotedHead = at;
  let file: number | null = null;
  let turn = 0;
  let told = false;

  function attempt(work: () => void): void {
    try {
      work();
      told = false;
    } catch (error) {
      letGo();
      if (!told) onFault(new Error('the file "head" cannot be written', { cause: error }));
      told = true;
    }
  }

  function letGo(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  function open(): number {
    if (readHead(logPath)?.hash !== noted.hash) writeHead(logPath, noted);
    return openSync(headPathOf(logPath), 'r+');
  }

  attempt(() => {
    file = open();
  });
  return {
    note(head) {
      noted = head;
      // Tried again by `settle` and not by every commit.
      if (file === null) return;
      turn = 1 - turn;
      attempt(() => void writeSync(file as number, lineOf(head), turn * lineBytes, 'latin1'));
    },
    settle() {
      attempt(() => {
        if (!existsSync(headPathOf(logPath))) letGo();
        file ??= open();
        fsyncSync(file);
      });
    },
    close: letGo,
  };
}

/** Throws `LogDamaged` when a log does not have what was noted of it. `hashAt`: null where no commit ends. */
export function checkNoted(
  noted: NotedHead | null,
  head: NotedHead,
  hashAt: (position: number) => string | null,
): void {
  if (noted === null || noted.position === 0) return;
  if (noted.position > head.position) throw missing(head.position, noted.position);
  if (hashAt(noted.position) !== noted.hash) {
    throw damaged('It is not the log whose head was noted in the file "head"', noted.position);
  }
}

export function missing(last: number, seen: number): LogDamaged {
  const lost = seen === last + 1 ? `position ${seen} is` : `positions ${last + 1} to ${seen} are`;
  return damaged(
    `The log ends at position ${last}, but position ${seen} was stored: ${lost} missing. Nothing was touched. Keep the ` +
      'directory as it is, also projections.db, and see "What to do when" in docs/operations.md',
    last + 1,
  );
}

function lineOf({ position, hash }: NotedHead): string {
  const text = `${position}:${hash}`;
  return `${`${text} ${checksumOf(text)}`.padEnd(lineBytes - 1)}\n`;
}

function headsIn(text: string): NotedHead[] {
  const [, position = '', hash = '', checksum] = line.exec(text) ?? [];
  return checksum === checksumOf(`${position}:${hash}`) ? [{ position: Number(position), hash }] : [];
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
