import { z } from 'zod';
import type { Schema } from './types.ts';

/** What may be empty although it has a format. */
const OFTEN_EMPTY: ReadonlySet<unknown> = new Set(['uri', 'email']);

/** A zod schema as it is, alternatives and lists of fixed length included. `io`: of what is sent, or what is shown. */
export function exactSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...exact } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      const { format, minimum, maximum } = jsonSchema;
      if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (!OFTEN_EMPTY.has(format)) return;
      delete jsonSchema.format;
      jsonSchema.anyOf = [{ format: String(format) }, { maxLength: 0 }];
    },
  });
  return exact as Schema;
}
