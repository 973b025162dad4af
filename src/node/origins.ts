import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Origin, OriginLookUp } from '#domain/kernel/origin.ts';
import { regularly } from '#process/guard.ts';
import type { Reporter } from '#process/reporter.ts';
import { type NodeFile, readNodeFile } from './node-file.ts';
import { attempting, delayed } from './noting.ts';

export interface OriginJournal extends OriginLookUp {
  readonly note: (origin: Origin) => void;
  close(): void;
}

export interface JournalOptions {
  readonly file: NodeFile;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Days after which an address is forgotten. */
  readonly days: number;
  readonly reporter: Reporter;
}

/** Milliseconds until an address is written to the file: writes do not wait for it. */
const delay = 250;
/** Milliseconds between two removals of old addresses. */
const tidying = 60 * 60 * 1000;
const day = 24 * 60 * 60 * 1000;

/** Damaged files that were moved aside. They may contain addresses. */
const setAside = /\.damaged-\d/;

const unknown: OriginLookUp = { originOf: () => null, from: () => [] };

/** Notes where writes came from. While the file cannot be used, nothing is recorded. */
export function openJournal({ file, clock, days, reporter }: JournalOptions): OriginJournal {
  let waiting: Origin[] = [];
  let isClosed = false;
  const attempt = attempting(reporter);
  const write = () => {
    const noted = waiting;
    waiting = [];
    if (noted.length === 0) return;
    file.atOnce(() => {
      for (const { position, correlationId, address, via = null } of noted)
        file.add('origins', position, correlationId, address, clock(), via);
    });
  };
  const writing = delayed(write, delay, attempt);
  const tidy = () => attempt(() => file.remove('origins', 'WHERE at < ?', clock() - days * day), undefined);
  tidy();
  const stop = regularly(tidy, { pause: tidying }, reporter.fault);
  const lookUp = lookUpIn(file);
  const found = <T>(work: () => T, otherwise: T): T => {
    writing.now();
    return attempt(work, otherwise);
  };
  return {
    note(origin) {
      // A request that outlasts the server cannot be recorded.
      if (isClosed) return;
      waiting.push(origin);
      writing.soon();
    },
    originOf: (commit) => found(() => lookUp.originOf(commit), null),
    from: (text) => found(() => lookUp.from(text), []),
    close() {
      stop();
      isClosed = true;
      writing.now();
    },
  };
}

/**
 * Erases the origins of writes with these correlation ids, so that no byte of them is left in the file, and removes damaged files that were
 * set aside.
 */
export function forgetOrigins(dataDir: string, file: NodeFile, correlationIds: readonly string[]): void {
  // Which parts of a damaged file to erase is unknown.
  const aside = readdirSync(dataDir).filter((name) => setAside.test(name));
  for (const name of aside) rmSync(join(dataDir, name), { recursive: true, force: true });
  if (correlationIds.length === 0) return;
  const ids = JSON.stringify(correlationIds);
  file.remove('origins', 'WHERE correlation IN (SELECT value FROM json_each(?))', ids);
  file.wipe();
}

/** Opens the journal for reading, with or without a running server; without a journal no origin is known. */
export function readJournal(dataDir: string): OriginLookUp & { close(): void } {
  const file = readNodeFile(dataDir);
  return { ...(file === null ? unknown : lookUpIn(file)), close: () => file?.close() };
}

function lookUpIn(file: NodeFile): OriginLookUp {
  return {
    originOf: ({ position, correlationId }) => {
      const [found] = file.rows('origins', 'WHERE position = ? AND correlation = ?', position, correlationId);
      if (found === undefined) return null;
      return found['via'] === null ? String(found['address']) : `${found['address']}, ${found['via']}`;
    },
    from: (text) =>
      file.rows('origins', fromText, text).map(({ position, correlation }) => ({
        position: Number(position),
        correlationId: String(correlation),
      })),
  };
}

const fromText = `WHERE address = ?1 OR instr(via, ?1) > 0
  OR (substr(?1, -1) IN ('.', ':') AND substr(address, 1, length(?1)) = ?1)`;
