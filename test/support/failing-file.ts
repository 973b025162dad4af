import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, vi } from 'vitest';

/** A SQLite file that takes no commit while `failing`, as one on a full disk. */
export interface FailingFile {
  failing: boolean;
}

/** Lets commits to files with a name fail as SQLite has them fail: what they were to write is rolled back. */
export function failingFile(name: string): FailingFile {
  const file = { failing: false };
  const real = DatabaseSync.prototype.exec;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    if (!file.failing || !sql.startsWith('COMMIT') || this.location()?.endsWith(name) !== true) {
      return real.call(this, sql);
    }
    real.call(this, 'ROLLBACK');
    throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  });
  onTestFinished(() => spy.mockRestore());
  return file;
}
