import type { DatabaseSync } from 'node:sqlite';
import { type Erased, Tables } from '../kernel/projection.ts';
import { all } from './all.ts';

/**
 * Gives all rows made from erased texts the values that a replay of the log would now give them, pausing every few milliseconds. Returns
 * false if only a replay can; the caller manages the transaction.
 */
export function* forgetTexts(db: DatabaseSync, erased: Erased): Generator<void, boolean> {
  const tables = new Tables(db);
  for (const projection of all) if (!(yield* projection.forget(tables, erased))) return false;
  return true;
}
