import type { DatabaseSync } from 'node:sqlite';
import { columns, facetColumns } from './entries/columns.ts';
import { sums } from './entries/values.ts';

/** Versions of what is derived from the log. Raise one when its tables or its fold change. */
const versions = {
  entries: 23,
  rendering: 2,
  revisions: 0,
  terms: 0,
  media: 1,
  users: 0,
  site: 0,
  comments: 0,
  plugins: 0,
  search: 0,
  audit: 0,
};

/** Changes with each of them: the projections then rebuild themselves at the next start. */
export const projectionsVersion = Object.values(versions).reduce((sum, version) => sum + version);

const tableColumns = [...columns, ...sums.map((name) => ({ name, sql: 'INTEGER NOT NULL' }))]
  .map(({ name, sql }) => `${name} ${sql}`)
  .join(', ');

// `sum` is a checksum of the row, which is compared whenever the row is read. Counts stand twice, once negative.
const tables = `
CREATE TABLE checkpoint (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  next_id INTEGER NOT NULL,
  next_ord INTEGER NOT NULL,
  next_term INTEGER NOT NULL,
  next_user INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;

CREATE TABLE site (one INTEGER PRIMARY KEY CHECK (one = 1), settings TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;

-- The login is null for an account that has been erased: nobody finds it by that.
CREATE TABLE users (
  id INTEGER PRIMARY KEY, login TEXT, slug TEXT NOT NULL, role TEXT NOT NULL, state TEXT NOT NULL,
  published INTEGER NOT NULL DEFAULT 0, unpublished INTEGER NOT NULL DEFAULT 0, sum INTEGER NOT NULL
) STRICT;
-- Not unique: while a log is replayed, several may read as erased that are not yet.
CREATE INDEX users_by_login ON users (login);
CREATE INDEX users_by_name ON users (lower(login));
CREATE INDEX users_by_email ON users (lower(json_extract(state, '$.email')));

CREATE TABLE terms (
  id INTEGER PRIMARY KEY, taxonomy TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
  parent INTEGER NOT NULL, touched INTEGER NOT NULL,
  published INTEGER NOT NULL DEFAULT 0, unpublished INTEGER NOT NULL DEFAULT 0, sum INTEGER NOT NULL
) STRICT;
CREATE INDEX terms_by_slug ON terms (taxonomy, slug);
CREATE INDEX terms_by_name ON terms (taxonomy, lower(name));

-- Lost terms, in log order: taken away from the rows of entries when these are read.
CREATE TABLE lost_terms (position INTEGER PRIMARY KEY, id INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
CREATE INDEX lost_terms_by_id ON lost_terms (id);

CREATE TABLE entries (
  ${tableColumns}
) STRICT;
CREATE INDEX entries_featuring ON entries (featured_media) WHERE featured_media <> 0;
CREATE INDEX entries_by_categories ON entries (categories, status);

-- Deleted entries, in log order: what was there at an earlier position and is not now.
CREATE TABLE lost_entries (position INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT;

-- Every name that a media item has ever had, and those that entries had and have no longer.
CREATE TABLE names (slug TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (slug, id)) STRICT, WITHOUT ROWID;

-- Long texts as they were written, and the positions of the events that hold them.
CREATE TABLE texts (
  id INTEGER PRIMARY KEY, excerpt TEXT NOT NULL, content TEXT NOT NULL,
  title_at INTEGER NOT NULL, content_at INTEGER NOT NULL, excerpt_at INTEGER NOT NULL, footnotes_at INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;

-- A revision or autosave is an event. Its texts are read from the log, each at the position of the event that holds it.
CREATE TABLE revisions (
  id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, author INTEGER NOT NULL, position INTEGER NOT NULL,
  date TEXT NOT NULL, date_gmt TEXT NOT NULL, is_autosave INTEGER NOT NULL,
  title_at INTEGER NOT NULL, content_at INTEGER NOT NULL, excerpt_at INTEGER NOT NULL, footnotes_at INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX revisions_by_parent ON revisions (parent, date_gmt, id);

-- Answers to writes that came with a key: those of the last day by the times of the log, and the newest of those before.
CREATE TABLE requests (
  key TEXT PRIMARY KEY, at TEXT NOT NULL, position INTEGER NOT NULL, request TEXT NOT NULL, status INTEGER NOT NULL,
  headers TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE INDEX requests_by_time ON requests (at);

-- Media items: their state as JSON, beside it what they are looked for by.
CREATE TABLE media (
  id INTEGER PRIMARY KEY, ord INTEGER NOT NULL, touched INTEGER NOT NULL,
  slug TEXT NOT NULL, parent INTEGER NOT NULL, featured_media INTEGER NOT NULL, type TEXT NOT NULL,
  state TEXT NOT NULL, title_json TEXT NOT NULL, description_json TEXT NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE INDEX media_by_slug ON media (slug, parent);
CREATE INDEX media_by_parent ON media (parent) WHERE parent <> 0;
CREATE INDEX media_featuring ON media (featured_media) WHERE featured_media <> 0;
CREATE INDEX media_touched ON media (touched);

-- Addresses that stand for a file, or did: media is 0 since that was deleted.
CREATE TABLE media_addresses (
  path TEXT PRIMARY KEY, folded TEXT NOT NULL, hash TEXT NOT NULL, media INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE INDEX media_addresses_folded ON media_addresses (folded);
CREATE INDEX media_addresses_of ON media_addresses (media) WHERE media <> 0;

-- Every file that an event names, but those of erased items.
CREATE TABLE media_hashes (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Deleted media items, in log order: taken away from the rows of entries when these are read.
CREATE TABLE lost_media (position INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT;
CREATE INDEX lost_media_by_id ON lost_media (id);

-- Who did what, for every event in log order: narrow, so that all of it can be looked through.
CREATE TABLE trail (position INTEGER PRIMARY KEY, actor INTEGER, type TEXT NOT NULL, correlation TEXT NOT NULL) STRICT;

-- What plugins keep: small documents, by area and key.
CREATE TABLE plugins (
  area TEXT NOT NULL, key TEXT NOT NULL, document TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (area, key)
) STRICT, WITHOUT ROWID;

-- Published entries that wait for what services make for them.
CREATE TABLE asset_queue (
  kind TEXT NOT NULL, entry INTEGER NOT NULL, variant TEXT NOT NULL, PRIMARY KEY (kind, entry, variant)
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_queue_by_entry ON asset_queue (entry);
-- How many there are of each kind: every publication asks.
CREATE TABLE asset_queue_sizes (kind TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO asset_queue_sizes VALUES ('ccss', 0), ('ucss', 0), ('vpi', 0);
CREATE TRIGGER asset_queue_grows AFTER INSERT ON asset_queue BEGIN
  UPDATE asset_queue_sizes SET n = n + 1 WHERE kind = NEW.kind;
END;
CREATE TRIGGER asset_queue_shrinks AFTER DELETE ON asset_queue BEGIN
  UPDATE asset_queue_sizes SET n = n - 1 WHERE kind = OLD.kind;
END;

-- Entries with blocks that list posts, by the ids that those have.
CREATE TABLE query_blocks (
  query TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (query, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX query_blocks_by_entry ON query_blocks (entry);

-- The search index as it was last written down: what changes all the time, and which files hold its parts.
CREATE TABLE search_index (
  one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL, state BLOB NOT NULL, parts TEXT NOT NULL
) STRICT;
`;

