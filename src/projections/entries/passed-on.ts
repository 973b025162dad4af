import { hierarchicalKinds } from '#domain/entry/kinds.ts';

/** SQL: kinds whose entries move to their grandparent when their parent is deleted. */
export const passing = [...hierarchicalKinds].map((kind) => `'${kind}'`).join(', ');

/**
 * SQL: ids stored as `parent` in rows that are now below some entries: these entries, and deleted ones whose children they inherited.
 * `entries` selects their ids.
 */
export const parentsIn = (entries: string): string => `
WITH RECURSIVE parents (id) AS (
  ${entries}
  UNION SELECT lost_parents.id FROM lost_parents JOIN parents ON lost_parents.heir = parents.id AND parents.id <> 0
)
SELECT id FROM parents`;

/** SQL: whether a row of a table is below the entry given by a parameter; 0: at the top. */
export const isBelow = (table: string, parameter: string): string => `(
  ${table}.parent = ${parameter} OR (
    EXISTS (SELECT 1 FROM lost_parents WHERE id = ${table}.parent) AND ${parameter} IN (
      WITH RECURSIVE heirs (id) AS (
        SELECT ${table}.parent UNION SELECT lost_parents.heir FROM lost_parents JOIN heirs ON lost_parents.id = heirs.id
      )
      SELECT id FROM heirs
    )
  )
)`;
