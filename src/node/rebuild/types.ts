import { z } from 'zod';
import { rebuildPriorities } from '#config.ts';
import { interfaceNames } from '#domain/site/interface-names.ts';

export type ProjectionName = (typeof projectionNames)[number];

export interface RebuildOptions {
  /** What to rebuild; everything when this is empty. */
  readonly projections: readonly ProjectionName[];
  readonly check: boolean;
}

export type RebuildTask = z.infer<typeof task>;
export type RebuildEnd = z.infer<typeof end>;
export type RebuildState = z.infer<typeof rebuildState>;
export type RebuildJob = z.infer<typeof job>;
export type RebuildMessage = z.infer<typeof rebuildMessage>;

/**
 * What can be rebuilt separately. `rows` are all tables folded from events: they refer to one another, so they are rebuilt together; the
 * other two are derived from them.
 */
export const projectionNames = ['rows', 'search', 'views'] as const;

/** Progress of work, such as `replaying: 120 of 1,000 events`; `total` is 0 if unknown. */
export const task = z.object({ name: z.string(), done: z.number(), total: z.number(), unit: z.string() }).readonly();

/** How a table differs; see `compareTable`. */
const tableDifference = z
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

/**
 * What a child process does to projections, in this order. `replay`: makes the tables from the log; `copy`: takes those of the live ones;
 * `compare`: compares them with the live ones; `follow`: catches up with the log, with what a start needs; `prepare`: the same, with all that
 * is otherwise left to idle time; `seal`: records the checksum of the file.
 */
const steps = ['replay', 'copy', 'compare', 'follow', 'prepare', 'seal'] as const;

export const job = z.object({
  parent: z.number(),
  steps: z.array(z.enum(steps)).readonly(),
  /** Files: the log, and the projections that are made. Beside the live ones they have a folder of their own. */
  log: z.string(),
  path: z.string(),
  /** The live projections; null: they cannot be trusted, and nothing is read from them. */
  live: z.string().nullable(),
  /** Directory of the rebuilt ready answers; null: they are not rebuilt. */
  views: z.string().nullable(),
  names: interfaceNames.optional(),
  /** What is made anew in a copy. */
  projections: z.array(z.enum(projectionNames)).readonly(),
  priority: z.enum(rebuildPriorities),
  /** Milliseconds between saves of a long replay. Default: 5 seconds. */
  keepEvery: z.number().optional(),
});

/** With at most this many events left, the process that serves applies the rest, in pieces between requests. */
export const closeEnough = 2000;

export const rebuildMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), task }),
  z.object({
    kind: z.literal('done'),
    version: z.number(),
    position: z.number(),
    differences: z.array(tableDifference).readonly().nullable(),
  }),
  z.object({ kind: z.literal('failed'), fault: z.string() }),
]);
