import type { DatabaseSync } from 'node:sqlite';
import { areas } from '#domain/plugins/areas.ts';
import { taxonomies } from '#domain/term/events.ts';
import { loadCheckpoint } from './database.ts';
import { EntryTable } from './entries/store.ts';
import { MediaTable } from './media/store.ts';
import { PluginTable } from './plugins/store.ts';
import { RevisionTable } from './revisions.ts';
import { SiteTable } from './site.ts';
import { TermTable } from './terms.ts';
import { UserTable } from './users.ts';

/** Rows between two pauses: about a millisecond. */
const slice = 32;

/**
 * Reads all rows that have a checksum, a few at a time, as they are read for an answer. Throws `ProjectionsDamaged` at the
 * first that is not what was written. `also` is called with the id of each entry.
 */
export function* scanRows(db: DatabaseSync, also: (entry: number) => void): Generator<void> {
  const [entries, media, revisions] = [new EntryTable(db), new MediaTable(db), new RevisionTable(db)];
  const terms = new TermTable(db);
  loadCheckpoint(db);
  new SiteTable(db).get();
  new UserTable(db).all();
  yield;
  for (const taxonomy of taxonomies) {
    terms.all(taxonomy);
    yield;
  }
  const plugins = new PluginTable(db);
  for (const area of areas) {
    plugins.all(area);
    yield;
  }
  yield* each(db, 'entries', (id) => {
    entries.row(id);
    entries.written(id);
    also(id);
  });
  yield* each(db, 'media', (id) => media.get(id));
  yield* each(db, 'revisions', (id) => revisions.row(id));
}

function* each(
  db: DatabaseSync,
  table: 'entries' | 'media' | 'revisions',
  check: (id: number) => void,
): Generator<void> {
  const after = db.prepare(`SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ${slice}`);
  for (let last = 0; ; ) {
    const ids = after.all(last).map((row) => Number(row['id']));
    for (const id of ids) check(id);
    last = ids.at(-1) ?? 0;
    if (last === 0) return;
    yield;
  }
}
