import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventStore } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { WordIndex, wordIndexSchema } from '#projections/audit/word-index.ts';
import { openWhenNeeded } from './rebuildable-file.ts';

type Log = Pick<EventStore, 'read' | 'head'>;

/** The index of words in old and new texts. It makes itself while there is time, from the first question on that needs it. */
export interface AuditWords extends Pick<WordIndex, 'position' | 'find'> {
  /** Does a small piece of work; false when none is left. */
  work(): boolean;
  /** Empties the index, as texts were erased. */
  forget(): void;
  close(): void;
}

/** Events that are searched directly: so few need no index. */
const direct = 2000;

const pathIn = (dataDir: string) => join(dataDir, 'words.db');

/** Opens the index of a data directory. Its file shows that somebody has asked, a command included. */
export function openAuditWords(dataDir: string, log: Log, reporter: Reporter): AuditWords {
  const path = pathIn(dataDir);
  const db = openWhenNeeded({ path, schema: wordIndexSchema, isSealed: true, reporter });
  const index = new WordIndex(db.get, log);
  let isWanted = existsSync(path);
  let isGrowing = false;
  const position = () => {
    isWanted = true;
    try {
      return index.position();
    } catch (error) {
      reporter.fault(error);
      return 0;
    }
  };
  return {
    position,
    find: (match, bounds) => index.find(match, bounds),
    work() {
      isWanted ||= existsSync(path);
      if (!isWanted || (!isGrowing && log.head().position - position() <= direct)) return false;
      isGrowing = true;
      isGrowing = index.grow();
      return isGrowing;
    },
    forget() {
      if (isWanted) index.clear();
    },
    close: db.close,
  };
}

/** Opens the index for reading, with or without a running server; undefined if there is none yet that can be used. */
export function readAuditWords(
  dataDir: string,
  log: Log,
): (Pick<WordIndex, 'position' | 'find'> & { close(): void }) | undefined {
  const path = pathIn(dataDir);
  let db: DatabaseSync | undefined;
  try {
    if (!existsSync(path)) {
      // A server then makes it.
      writeFileSync(path, '', { flag: 'a', mode: 0o600 });
      return undefined;
    }
    const opened = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    db = opened;
    const index = new WordIndex(() => opened, log);
    index.position();
    return {
      position: () => index.position(),
      find: (match, bounds) => index.find(match, bounds),
      close: () => opened.close(),
    };
  } catch {
    db?.close();
    return undefined;
  }
}
