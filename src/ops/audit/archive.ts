import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { codec } from '#catalogue/events.ts';
import type { OriginLookUp } from '#domain/kernel/origin.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, siteStream } from '#domain/site/state.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { readAuditWords } from '#node/audit-words.ts';
import { readJournal } from '#node/origins.ts';
import type { EntryLookUp } from '#projections/audit/meant.ts';
import { AuditNames, plainText } from '#projections/audit/names.ts';
import { PublicationTable } from '#projections/audit/publications.ts';
import type { Archive } from '#projections/audit/search.ts';
import { SetterTable } from '#projections/audit/setters.ts';
import { TrailTable } from '#projections/audit/trail.ts';
import { hasWords, wordsIn } from '#projections/audit/words.ts';
import { entries } from '#projections/entries/definition.ts';
import { Tables } from '#projections/kernel/projection.ts';
import { isCurrent, loadCheckpoint, openReader } from '#projections/projector/database.ts';

/** The log of a data directory and, if usable, its projections, opened for reading with or without a running server. */
export interface OpenArchive extends Archive {
  readonly log: EventStore;
  readonly zone: string;
  /** Null without projections. */
  readonly publications: PublicationTable | null;
  readonly origins: OriginLookUp;
  readonly entries: EntryLookUp;
  close(): void;
}

/**
 * Opens the archive of a data directory. Without projections of this version, searches take longer. Throws `LogUnavailable` if there is no
 * log.
 */
export function openArchive(dataDir: string): OpenArchive {
  const path = join(dataDir, 'log.db');
  if (!existsSync(path)) throw new LogUnavailable(`there is no event log at ${path}`);
  const log = openSqliteStore({ path, readOnly: true, mapped: false });
  const db = openTrail(join(dataDir, 'projections.db'), log);
  let site = defaultSite;
  for (const stored of log.read({ stream: siteStream })) site = evolveSite(site, codec.decode(stored) as SiteEvent);
  const journal = readJournal(dataDir);
  const words = readAuditWords(dataDir, log);
  return {
    log: Object.assign(log, db && { setters: new SetterTable(db) }),
    origins: journal,
    ...(words === undefined ? {} : { words }),
    trail: db && new TrailTable(db),
    publications: db && new PublicationTable(db),
    zone: site.timezone,
    entries: lookUpOf(db, log),
    close() {
      journal.close();
      words?.close();
      db?.close();
      log.close();
    },
  };
}

/** Entries by their rows; without projections only by their numbers. */
function lookUpOf(db: DatabaseSync | null, log: EventStore): EntryLookUp {
  const names = new AuditNames(log);
  return {
    bySlug: (slug) => (db === null ? [] : new Tables(db).of(entries).slugs.named(slug, null)),
    byTitle(words) {
      const wanted = wordsIn(words);
      const rows = db?.prepare('SELECT id, title FROM entries ORDER BY modified DESC').iterate() ?? [];
      return [...rows].flatMap(({ id, title }) => {
        return wanted.length > 0 && hasWords(plainText(String(title)), wanted) ? Number(id) : [];
      });
    },
    inWords(id) {
      const { kind, title } = names.thing(`entry-${id}`);
      return `${kind} ${id} “${title}”`;
    },
  };
}

/** The projections, if they have this version and belong to this log; otherwise null. */
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
    // Whatever is wrong with the projections, the log contains everything.
  }
  db?.close();
  return null;
}
