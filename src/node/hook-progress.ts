import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type HookProgress, type Progress, startingAt } from '#domain/plugins/hooks/progress.ts';

export interface HookProgressFile extends HookProgress {
  close(): void;
}

const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS progress (hook INTEGER PRIMARY KEY, position INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
`;
/** Under which the file says where it begins. */
const beginning = 0;

/**
 * Keeps how far hooks have come in a file of its own, which is opened when it is needed first. It survives a kill; after a
 * loss of power its last writes may be missing, so that something is sent twice.
 */
export function openHookProgress(dataDir: string): HookProgressFile {
  const path = join(dataDir, 'hooks.db');
  const known = new Map<number, Progress | null>();
  const listeners = new Set<(hook: number) => void>();
  let opened: DatabaseSync | undefined;
  const db = () => {
    if (opened === undefined) {
      opened = new DatabaseSync(path, { timeout: 5000 });
      opened.exec(schema);
    }
    return opened;
  };
  const look = (hook: number): Progress | null => {
    const row = db().prepare('SELECT position, state FROM progress WHERE hook = ?').get(hook);
    if (row === undefined) return null;
    const state = JSON.parse(String(row['state'])) as Omit<Progress, 'position'>;
    return { ...state, position: Number(row['position']) };
  };
  const of = (hook: number) => {
    const kept = known.get(hook);
    if (kept !== undefined) return kept;
    const found = look(hook);
    known.set(hook, found);
    return found;
  };
  const put = (hook: number, progress: Progress) => {
    const { position, ...state } = progress;
    db().prepare('INSERT OR REPLACE INTO progress VALUES (?, ?, ?)').run(hook, position, JSON.stringify(state));
    known.set(hook, progress);
  };
  const furthest = () => Number(db().prepare('SELECT max(position) AS position FROM progress').get()?.['position']);
  return {
    of,
    put,
    forget(hook) {
      db().prepare('DELETE FROM progress WHERE hook = ?').run(hook);
      known.delete(hook);
    },
    move(hook, position) {
      put(hook, startingAt(position, (of(hook)?.round ?? 0) + 1));
      for (const listener of listeners) listener(hook);
    },
    since(head) {
      // The file is that of another log, or of this one before it was restored.
      if (furthest() > head) {
        db().exec('DELETE FROM progress');
        known.clear();
      }
      if (of(beginning) === null) put(beginning, startingAt(head));
      return of(beginning)?.position ?? head;
    },
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => opened?.close(),
  };
}
