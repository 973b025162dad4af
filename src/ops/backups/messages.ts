import { z } from 'zod';

export const told = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('backup'),
    at: z.iso.datetime(),
    key: z.string(),
    position: z.int(),
    hash: z.string(),
    events: z.int(),
    files: z.int(),
    findings: z.array(z.string()).readonly(),
  }),
  /** All up to a position is in the place, and that was all there was at that time, in milliseconds since 1970. */
  z.object({ kind: z.literal('shipped'), position: z.int(), at: z.number() }),
  /** What goes wrong; null: nothing any more. */
  z.object({ kind: z.literal('fault'), message: z.string().nullable() }),
]);
export type Told = z.infer<typeof told>;
