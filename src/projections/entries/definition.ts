import { defineProjection } from '../kernel/define.ts';
import { eachId } from '../kernel/each-id.ts';
import { type Fold, runsOf } from '../kernel/projection.ts';
import { columns, facetColumns } from './columns.ts';
import { names } from './names.ts';
import { EntryProjection } from './projection.ts';
import { recentRowsOf } from './recent-rows.ts';
import { revisions } from './revisions.ts';
import { EntryTable } from './store.ts';
import { tally } from './tally.ts';
import { sums } from './values.ts';
import { EntryWrites } from './writes.ts';

const allColumns = [...columns, ...sums.map((name) => ({ name, sql: 'INTEGER NOT NULL' }))];
const isLong = ({ name }: { readonly name: string }) => ['footnotes', 'excerpt_json', 'content_json'].includes(name);
/** Columns that may be long come last: SQLite has to read them to reach the ones behind. */
const tableColumns = [...allColumns.filter((column) => !isLong(column)), ...allColumns.filter(isLong)]
  .map(({ name, sql }) => `${name} ${sql}`)
  .join(', ');

export const entries = defineProjection({
  name: 'entries',
  // Covers rendered texts, too: raise it when rendering changes.
  version: 37,
  tables: `
    CREATE TABLE entries (
      ${tableColumns}
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
    CREATE UNIQUE INDEX lost_parents_by_id ON lost_parents (id);
    CREATE INDEX lost_parents_by_heir ON lost_parents (heir) WHERE heir <> 0;

    -- Texts as written, and the positions of the events that contain them.
    CREATE TABLE texts (
      id INTEGER PRIMARY KEY, excerpt TEXT NOT NULL, content TEXT NOT NULL,
      title_at INTEGER NOT NULL, content_at INTEGER NOT NULL, excerpt_at INTEGER NOT NULL, footnotes_at INTEGER NOT NULL,
      sum INTEGER NOT NULL
    ) STRICT;
  `,
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
    CREATE INDEX IF NOT EXISTS entries_touched ON entries (touched);
  `,
  open: (db) => new EntryTable(db),
  fold({ tables, onEntry }): Fold {
    recentRowsOf(tables.db).isKept = true;
    return new EntryProjection({
      table: tables.of(entries),
      writes: new EntryWrites(tables.db),
      tally: tables.of(tally),
      revisions: tables.of(revisions),
      names: tables.of(names),
      onEntry,
    });
  },
  scan: (table, { db }, also) =>
    eachId(db, 'entries', (id) => {
      table.row(id);
      table.written(id);
      also(id);
    }),
  // An erased entry is deleted, and so are its rows.
  forget: (table, { events }) =>
    runsOf(events).every(({ area, id }) => area !== 'entry' || table.row(id) === undefined),
});
