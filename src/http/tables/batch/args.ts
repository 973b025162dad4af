import { z } from 'zod';
import type { Args } from '../../engine/types.ts';

/** Maximum requests per batch. */
const max = 25;

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface BatchItem {
  readonly method?: (typeof methods)[number];
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

const item = z.object({
  method: z.enum(methods).default('POST'),
  path: z.string(),
  body: z.looseObject({}).optional(),
  headers: z
    .object({})
    .catchall(z.union([z.string(), z.array(z.string())]))
    .optional(),
});

/** The parameters of a batch (interface behaviour, section 21). */
export const batchArgs: Args<unknown> = {
  validation: { schema: z.enum(['require-all-validate', 'normal']).default('normal'), pass: 2 },
  requests: { schema: z.array(item).max(max), required: true, pass: 2 },
};
