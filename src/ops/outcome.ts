import { z } from 'zod';

export const outcome = z.discriminatedUnion('kind', [
  // `text` is the value for people, if a table is not suitable; empty: nothing is printed.
  z.object({ kind: z.literal('done'), value: z.unknown(), text: z.string().optional() }),
  // A check has findings, which are in the value.
  z.object({ kind: z.literal('wrong'), value: z.unknown(), text: z.string().optional() }),
  z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('usage'), message: z.string() }),
  z.object({ kind: z.literal('unavailable'), message: z.string() }),
  z.object({ kind: z.literal('stopped'), message: z.string() }),
]);
export type Outcome = z.infer<typeof outcome>;
