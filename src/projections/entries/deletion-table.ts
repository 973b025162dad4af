import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { allTerms } from '#domain/entry/classification.ts';
import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import { hierarchicalKinds, personalKinds } from '#domain/entry/kinds.ts';
import { afterLoss, concerns, type Losable, type LossEvent } from '#domain/entry/state.ts';
import type { TermDeletedEvent } from '#domain/term/events.ts';

interface Placed {
  readonly event: LossEvent;
  readonly position: number;
}

interface Stored extends Losable {
  readonly touched: number;
  readonly version: number;
}

/** SQL: position of the last deletion; 0: none. */
export const lastLoss = `max(${['lost_terms', 'lost_media', 'lost_users', 'lost_parents']
  .map((table) => `coalesce((SELECT max(position) FROM ${table}), 0)`)
  .join(', ')})`;

/** SQL: whether an entry has been trashed with its author since its row was written. */
export const wentWithAuthor = `(
  EXISTS (SELECT 1 FROM lost_users WHERE trashed > 0) AND entries.status <> 'trash'
  AND entries.kind IN (${[...personalKinds].map((kind) => `'${kind}'`).join(', ')})
  AND EXISTS (
    SELECT 1 FROM lost_users AS lost
    WHERE lost.id = entries.author AND lost.position > entries.touched AND lost.trashed > 0
  )
)`;

/**
 * Deleted terms, images, users and parents on one connection. A row keeps references as of its last write; those to deleted items are
 * removed when the row is read. So a deletion rewrites no rows, however many entries it affects.
 */
export class DeletionTable {
  readonly #last: StatementSync;
  readonly #term: StatementSync;
  readonly #image: StatementSync;
  readonly #termsAfter: StatementSync;
  readonly #imagesAfter: StatementSync;
  readonly #author: StatementSync;
  readonly #authorsAfter: StatementSync;
  readonly #parent: StatementSync;

  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#last = db.prepare(`SELECT ${lastLoss}`);
    this.#last.setReturnArrays(true);
    this.#term = db.prepare('SELECT event FROM lost_terms WHERE id = ? AND position > ?');
    this.#image = db.prepare('SELECT position FROM lost_media WHERE id = ? AND position > ?');
    this.#termsAfter = db.prepare('SELECT event FROM lost_terms WHERE position > ? ORDER BY position');
    this.#imagesAfter = db.prepare('SELECT id FROM lost_media WHERE position > ?');
    this.#author = db.prepare('SELECT position, heir FROM lost_users WHERE id = ? AND position > ?');
    this.#parent = db.prepare(
      'SELECT position, id, kind, heir, inherited FROM lost_parents WHERE id = ? AND position > ? ORDER BY position',
    );
    this.#authorsAfter = db.prepare('SELECT id FROM lost_users WHERE position > ?');
  }

  /** Position of the last deletion; 0: none. */
  last(): number {
    const [position] = this.#last.get() as unknown as [number];
    return position;
  }

  /** Applies deletions to a row; `last`: position of the last deletion. */
  current<R extends Stored>(row: R, last: number): R {
    if (last <= row.touched) return row;
    let now = row;
    for (let lost = this.#next(now); lost !== null; lost = this.#next(now)) {
      const { event, position } = lost;
      now = { ...now, ...afterLoss(now, event), touched: position, version: position };
    }
    return now;
  }

  termsAfter(position: number): readonly TermDeletedEvent[] {
    return this.#termsAfter.all(position).map((row) => placedIn(row).event as TermDeletedEvent);
  }

  /** Whether a deleted term has come back. */
  isBack(term: number): boolean {
    return this.#db.prepare('SELECT 1 FROM terms WHERE id = ?').get(term) !== undefined;
  }

  imagesAfter(position: number): readonly number[] {
    return this.#imagesAfter.all(position).map((row) => Number(row['id']));
  }

  authorsAfter(position: number): readonly number[] {
    return this.#authorsAfter.all(position).map((row) => Number(row['id']));
  }

  /** Number of parents deleted after a position. */
  countAfter(position: number): number {
    const found = this.#db.prepare('SELECT count(*) AS n FROM lost_parents WHERE position > ?').get(position);
    return Number(found?.['n']);
  }

  /** Deletions of an entry with something below it, in order: it may have come back, and been deleted again. `after`: a position. */
  parents(id: number, after = 0): readonly (Placed & { readonly event: EntryDeletedEvent })[] {
    return this.#parent.all(id, after).map((found) => {
      const { position, kind, heir, inherited } = found as unknown as ParentColumns;
      const kept = inherited === null ? {} : { inherited };
      return { position, event: { type: 'EntryDeleted', data: { id, kind, heir, ...kept } } };
    });
  }

  #next(row: Stored): Placed | null {
    const { featuredMedia, touched } = row;
    const terms = allTerms(row).flatMap((id) => this.#term.all(id, touched).map(placedIn));
    const images = featuredMedia === 0 ? [] : this.#image.all(featuredMedia, touched);
    const author = this.#authorOf(row);
    const [parent] = row.parent !== 0 && hierarchicalKinds.has(row.kind) ? this.parents(row.parent, touched) : [];
    const all = [
      ...terms,
      ...(author === null ? [] : [author]),
      ...(parent === undefined ? [] : [parent]),
      ...images.map(
        (row): Placed => ({
          position: Number(row['position']),
          event: { type: 'MediaDeleted', data: { id: featuredMedia } },
        }),
      ),
    ];
    return all.sort((a, b) => a.position - b.position)[0] ?? null;
  }

  #authorOf(row: Stored): Placed | null {
    const found = this.#author.get(row.author, row.touched);
    if (found === undefined) return null;
    const event = { type: 'UserDeleted', data: { id: row.author, heir: Number(found['heir']) } } as const;
    return concerns(row, event) ? { position: Number(found['position']), event } : null;
  }
}

interface ParentColumns {
  readonly position: number;
  readonly kind: string;
  readonly heir: number;
  readonly inherited: 'private' | null;
}

function placedIn(row: Readonly<Record<string, unknown>>): Placed {
  return JSON.parse(String(row['event'])) as Placed;
}
