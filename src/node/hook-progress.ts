import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type HookProgress, type Progress, startingAt } from '#domain/hooks/progress.ts';
import type { Reporter } from '#process/reporter.ts';
import { sumOf } from '#projections/kernel/sums.ts';
import { openWhenNeeded } from './rebuildable-file.ts';

export interface HookProgressFile extends HookProgress {
  close(): void;
}

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS progress (hook INTEGER PRIMARY KEY, position INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
`;
/** Key under which the file records where it begins. */
const beginning = 0;

/**
 * Keeps the progress of hooks in a file, opened on first use. It survives a kill; after a power failure its last writes may be missing,
 * so that something is sent twice. Damaged rows count as missing.
 */
export function openHookProgress(dataDir: string, reporter: Reporter): HookProgressFile {
  const path = join(dataDir, 'hooks.db');
  const listeners = new Set<(hook: number) => void>();
  let known = new Map<number, Progress>();
  const onDamage = (hook: number) => reporter.warning(`${path} is damaged: it is not known where hook ${hook} goes on`);
  const check = (db: DatabaseSync) => {
    known = readFrom(db, onDamage);
  };
  const db = openWhenNeeded({ path, schema, check, reporter });
  const of = (hook: number) => {
    db.get();
    return known.get(hook) ?? null;
  };
  const put = (hook: number, progress: Progress) => {
    const { position, ...state } = progress;
    const text = JSON.stringify({ ...state, sum: sumOfProgress(hook, position, state) });
    db.get().prepare('INSERT OR REPLACE INTO progress VALUES (?, ?, ?)').run(hook, position, text);
    known.set(hook, progress);
  };
  return {
    of,
    put,
    forget(hook) {
      db.get().prepare('DELETE FROM progress WHERE hook = ?').run(hook);
      known.delete(hook);
    },
    move(hook, position) {
      put(hook, startingAt(position, (of(hook)?.round ?? 0) + 1));
      for (const listener of listeners) listener(hook);
    },
    since(head) {
      const began = of(beginning);
      // The file belongs to another log, or to this one before it was restored.
      const isForeign = [...known.values()].some(({ position }) => position > head);
      if (isForeign) {
        db.get().exec('DELETE FROM progress');
        known.clear();
      }
      if (isForeign || began === null) put(beginning, startingAt(head));
      return of(beginning)?.position ?? head;
    },
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: db.close,
  };
}

function readFrom(db: DatabaseSync, onDamage: (hook: number) => void): Map<number, Progress> {
  const known = new Map<number, Progress>();
  for (const { hook, position, state } of db.prepare('SELECT hook, position, state FROM progress').all()) {
    const found = progressIn(Number(hook), Number(position), String(state));
    if (found === null) onDamage(Number(hook));
    else known.set(Number(hook), found);
  }
  return known;
}

function progressIn(hook: number, position: number, text: string): Progress | null {
  try {
    const { sum, ...state } = JSON.parse(text) as Omit<Progress, 'position'> & { readonly sum?: number };
    // Older rows have no checksum.
    return sum === undefined || sum === sumOfProgress(hook, position, state) ? { position, ...state } : null;
  } catch {
    return null;
  }
}

function sumOfProgress(hook: number, position: number, state: object): number {
  return sumOf([hook, position, JSON.stringify(state)]);
}
