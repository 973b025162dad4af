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
import { damagedLog } from './faults.ts';
import type { Head, LogDamaged } from './port.ts';

/** Position and chain hash of a recorded head. */
export type NotedHead = Pick<Head, 'position' | 'hash'>;

/**
 * Records the head of a log in a separate file. The newest commits are only in the write-ahead log, which SQLite cuts off at the first
 * damage, without a word; this file reveals such a loss. It may be behind the log, but is never ahead of what is durable. It is written in
 * place and without a sync: that costs a few microseconds for each commit.
 *
 * Why, and what was rejected: `docs/adr/0025-head-file.md`.
 */
export interface HeadFile {
  /** Records a head that is on the disk, in a few microseconds. A failure is reported once and is otherwise harmless. */
  note(head: NotedHead): void;
  /** Syncs the recorded head to the disk; recreates the file if it is missing. */
  settle(): void;
  close(): void;
}

/** Bytes of a line. Two lines are written alternately, so that one is intact after a power failure. */
const lineBytes = 128;
const line = /^(\d+):([\da-f]{64}) ([\da-f]{8}) *\n$/;

export function headPathOf(logPath: string): string {
  return join(dirname(logPath), 'head');
}

/** Returns the last head recorded beside a log; null if no readable one exists. */
export function readHead(logPath: string): NotedHead | null {
  try {
    const text = readFileSync(headPathOf(logPath), 'latin1');
    const noted = [text.slice(0, lineBytes), text.slice(lineBytes)].flatMap(headsIn);
    return noted.sort((a, b) => b.position - a.position)[0] ?? null;
  } catch {
    return null;
  }
}

/** Records a head regardless of earlier ones; it is on the disk on return. */
export function writeHead(logPath: string, head: NotedHead): void {
  const path = headPathOf(logPath);
  const draft = `${path}.new`;
  writeFileSync(draft, lineOf(head) + lineOf(head), { mode: 0o600, flush: true });
  renameSync(draft, path);
  syncFolderNow(dirname(path));
}

/** Opens the file beside a log with a given head; creates or corrects it if necessary. */
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
      // Retried by `settle`, not by every commit.
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

/** Throws `LogDamaged` when a log does not have its recorded head. `hashAt`: returns null where no commit ends. */
export function checkNoted(
  noted: NotedHead | null,
  head: NotedHead,
  hashAt: (position: number) => string | null,
): void {
  if (noted === null || noted.position === 0) return;
  if (noted.position > head.position) throw missing(head.position, noted.position);
  if (hashAt(noted.position) !== noted.hash) {
    throw damagedLog('It is not the log whose head was noted in the file "head"', noted.position);
  }
}

export function missing(last: number, seen: number): LogDamaged {
  const lost = seen === last + 1 ? `position ${seen} is` : `positions ${last + 1} to ${seen} are`;
  return damagedLog(
    `The log ends at position ${last}, but position ${seen} was stored: ${lost} missing. Nothing was touched. Keep the ` +
      'directory as it is, also projections.db, and see "Positions are missing" in docs/operations/incidents.md',
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

export function syncFolderNow(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
