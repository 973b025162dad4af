import { z } from 'zod';
import { rebuildPriorities } from '#config.ts';
import { interfaceNames } from '#domain/site/interface-names.ts';
import { projectionNames, tableDifference, task } from './types.ts';

export const job = z.object({
  parent: z.number(),
  /** Files: the log, the live projections, the rebuilt ones (in a folder of their own). */
  log: z.string(),
  live: z.string(),
  fresh: z.string(),
  /** Directory of the rebuilt ready answers; null: they are not rebuilt. */
  views: z.string().nullable(),
  names: interfaceNames,
  projections: z.array(z.enum(projectionNames)).readonly(),
  priority: z.enum(rebuildPriorities),
  /** Stop after comparing. */
  check: z.boolean(),
  /** False: the live projections cannot be trusted, and nothing is read from them. */
  compare: z.boolean(),
});
export type RebuildJob = z.infer<typeof job>;

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
export type RebuildMessage = z.infer<typeof rebuildMessage>;
