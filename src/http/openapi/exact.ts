import { z } from 'zod';
import type { Schema } from './types.ts';

/** Formats whose values may be empty. */
const OFTEN_EMPTY: ReadonlySet<unknown> = new Set(['uri', 'email']);

/** A zod schema without simplification, including alternatives and tuples. `io`: of what is sent, or of what is shown. */
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
