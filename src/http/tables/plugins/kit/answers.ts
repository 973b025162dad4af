import { z } from 'zod';

/** Schemas of responses for the documentation. */

export const count = z.int().min(0);
export const id = z.int().min(1);
/** UTC, ISO 8601 with milliseconds. */
export const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export function dataOf(value: z.ZodType): z.ZodType {
  return z.object({ data: value });
}
