import type { EntryEvent } from '#domain/entry/events.ts';
import { entryStream } from '#domain/entry/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { type Fold, runsOf } from '../kernel/projection.ts';
import { facetColumns } from './columns.ts';
import { EntryProjection } from './projection.ts';
import { recentRowsOf } from './recent-rows.ts';
import { revisions } from './revisions.ts';
import { EntryTable } from './store.ts';
import { tally } from './tally.ts';
import { columnsOfTable, versionedEntries } from './values.ts';
import { EntryWrites } from './writes.ts';

export const entries = defineProjection({
  name: 'entries',
  // Covers rendered texts, too: raise it when rendering changes.
  version: 40,
  tables: `
    CREATE TABLE entries (
      ${columnsOfTable.map(({ name, sql }) => `${name} ${sql}`).join(', ')}
    ) STRICT;
    CREATE INDEX entries_featuring ON entries (featured_media) WHERE featured_media <> 0;
    CREATE INDEX entries_by_categories ON entries (categories, status);
    CREATE INDEX entries_by_author ON entries (author, status, kind, categories, tags, other_terms, touched);

    -- Deleted entries, in log order: those that existed at an earlier position.
    CREATE TABLE lost_entries (position INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT;

    -- Deleted entries with children. Pages and media items below them pass to the heir (0: none) when they are read.
    CREATE TABLE lost_parents (
      position INTEGER PRIMARY KEY, id INTEGER NOT NULL, kind TEXT NOT NULL, heir INTEGER NOT NULL, inherited TEXT
    ) STRICT;
    CREATE INDEX lost_parents_by_id ON lost_parents (id);
    CREATE INDEX lost_parents_by_heir ON lost_parents (heir) WHERE heir <> 0;

    -- Texts as written, and the positions of the events that contain them.
    CREATE TABLE texts (
      id INTEGER PRIMARY KEY, excerpt TEXT NOT NULL, content TEXT NOT NULL,
      title_at INTEGER NOT NULL, content_at INTEGER NOT NULL, excerpt_at INTEGER NOT NULL, footnotes_at INTEGER NOT NULL,
      sum INTEGER NOT NULL
    ) STRICT;
  `,
  versioned: {
    entries: versionedEntries,
    lost_parents: { appendedAt: 'position' },
  },
  lateIndexes: `
    CREATE INDEX IF NOT EXISTS entries_unrendered ON entries (id) WHERE title_json = '';
    -- All columns that collections need, so that a start does not read the texts.
    CREATE INDEX IF NOT EXISTS entries_facets ON entries (
      ${facetColumns.join(', ')}, facets_sum
    );
    CREATE INDEX IF NOT EXISTS entries_by_slug ON entries (slug, kind, parent);
    CREATE INDEX IF NOT EXISTS entries_by_parent ON entries (parent) WHERE parent <> 0;
    CREATE INDEX IF NOT EXISTS entries_due ON entries (date_gmt) WHERE status = 'future';
    CREATE INDEX IF NOT EXISTS entries_by_template ON entries (template) WHERE template <> '';
    -- With a plain comparison SQLite would re-prepare every statement with "kind = ?" at each use.
    CREATE INDEX IF NOT EXISTS entries_leading ON entries (
      json_extract(part, '$.type'), json_extract(part, '$.objectId')
    ) WHERE kind || '' = 'nav_menu_item';
    CREATE INDEX IF NOT EXISTS entries_in_menus ON entries (other_terms) WHERE kind || '' = 'nav_menu_item';
    CREATE INDEX IF NOT EXISTS entries_navigations ON entries (id) WHERE kind || '' = 'wp_navigation';
    CREATE INDEX IF NOT EXISTS entries_since ON entries (since);
  `,
  open: (db) => new EntryTable(db),
  fold({ tables, onEntry }): Fold {
    recentRowsOf(tables.db).isKept = true;
    return new EntryProjection({
      table: tables.of(entries),
      writes: new EntryWrites(tables.db),
      tally: tables.of(tally),
      revisions: tables.of(revisions),
      onEntry,
    });
  },
  scan: (table, { db }, also) =>
    eachId(db, 'entries', (id) => {
      table.row(id);
      table.written(id);
      also(id);
    }),
  *forget(table, { events, log }, tables) {
    const writes = new EntryWrites(tables.db);
    for (const id of new Set(runsOf(events).flatMap(({ area, id }) => (area === 'entry' ? id : [])))) {
      // An erased entry is deleted, and so is its row.
      if (table.row(id) !== undefined) return false;
      const own = eventsUntil(log, entryStream(id), Number.POSITIVE_INFINITY) as RecordedEvent<EntryEvent>[];
      writes.renewVersions(id, own);
      tables.of(revisions).renewEarlier(id, own);
      yield;
    }
    return true;
  },
});
