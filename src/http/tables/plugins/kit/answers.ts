import { z } from 'zod';
import { emptyListSchema } from '../../../engine/answers.ts';

export { emptyListSchema };

/** Schemas of responses for the documentation; the envelopes are functions of their contents. */

export const htmlAnswer = z.string().describe('HTML');
export const count = z.int().min(0);
export const id = z.int().min(1);
/** A SHA-256 digest, or an HMAC with it. */
export const digest = z.string().regex(/^[\da-f]{64}$/);
/** UTC, ISO 8601 with milliseconds. */
export const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export function dataOf(value: z.ZodType): z.ZodType {
  return z.object({ data: value });
}
