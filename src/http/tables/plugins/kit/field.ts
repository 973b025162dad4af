import type { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import type { Arg } from '../../../engine/types.ts';

/** A parameter that only the handler checks and only the documentation lists. */
export function told(schema: z.ZodType): Arg<Model> {
  return { schema, hidden: true, unchecked: true };
}
