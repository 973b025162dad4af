import type { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { isScalar } from '#text/shapes.ts';
import { fault } from '../../../engine/faults.ts';
import type { Arg, Fault } from '../../../engine/types.ts';

/** Checks of parameters that the index lists without a type, or not at all. */

/** An unsigned whole number, also in digits. */
export function digits(name: string): (value: unknown) => Fault | null {
  return (value) =>
    isScalar(value) && /^\d{1,15}$/.test(String(value)) ? null : fault('rest_invalid_type', `${name} must be digits.`);
}

/** A parameter that only the handler checks and only the documentation lists. */
export function told(schema: z.ZodType): Arg<Model> {
  return { schema, hidden: true, unchecked: true };
}
