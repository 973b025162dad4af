import { z } from 'zod';
import { importedAreas, type Migration } from '#domain/migration/area.ts';

/** Series of ids. Entries, media items, revisions and autosaves share one. */
export type Series = keyof Migration['ids'];

const range = z.object({ from: z.number(), to: z.number() });
const ranges = z.object({ item: range, term: range, user: range, comment: range });
const id = z.number();

export const migrationSchema = z.object({
  run: id,
  source: z.string(),
  origin: z.string(),
  form: z.string(),
  by: z.string(),
  ids: ranges,
});

export const knownSchema = z.object({
  key: z.string(),
  area: z.enum(importedAreas).nullable(),
  id,
  digest: z.string(),
  /** '': unknown. */
  modified: z.string(),
  run: id,
});

/** Something that was imported before; area null: it was only kept. */
export type KnownItem = z.infer<typeof knownSchema>;

/** What an import has to know of the site that it goes to. */
export const targetSchema = z.object({
  site: z.object({ url: z.string(), name: z.string(), timezone: z.string(), theme: z.string() }),
  next: z.object({ item: id, term: id, user: id, comment: id }),
  /** Migrations of the same site, in order. */
  runs: z.array(migrationSchema.extend({ at: z.string(), position: id })),
  known: z.array(knownSchema),
  users: z.array(z.object({ id, login: z.string(), email: z.string() })),
  terms: z.array(z.object({ id, taxonomy: z.string(), slug: z.string() })),
  templates: z.array(z.object({ number: id, type: z.string(), theme: z.string(), slug: z.string() })),
  /** Whether the site has no entries and no files. */
  isEmpty: z.boolean(),
});

export type MigrationTarget = z.infer<typeof targetSchema>;

export const importedSchema = z.object({
  results: z.array(
    z.object({
      key: z.string(),
      id,
      did: z.enum(['made', 'changed', 'same', 'kept', 'refused']),
      revisions: z.number().optional(),
      code: z.string().optional(),
      message: z.string().optional(),
    }),
  ),
  /** Of the files that came along: where they are now, by key. */
  files: z.array(z.object({ key: z.string(), path: z.string(), sizes: z.array(z.string()) })),
});

export type Imported = z.infer<typeof importedSchema>;

/** Stands for what was read of an item that the source no longer has. */
export const goneDigest = 'gone';
