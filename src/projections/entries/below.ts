import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parentsIn, passing } from './passed-on.ts';

export class Below {
  readonly #any: StatementSync;
  readonly #passed: StatementSync;

  constructor(db: DatabaseSync) {
    const below = (parents: string) =>
      `SELECT id FROM entries WHERE parent <> 0 AND kind IN (${passing}) AND parent IN (${parentsIn(parents)})`;
    this.#any = db.prepare(`${below('SELECT ?1')} LIMIT 1`);
    this.#passed = db.prepare(below('SELECT id FROM lost_parents WHERE position > ?1'));
  }

  has(parent: number): boolean {
    return this.#any.get(parent) !== undefined;
  }

  passedAfter(position: number): number[] {
    return this.#passed.all(position).map(({ id }) => id as number);
  }
}
