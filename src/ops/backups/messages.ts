import { z } from 'zod';

export const backupMessage = z.discriminatedUnion('kind', [
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
  /** Everything up to a position is stored, and this was the whole log at that time, in milliseconds since 1970. */
  z.object({ kind: z.literal('shipped'), position: z.int(), at: z.number() }),
  /** The current fault; null: it is over. */
  z.object({ kind: z.literal('fault'), message: z.string().nullable() }),
]);
export type BackupMessage = z.infer<typeof backupMessage>;
