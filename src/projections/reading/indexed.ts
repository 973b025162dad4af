import type { DatabaseSync } from 'node:sqlite';
import { EntryTable } from '../entries/store.ts';
import { MediaTable } from '../media/store.ts';
import { savedPosition } from '../search/store.ts';

/** Whether the saved search index lacks at most `few` entries and media items. */
export function isIndexed(db: DatabaseSync, few: number): boolean {
  const position = savedPosition(db);
  const changed = new EntryTable(db).changedAfter(position, few) + new MediaTable(db).touchedAfter(position).length;
  return changed <= few;
}

/** Entries and media items that were written or deleted after a position. */
export function writtenAfter(position: number, db: DatabaseSync): number[] {
  const [entries, media] = [new EntryTable(db), new MediaTable(db)];
  const there = [...entries.writtenAfter(position), ...media.touchedAfter(position)];
  return [...there, ...entries.lostAfter(position), ...media.lostAfter(position)];
}
