import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, vi } from 'vitest';

/** A SQLite file in which commits fail while `failing` is set, as on a full disk. */
export interface FailingFile {
  failing: boolean;
}

/** Makes commits to files with this name fail as in SQLite: their changes are rolled back. */
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
