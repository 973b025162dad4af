import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { allTerms, type Classified } from '#domain/entry/classification.ts';
import { kindOf, personalKinds } from '#domain/entry/kinds.ts';
import type { Entry } from '#domain/entry/state.ts';
import { defineProjection } from '../kernel/define.ts';

/** Each list of categories in rows, with its number of published entries: one look-up per list, not per row. */
export const distinctCategories = `
  WITH RECURSIVE lists (categories) AS (
    SELECT min(categories) FROM entries
    UNION ALL
    SELECT (SELECT min(e.categories) FROM entries e WHERE e.categories > lists.categories)
    FROM lists WHERE lists.categories IS NOT NULL
  )
  SELECT categories, (SELECT count(*) FROM entries e WHERE e.categories = lists.categories AND e.status = 'publish')
  FROM lists WHERE categories <> ''`;

export interface PublishedGroup extends Classified {
  readonly kind: string;
  readonly count: number;
}

export class Tally {
  readonly #term: StatementSync;
  readonly #user: StatementSync;

  constructor(db: DatabaseSync) {
    this.#term = db.prepare(
      'UPDATE terms SET published = published + ?1, unpublished = unpublished - ?1 WHERE id = ?2',
    );
    this.#user = db.prepare(
      'UPDATE users SET published = published + ?1, unpublished = unpublished - ?1 WHERE id = ?2',
    );
  }

  inherit(category: number, entries: number): void {
    this.#term.run(entries, category);
  }

  /** Assigns published entries to another author; 0: they are no longer published. */
  pass(heir: number, published: readonly PublishedGroup[]): void {
    for (const group of published) {
      if (heir !== 0) {
        if (kindOf(group.kind).type.viewable) this.#user.run(group.count, heir);
      } else if (personalKinds.has(group.kind)) for (const term of allTerms(group)) this.#term.run(-group.count, term);
    }
  }

  /** Updates counts for an entry that changes from one state to another; null: it does not exist. */
  move(before: Entry | null, after: Entry | null): void {
    const [from, to] = [before?.status === 'publish' ? before : null, after?.status === 'publish' ? after : null];
    if (from === null && to === null) return;
    const [old, now] = [writerOf(from), writerOf(to)];
    if (old !== now) {
      if (old !== null) this.#user.run(-1, old);
      if (now !== null) this.#user.run(1, now);
    }
    this.#moveTerms(termsOf(from), termsOf(to));
  }

  #moveTerms(old: readonly number[], now: readonly number[]): void {
    for (const term of old) if (!now.includes(term)) this.#term.run(-1, term);
    for (const term of now) if (!old.includes(term)) this.#term.run(1, term);
  }
}

function termsOf(entry: Entry | null): readonly number[] {
  return entry === null ? [] : allTerms(entry);
}

/** The user whose published entries include it; null if it has no public page. */
function writerOf(entry: Entry | null): number | null {
  return entry !== null && kindOf(entry.kind).type.viewable ? entry.author : null;
}

export const tally = defineProjection({
  name: 'tally',
  version: 0,
  tables: '',
  open: (db) => new Tally(db),
  onEntry: (table, { before, after }) => table.move(before, after),
});
