import { z } from 'zod';
import { emptyListSchema } from '../kit/answers.ts';

const recordedEvent = z.object({ status: z.literal('success'), id: z.string().regex(/^\d+$/) });
/** An empty list: nothing was counted. */
export const recorded = z.object({ status: z.union([recordedEvent, emptyListSchema]) });

const variant = z.object({ key: z.string(), value: z.string(), payload: z.unknown().optional() });
export const experiments = z.object({ status: z.literal('success'), data: z.record(z.string(), variant) });
