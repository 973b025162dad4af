import { z } from 'zod';

/**
 * What can be rebuilt by itself. `rows` are all tables that are folded from events: they speak of one another, so they
 * go together, and the other two follow from them.
 */
export const projectionNames = ['rows', 'search', 'views'] as const;
export type ProjectionName = (typeof projectionNames)[number];

export interface RebuildOptions {
  /** What to rebuild; everything when this is empty. */
  readonly projections: readonly ProjectionName[];
  readonly check: boolean;
}

/** A piece of work under way: `replaying: 120 of 1,000 events`; `total` is 0 where it is not known. */
export const task = z.object({ name: z.string(), done: z.number(), total: z.number(), unit: z.string() }).readonly();
export type Task = z.infer<typeof task>;

/** How a table differs, as `compareTable` says it. */
export const difference = z
  .object({
    table: z.string(),
    missing: z.number(),
    surplus: z.number(),
    changed: z.number(),
    examples: z.array(z.string()).readonly(),
  })
  .readonly();

const end = z
  .object({
    /** `replaced`: the new projections serve now. In all other cases the old ones do. */
    outcome: z.enum(['replaced', 'compared', 'stopped', 'failed']),
    fault: z.string().nullable(),
    /** Where the live rows differed from the rebuilt ones; null when they were not compared. */
    differences: z.array(difference).readonly().nullable(),
    /** Position at which they were compared; 0 when they were not. */
    position: z.number(),
    seconds: z.number(),
  })
  .readonly();
export type RebuildEnd = z.infer<typeof end>;

export const rebuildState = z
  .object({
    /** Its number since the start of the process; 0: none yet. */
    run: z.number(),
    /** What is being done; null when none is under way. */
    task: task.nullable(),
    /** When it began, ISO 8601 UTC; null: none yet. */
    startedAt: z.string().nullable(),
    ended: end.nullable(),
  })
  .readonly();
export type RebuildState = z.infer<typeof rebuildState>;
