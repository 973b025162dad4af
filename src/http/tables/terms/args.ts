import { z } from 'zod';
import type { TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args } from '../../engine/types.ts';
import { contextArg, pagingArgs } from '../../engine/usual-args.ts';
import { termFieldsOf } from './fields.ts';

const idArg: Arg<Model> = { schema: z.int().describe('Unique identifier for the term.'), pass: 2 };

export const termItemArgs: Args<Model> = { id: idArg, context: contextArg };

export const termDeleteArgs: Args<Model> = {
  id: idArg,
  force: {
    schema: z.boolean().default(false).describe('Required to be true, as terms do not support trashing.'),
    pass: 2,
  },
};

export function termCreateArgs(kind: TermKind): Args<Model> {
  const args = termFieldsOf(kind).args();
  return { ...args, name: { ...args['name']!, required: true } };
}

export function termUpdateArgs(kind: TermKind): Args<Model> {
  return { id: idArg, ...termFieldsOf(kind).args() };
}

export function termCollectionArgs({ hierarchical }: TermKind): Args<Model> {
  return {
    ...pagingArgs,
    exclude: second(ids('Ensure result set excludes specific IDs.')),
    include: second(ids('Limit result set to specific IDs.')),
    ...(hierarchical
      ? {}
      : { offset: second(z.int().describe('Offset the result set by a specific number of items.')) }),
    order: second(z.enum(['asc', 'desc']).default('asc').describe('Order sort attribute ascending or descending.')),
    orderby: second(z.enum(orders).default('name').describe('Sort collection by term attribute.')),
    hide_empty: second(z.boolean().default(false).describe('Whether to hide terms not assigned to any posts.')),
    ...(hierarchical
      ? { parent: second(z.int().describe('Limit result set to terms assigned to a specific parent.')) }
      : {}),
    post: second(
      z.int().meta({ default: null, description: 'Limit result set to terms assigned to a specific post.' }),
    ),
    slug: second(z.array(z.string()).describe('Limit result set to terms with one or more specific slugs.')),
  };
}

const orders = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const;

const ids = (what: string) => z.array(z.int()).default([]).describe(what);
const second = (schema: z.ZodType): Arg<Model> => ({ schema, pass: 2 });
