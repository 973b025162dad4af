import { z } from 'zod';
import type { Arg, Args } from './types.ts';

/** Parameters that the routes of most resources have. */

export const contextArg: Arg<unknown> = {
  schema: z
    .enum(['view', 'embed', 'edit'])
    .default('view')
    .describe('Scope under which the request is made; determines fields present in response.'),
};

export const pagingArgs: Args<unknown> = {
  context: contextArg,
  page: { schema: z.int().min(1).default(1).describe('Current page of the collection.') },
  per_page: {
    schema: z.int().min(1).max(100).default(10).describe('Maximum number of items to be returned in result set.'),
  },
  search: { schema: z.string().describe('Limit results to those matching a string.') },
};
