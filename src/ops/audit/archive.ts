import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { codec } from '#domain/events.ts';
import type { OriginOf } from '#domain/kernel/origin.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, siteStream } from '#domain/site/state.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { readJournal } from '#node/origins.ts';
import type { Archive } from '#projections/audit/search.ts';
import { TrailTable } from '#projections/audit/trail.ts';
import { isCurrent, loadCheckpoint, openReader } from '#projections/database.ts';

/** A log with what is known of it, opened for reading: beside a running server or without one. */
export interface OpenArchive extends Archive {
  readonly log: EventStore;
  readonly zone: string;
  readonly originOf: OriginOf;
  close(): void;
}

/**
 * Opens the archive in a data directory. Without projections, or with those of another version, searches take longer. Throws
 * `LogUnavailable` where there is no log.
 */
export function openArchive(dataDir: string): OpenArchive {
  const path = join(dataDir, 'log.db');
  if (!existsSync(path)) throw new LogUnavailable(`there is no event log at ${path}`);
  const log = openSqliteStore({ path, readOnly: true, mapped: false });
  const db = openTrail(join(dataDir, 'projections.db'), log);
  let site = defaultSite;
  for (const stored of log.read({ stream: siteStream })) site = evolveSite(site, codec.decode(stored) as SiteEvent);
  const journal = readJournal(dataDir);
  return {
    log,
    originOf: journal.originOf,
    trail: db && new TrailTable(db),
    zone: site.timezone,
    close() {
      journal.close();
      db?.close();
      log.close();
    },
  };
}

/** Projections of this version that are of this log; null where there are none. */
function openTrail(path: string, log: EventStore): DatabaseSync | null {
  if (!existsSync(path)) return null;
  let db: DatabaseSync | null = null;
  try {
    db = openReader(path);
    if (!isCurrent(db)) return null;
    const { position, hash } = loadCheckpoint(db);
    const [seen] = log.read({ from: position, to: position });
    if (position === 0 || seen?.hash === hash) return db;
  } catch {
    // Whatever is wrong with them, the log has it all.
  }
  db?.close();
  return null;
}
