import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args } from '../../engine/types.ts';
import { contextArg, pagingArgs } from '../../engine/usual-args.ts';

const second = (schema: z.ZodType): Arg<Model> => ({ schema, pass: 2 });
const ids = (what: string) => z.array(z.int()).default([]).describe(what);
const orders = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'];

const parent = second(z.int().describe('The ID for the parent of the revision.'));
const id = second(z.int().describe('Unique identifier for the revision.'));

export const revisionCollectionArgs: Args<Model> = {
  parent,
  ...pagingArgs,
  per_page: { schema: z.int().min(1).max(100).describe('Maximum number of items to be returned in result set.') },
  exclude: second(ids('Ensure result set excludes specific IDs.')),
  include: second(ids('Limit result set to specific IDs.')),
  offset: second(z.int().describe('Offset the result set by a specific number of items.')),
  order: second(z.enum(['asc', 'desc']).default('desc').describe('Order sort attribute ascending or descending.')),
  orderby: second(z.enum(orders).default('date').describe('Sort collection by object attribute.')),
};

export const revisionItemArgs: Args<Model> = { parent, id, context: contextArg };

export const revisionDeleteArgs: Args<Model> = {
  parent,
  id,
  force: second(z.boolean().default(false).describe('Required to be true, as revisions do not support trashing.')),
};

export const restoreArgs: Args<Model> = { parent, id };

export const diffArgs: Args<Model> = {
  parent,
  id,
  from: second(z.int().describe('The revision to compare with. Default: the one before it.')),
};
