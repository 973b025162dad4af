import { z } from 'zod';

export const outcome = z.discriminatedUnion('kind', [
  // `text` is how people read the value, where there is a better way than a table; empty: nothing is printed at all.
  z.object({ kind: z.literal('done'), value: z.unknown(), text: z.string().optional() }),
  // A check was carried out and found something: the value says what.
  z.object({ kind: z.literal('wrong'), value: z.unknown(), text: z.string().optional() }),
  z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('usage'), message: z.string() }),
  z.object({ kind: z.literal('unavailable'), message: z.string() }),
  z.object({ kind: z.literal('stopped'), message: z.string() }),
]);
export type Outcome = z.infer<typeof outcome>;
