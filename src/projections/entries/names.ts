import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { TRASHED } from '#domain/entry/state.ts';
import { wentWithAuthor } from './deletion-table.ts';
import { isBelow } from './references.ts';

/** Prospective owner of a slug. If `parent` is not negative, only entries below it count. */
interface Owner {
  readonly kind: string;
  readonly id: number;
  readonly parent: number;
}

type Sought = Omit<Owner, 'kind'> & { readonly kind: string | null };

/** SQL: whether the slug of a row is still that of its entry. On most sites no author went, and no row has to be read for that. */
export const hasSlug = `(NOT EXISTS (SELECT 1 FROM lost_users WHERE trashed > 0) OR NOT ${wentWithAuthor})`;

/** Finds entries by their slugs. An entry trashed with its author no longer has the slug in its row. */
export class Slugs {
  readonly #with: StatementSync;
  readonly #went: StatementSync;
  readonly #endings: StatementSync;
  readonly #atTop: StatementSync;

  constructor(db: DatabaseSync) {
    const prepare = (sql: string): StatementSync => {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    };
    const those = `slug = ?1 AND (?2 IS NULL OR kind = ?2) AND id <> ?3 AND (?4 < 0 OR ${isBelow('entries', '?4')})`;
    this.#with = prepare(`SELECT id FROM entries WHERE ${those} AND ${hasSlug} ORDER BY id`);
    this.#went = prepare(`SELECT id FROM entries WHERE ${those} AND ${wentWithAuthor} ORDER BY id`);
    this.#atTop = prepare(
      `SELECT 1 FROM entries WHERE slug = ?1 AND id <> ?2 AND status IN ('publish', 'future', 'private')
         AND (kind = 'post' OR (kind = 'page' AND ${isBelow('entries', '0')})) AND ${hasSlug}`,
    );
    // One text is read faster than many rows.
    this.#endings = prepare(
      `SELECT group_concat(substr(slug, length(?1) + 1), char(10)) FROM entries
       WHERE slug >= ?1 || '0' AND slug < ?1 || ':' AND (?2 IS NULL OR kind = ?2) AND id <> ?3
         AND (?4 < 0 OR ${isBelow('entries', '?4')}) AND ${hasSlug}`,
    );
  }

  /** Whether a post or a top-level page other than `id` has the address that a slug is at the top of the site, or will have it. */
  isAtTop(slug: string, id: number): boolean {
    return this.#atTop.get(slug, id) !== undefined;
  }

  isTaken(slug: string, owner: Owner): boolean {
    return this.#find(slug, owner).length > 0;
  }

  /** The rest of slugs after a stem and a dash, if it begins with a digit; `kind` null: of all kinds. */
  endings(stem: string, { kind, id, parent }: Sought): string[] {
    const [all] = this.#endings.get(`${stem}-`, kind, id, parent) as unknown as [string | null];
    return all?.split('\n') ?? [];
  }

  /** Entries with exactly this slug; `kind` null: of all kinds. */
  named(slug: string, kind: string | null): number[] {
    return this.#find(slug, { kind, id: 0, parent: -1 });
  }

  #find(slug: string, { kind, id, parent }: Sought): number[] {
    const found = ids(this.#with.all(slug, kind, id, parent));
    const stem = slug.endsWith(TRASHED) ? slug.slice(0, -TRASHED.length) : '';
    return stem === '' ? found : [...found, ...ids(this.#went.all(stem, kind, id, parent))].sort((a, b) => a - b);
  }
}

function ids(rows: unknown[]): number[] {
  return (rows as [number][]).map(([id]) => id);
}
