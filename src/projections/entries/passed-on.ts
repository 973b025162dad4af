import { hierarchicalKinds } from '#domain/entry/kinds.ts';

/** In SQL: kinds whose entries pass on with what is above them. */
export const passing = [...hierarchicalKinds].map((kind) => `'${kind}'`).join(', ');

/**
 * In SQL: the parents that rows have of what is below some entries. These are the entries, and those that have passed what was below
 * them on to them. `entries` selects their ids.
 */
export const parentsIn = (entries: string): string => `
WITH RECURSIVE parents (id) AS (
  ${entries}
  UNION SELECT lost_parents.id FROM lost_parents JOIN parents ON lost_parents.heir = parents.id AND parents.id <> 0
)
SELECT id FROM parents`;

/** In SQL: whether a row of a table is below the entry that a parameter gives; 0: below none. */
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
