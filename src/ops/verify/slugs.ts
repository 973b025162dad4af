import type { DatabaseSync } from 'node:sqlite';
import { UserAdded } from '#domain/user/events.ts';
import type { LogReader } from '#eventstore/log-reader.ts';
import { hasSlug } from '#projections/entries/slugs.ts';
import { type Check, counted, findingsOf } from './check.ts';

/** Scopes in which slugs must be unique: `from` and `by` become a query for the number of rows and the duplicates. */
const rules: readonly { readonly what: string; readonly from: string; readonly by: string }[] = [
  // Drafts may have duplicate slugs until they are published.
  { what: 'post', from: finished('post'), by: 'slug' },
  { what: 'page', from: finished('page'), by: 'slug, parent' },
  { what: 'media item', from: 'media', by: 'slug' },
  { what: 'term', from: 'terms', by: 'slug, taxonomy' },
  { what: 'user', from: `users WHERE slug <> '${UserAdded.erased.slug}'`, by: 'slug' },
];

function finished(kind: string): string {
  return `entries WHERE kind = '${kind}' AND status NOT IN ('draft', 'pending') AND ${hasSlug}`;
}

export function checkSlugs(db: DatabaseSync, log: Pick<LogReader, 'ofStream'>): Check {
  const findings = findingsOf('slugs');
  let count = 0;
  for (const { what, from, by } of rules) {
    count += Number(db.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.['count']);
    const doubled = db.prepare(
      `SELECT slug, group_concat(id) AS ids FROM (SELECT * FROM ${from}) GROUP BY ${by} HAVING count(*) > 1`,
    );
    for (const row of doubled.iterate()) {
      const ids = String(row['ids']).split(',');
      // A page that lost its parent keeps its slug below the new one.
      if (what === 'page' && ids.some((id) => hasLostParent(id, db, log))) continue;
      findings.add(`The ${what}s ${ids.join(' and ')} have the slug ${row['slug']}`);
    }
  }
  return findings.end(counted(count, 'slugs'));
}

function hasLostParent(id: string, db: DatabaseSync, log: Pick<LogReader, 'ofStream'>): boolean {
  const isLost = db.prepare('SELECT 1 FROM lost_parents WHERE id = ?');
  return log.ofStream(`entry-${id}`).some(({ type, data }) => {
    const { parent = 0 } = JSON.parse(data) as { readonly parent?: number };
    return type === 'EntryOrphaned' || isLost.get(parent) !== undefined;
  });
}
