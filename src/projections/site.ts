import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, type Site } from '#domain/site/state.ts';

/** The site's settings on one connection. */
export class SiteTable {
  readonly #get: StatementSync;
  readonly #set: StatementSync;

  constructor(db: DatabaseSync) {
    this.#get = db.prepare('SELECT settings FROM site');
    this.#set = db.prepare('INSERT OR REPLACE INTO site VALUES (1, ?)');
  }

  /** Null before the first start is over. */
  get(): Site | null {
    const row = this.#get.get();
    return row === undefined ? null : (JSON.parse(String(row['settings'])) as Site);
  }

  apply(event: SiteEvent): void {
    this.#set.run(JSON.stringify(evolveSite(this.get() ?? defaultSite, event)));
  }
}
