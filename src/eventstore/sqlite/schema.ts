/** Marks the file as an event log of this program (bytes 68-71 of the file): `PLMP`. */
export const APPLICATION_ID = 0x504c4d50;

/** Layout of the file (bytes 60-63). This program must not touch a file with another number. */
export const LAYOUT = 1;

/** Bytes; larger than the default because posts are large: a fifth less file size, and faster group commits. */
export const PAGE_SIZE = 8192;

/** Columns of `events`, in the order of rows. Long texts come last, because columns after them are slow to reach. */
export const COLUMNS = [
  'position',
  'stream',
  'revision',
  'type',
  'v',
  'id',
  'commit_id',
  'i',
  'n',
  'at',
  'actor',
  'correlation_id',
  'causation_id',
  'salt',
  'sealed_digest',
  'hash',
  'data',
  'sealed',
] as const;

/** Creates an empty log. The triggers prevent accidental changes of history; malicious ones are revealed by the hashes. */
export const SCHEMA = `
PRAGMA page_size = ${PAGE_SIZE};
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${LAYOUT};
PRAGMA journal_mode = WAL;
CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL,
  type TEXT NOT NULL,
  v INTEGER NOT NULL,
  id TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  i INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at TEXT NOT NULL,
  actor INTEGER,
  correlation_id TEXT NOT NULL,
  causation_id TEXT,
  salt TEXT,
  sealed_digest TEXT,
  hash TEXT,
  data TEXT NOT NULL,
  sealed TEXT,
  UNIQUE (stream, revision)
) STRICT;
CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN SELECT raise(ABORT, 'The event log is append-only'); END;
CREATE TRIGGER events_are_final
BEFORE UPDATE OF position, stream, revision, type, v, id, commit_id, i, n, at, actor, correlation_id, causation_id,
  sealed_digest, hash, data ON events
BEGIN SELECT raise(ABORT, 'The event log is append-only'); END;
CREATE TRIGGER sealed_texts_only_go BEFORE UPDATE OF salt, sealed ON events
WHEN new.salt IS NOT NULL OR new.sealed IS NOT NULL
BEGIN SELECT raise(ABORT, 'The event log is append-only'); END;
`;

/**
 * Settings of an open log. A commit is on the disk before it is acknowledged; reads map the file. Content moved between pages leaves
 * zeros behind, so that no copy of an erased text remains.
 */
export const PRAGMAS = `
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
PRAGMA mmap_size = 2147418112;
PRAGMA wal_autocheckpoint = 2000;
`;
