import { z } from 'zod';
import type { Arg, Args } from '../../engine/types.ts';

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

/** A parameter that is checked once all others are valid. */
export const inSecondPass = (schema: z.ZodType): Arg<unknown> => ({ schema, pass: 2 });

/** A list of ids, by default an empty one. */
export const idListArg = (what: string): Arg<unknown> => inSecondPass(z.array(z.int()).default([]).describe(what));

export const itemIdArg = (what: string): Arg<unknown> =>
  inSecondPass(z.int().describe(`Unique identifier for the ${what}.`));

/** Which items of a collection are chosen by their ids or places. */
export const excludeArg = idListArg('Ensure result set excludes specific IDs.');
export const includeArg = idListArg('Limit result set to specific IDs.');
export const offsetArg = inSecondPass(z.int().describe('Offset the result set by a specific number of items.'));

export const orderArg = (usual: 'asc' | 'desc'): Arg<unknown> =>
  inSecondPass(z.enum(['asc', 'desc']).default(usual).describe('Order sort attribute ascending or descending.'));
