import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, type Site, siteStream } from '#domain/site/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import { defineProjection } from '../kernel/define.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';
import { upsertSql } from '../kernel/versions.ts';

export class SiteTable {
  readonly #get: StatementSync;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT settings, sum FROM site');
    this.#db = db;
  }

  get(): Site | null {
    const row = this.#get.get();
    if (row === undefined) return null;
    const settings = String(row['settings']);
    checkSum(row['sum'], sumOf([settings]), 'site', 1);
    return JSON.parse(settings) as Site;
  }

  apply(event: SiteEvent): void {
    const settings = JSON.stringify(evolveSite(this.get() ?? defaultSite, event));
    this.#db.prepare(upsertSql('site', ['one', 'settings', 'sum'], ['one'])).run(1, settings, sumOf([settings]));
  }
}

export const site = defineProjection({
  name: 'site',
  version: 2,
  tables: `
    CREATE TABLE site (
      one INTEGER PRIMARY KEY CHECK (one = 1), settings TEXT NOT NULL, sum INTEGER NOT NULL, since INTEGER NOT NULL
    ) STRICT;
  `,
  versioned: { site: { key: ['one'] } },
  touches: ['site'],
  open: (db) => new SiteTable(db),
  area: 'site',
  apply(table, { event }: RecordedEvent<SiteEvent>, { changes }) {
    changes.shared = true;
    table.apply(event);
  },
  scan(table) {
    table.get();
  },
});

/** The settings as of a position, from the log. */
export function siteInLog(log: Pick<EventStore, 'read'>, position: number): Site {
  const fold = (site: Site, { event }: RecordedEvent) => evolveSite(site, event as SiteEvent);
  return eventsUntil(log, siteStream, position).reduce(fold, defaultSite);
}
