import { z } from 'zod';

/**
 * What can be rebuilt separately. `rows` are all tables folded from events: they refer to one another, so they are rebuilt together; the
 * other two are derived from them.
 */
export const projectionNames = ['rows', 'search', 'views'] as const;
export type ProjectionName = (typeof projectionNames)[number];

export interface RebuildOptions {
  /** What to rebuild; everything when this is empty. */
  readonly projections: readonly ProjectionName[];
  readonly check: boolean;
}

/** Progress of work, such as `replaying: 120 of 1,000 events`; `total` is 0 if unknown. */
export const task = z.object({ name: z.string(), done: z.number(), total: z.number(), unit: z.string() }).readonly();
export type RebuildTask = z.infer<typeof task>;

/** How a table differs; see `compareTable`. */
export const tableDifference = z
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
    /** `replaced`: the new projections serve now. Otherwise the old ones do. */
    outcome: z.enum(['replaced', 'compared', 'stopped', 'failed']),
    fault: z.string().nullable(),
    /** Differences between the live and the rebuilt rows; null when they were not compared. */
    differences: z.array(tableDifference).readonly().nullable(),
    /** Position of the comparison; 0 without one. */
    position: z.number(),
    seconds: z.number(),
  })
  .readonly();
export type RebuildEnd = z.infer<typeof end>;

export const rebuildState = z
  .object({
    /** Number of the rebuild since the start of the process; 0: none yet. */
    run: z.number(),
    /** Progress; null when no rebuild is under way. */
    task: task.nullable(),
    /** When it began, ISO 8601 UTC; null: none yet. */
    startedAt: z.string().nullable(),
    ended: end.nullable(),
  })
  .readonly();
export type RebuildState = z.infer<typeof rebuildState>;
