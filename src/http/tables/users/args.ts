import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args } from '../../engine/types.ts';
import { contextArg, pagingArgs } from '../../engine/usual-args.ts';
import { checkReassign } from './checks.ts';
import { userFields } from './fields.ts';

export const userItemArgs: Args<Model> = {
  id: { schema: z.int().describe('Unique identifier for the user.'), pass: 2 },
  context: contextArg,
};

const written = userFields.args();
const required = (name: string): Arg<Model> => ({ ...written[name]!, required: true });

export const userCreateArgs: Args<Model> = {
  ...written,
  username: required('username'),
  email: required('email'),
  password: required('password'),
};
export const updateMeArgs = written;
export const userUpdateArgs: Args<Model> = { id: userItemArgs['id']!, ...written };

export const deleteMeArgs: Args<Model> = {
  force: {
    schema: z.boolean().default(false).describe('Required to be true, as users do not support trashing.'),
    pass: 2,
  },
  reassign: {
    schema: z.int().describe("Reassign the deleted user's posts and links to this user ID."),
    required: true,
    check: checkReassign,
  },
};
export const userDeleteArgs: Args<Model> = { id: userItemArgs['id']!, ...deleteMeArgs };

export const meArgs: Args<Model> = { context: contextArg };

const second = (schema: z.ZodType): Arg<Model> => ({ schema, pass: 2 });
const ids = (what: string) => z.array(z.int()).default([]).describe(what);
const words = (what: string) => z.array(z.string()).describe(what);

const orders = ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'] as const;
const columns = ['email', 'name', 'id', 'username', 'slug'] as const;
const kinds = ['post', 'page', 'attachment'] as const;

export const userCollectionArgs: Args<Model> = {
  ...pagingArgs,
  exclude: second(ids('Ensure result set excludes specific IDs.')),
  include: second(ids('Limit result set to specific IDs.')),
  offset: second(z.int().describe('Offset the result set by a specific number of items.')),
  order: second(z.enum(['asc', 'desc']).default('asc').describe('Order sort attribute ascending or descending.')),
  orderby: second(z.enum(orders).default('name').describe('Sort collection by user attribute.')),
  slug: second(words('Limit result set to users with one or more specific slugs.')),
  roles: second(words('Limit result set to users with one of the roles.')),
  capabilities: second(words('Limit result set to users whose role has one of the capabilities.')),
  who: second(z.enum(['authors']).describe('Limit result set to users who are considered authors.')),
  has_published_posts: second(
    z.union([z.boolean(), z.array(z.enum(kinds))]).describe('Limit result set to users who have published posts.'),
  ),
  search_columns: second(z.array(z.enum(columns)).default([]).describe('Array of column names to be searched.')),
};
