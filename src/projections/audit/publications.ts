import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DomainEvent, EventMeta } from '#domain/kernel/event.ts';
import { defineFollowing } from '../kernel/define.ts';

/** When entries were published, by their own events: a narrow index of those that may have been public at a time. */
export class PublicationTable {
  readonly #find: StatementSync;
  readonly #position: StatementSync;
  readonly #open: StatementSync;
  readonly #close: StatementSync;

  constructor(db: DatabaseSync) {
    this.#position = db.prepare("SELECT position FROM following WHERE name = 'publications'");
    this.#find = db.prepare(
      `SELECT DISTINCT entry FROM publications
        WHERE entry < ? AND low <= ? AND (high IS NULL OR high > ?) ORDER BY entry DESC LIMIT ?`,
    );
    this.#open = db.prepare(
      `INSERT INTO publications (entry, low)
        SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM publications WHERE entry = ?1 AND high IS NULL)`,
    );
    this.#close = db.prepare('UPDATE publications SET high = ? WHERE entry = ? AND high IS NULL');
  }

  position(): number {
    return Number(this.#position.get()?.['position'] ?? 0);
  }

  /** Entries with a number below `before` that were published between two positions, the highest first. */
  find({ low, high, before, limit }: Readonly<Record<'low' | 'high' | 'before' | 'limit', number>>): number[] {
    return this.#find.all(before, high, low, limit).map(({ entry }) => Number(entry));
  }

  note(entry: number, becomesPublic: boolean, { position }: Pick<EventMeta, 'position'>): void {
    if (becomesPublic) this.#open.run(entry, position);
    else this.#close.run(position, entry);
  }
}

/** Whether an event publishes its entry (true) or ends that (false); undefined: neither. */
export function publishes({ type, data }: DomainEvent): boolean | undefined {
  if (type === 'EntryCreated') return (data as { readonly status: string }).status === 'publish' ? true : undefined;
  return outcomes[type];
}

const outcomes: Readonly<Record<string, boolean>> = {
  EntryPublished: true,
  EntryReleased: true,
  EntryScheduled: false,
  EntryMadePrivate: false,
  EntrySubmitted: false,
  EntrySentBackToDraft: false,
  EntryTrashed: false,
  EntryDeleted: false,
};

/** The types of events that `publishes` knows. */
export const publishing: readonly string[] = ['EntryCreated', ...Object.keys(outcomes)];

export const publications = defineFollowing({
  name: 'publications',
  version: 0,
  tables: `
    -- From and until when an entry was published, as positions. Passwords and deleted authors do not show here.
    CREATE TABLE publications (entry INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER, PRIMARY KEY (entry, low)) STRICT, WITHOUT ROWID;
  `,
  open: (db) => new PublicationTable(db),
  area: 'entry',
  apply: (table, { event, meta }, { id }) => {
    const becomesPublic = publishes(event);
    if (becomesPublic !== undefined) table.note(id, becomesPublic, meta);
  },
  // Nothing in it is sealed.
  forget: () => true,
});