/** Indexes that no fold asks: a long replay is faster when they are made after it. */
const lateIndexes = `
CREATE INDEX IF NOT EXISTS entries_unrendered ON entries (id) WHERE title_json = '';
-- All that collections need to know, so that a start need not read the texts.
CREATE INDEX IF NOT EXISTS entries_facets ON entries (
  ${facetColumns.join(', ')}, facets_sum
);
CREATE INDEX IF NOT EXISTS entries_by_slug ON entries (slug, kind, parent);
CREATE INDEX IF NOT EXISTS entries_by_parent ON entries (parent) WHERE parent <> 0;
CREATE INDEX IF NOT EXISTS entries_due ON entries (date_gmt) WHERE status = 'future';
CREATE INDEX IF NOT EXISTS entries_by_template ON entries (template) WHERE template <> '';
CREATE INDEX IF NOT EXISTS entries_touched ON entries (touched);
CREATE INDEX IF NOT EXISTS revisions_autosaved ON revisions (parent, author) WHERE is_autosave = 1;
`;

/** Creates the empty tables. */
export function createTables(db: DatabaseSync): void {
  db.exec(tables + lateIndexes);
}

/** Creates those indexes that a replay left away. */
export function createLateIndexes(db: DatabaseSync): void {
  db.exec(lateIndexes);
}

/** Drops the indexes that a long replay need not keep up to date. */
export function dropLateIndexes(db: DatabaseSync): void {
  for (const [, name] of lateIndexes.matchAll(/IF NOT EXISTS (\w+)/g)) db.exec(`DROP INDEX IF EXISTS ${name}`);
}
