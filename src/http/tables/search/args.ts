import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { isScalar, listOf } from '#text/shapes.ts';
import { slugify } from '#text/slug.ts';
import { notInEnum, wrongType } from '../../engine/faults.ts';
import type { Arg, Args, Call, Fault } from '../../engine/types.ts';
import { pagingArgs } from '../../engine/usual-args.ts';
import { searchedKinds } from './entries.ts';
import { searched } from './hit.ts';
import { searchedTaxonomies } from './terms.ts';

const everything = 'any';
const taxonomies = searchedTaxonomies.map(({ name }) => name);
const ids = (what: string) => z.array(z.int()).default([]).describe(what);
const second = (schema: z.ZodType): Arg<Model> => ({ schema, pass: 2 });

export const searchArgs: Args<Model> = {
  ...pagingArgs,
  context: {
    schema: z
      .enum(['view', 'embed'])
      .default('view')
      .describe('Scope under which the request is made; determines fields present in response.'),
  },
  type: second(z.enum(searched).default('post').describe('Limit results to items of an object type.')),
  subtype: {
    ...second(
      z.array(z.enum(['post', 'page', ...taxonomies, everything])).meta({
        default: everything,
        description: 'Limit results to items of one or more object subtypes.',
      }),
    ),
    check: checkSubtypes,
  },
  exclude: second(ids('Ensure result set excludes specific IDs.')),
  include: second(ids('Limit result set to specific IDs.')),
};

/** The requested subtypes of the type; `any` replaces all others. */
export function subtypesIn({ params, model }: Call<Model>): readonly string[] {
  const named = (listOf(params['subtype']) ?? []).map((one) => slugify(String(one)));
  if (named.includes(everything)) return [everything];
  const own: readonly string[] =
    params['type'] === 'post' ? searchedKinds(model) : params['type'] === 'term' ? taxonomies : [];
  return own.filter((one) => named.includes(one));
}

function checkSubtypes(value: unknown, { model }: Call<Model>): Fault | null {
  const list = listOf(value);
  if (list === null) return wrongType('subtype', 'array');
  const known = [...searchedKinds(model), ...taxonomies, everything];
  const place = (index: number) => `subtype[${index}]`;
  for (const [index, one] of list.entries()) {
    if (!isScalar(one)) return wrongType(place(index), 'string');
    if (!known.includes(slugify(String(one)))) return notInEnum(place(index), known);
  }
  return null;
}
