import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, type Site, siteStream } from '#domain/site/state.ts';
import { defineProjection } from '../kernel/define.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { checkSum, sumOf } from '../kernel/sums.ts';

export class SiteTable {
  readonly #get: StatementSync;
  readonly #set: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT settings, sum FROM site');
    this.#set = db.prepare('INSERT OR REPLACE INTO site VALUES (1, ?, ?)');
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
    this.#set.run(settings, sumOf([settings]));
  }
}

export const site = defineProjection({
  name: 'site',
  version: 1,
  tables: `
    CREATE TABLE site (one INTEGER PRIMARY KEY CHECK (one = 1), settings TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
  `,
  touches: ['site'],
  open: (db) => new SiteTable(db),
  past: (log, position) => ({
    get: (): Site | null => {
      const fold = (site: Site, { event }: RecordedEvent) => evolveSite(site, event as SiteEvent);
      return eventsUntil(log, siteStream, position).reduce(fold, defaultSite);
    },
  }),
  area: 'site',
  apply(table, { event }: RecordedEvent<SiteEvent>, { changes }) {
    changes.shared = true;
    table.apply(event);
  },
  scan(table) {
    table.get();
  },
});
