import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Looks for many entries at once, which takes a tenth of the time when most of them are deleted. */
export class Existing {
  readonly #among: StatementSync;

  constructor(db: DatabaseSync) {
    this.#among = db.prepare('SELECT id FROM entries WHERE id IN (SELECT value FROM json_each(?))');
  }

  among(ids: Iterable<number>): Set<number> {
    return new Set(this.#among.all(JSON.stringify([...ids])).map(({ id }) => id as number));
  }
}
