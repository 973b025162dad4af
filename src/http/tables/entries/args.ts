import { z } from 'zod';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { formats } from '#domain/entry/vocabulary.ts';
import { type TermKind, termKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args } from '../../engine/types.ts';
import {
  contextArg,
  excludeArg,
  idListArg,
  includeArg,
  inSecondPass,
  itemIdArg,
  offsetArg,
  orderArg,
  pagingArgs,
} from '../records/usual-args.ts';
import { checkCollectionStatus } from './checks.ts';
import { cursorArg } from './cursor.ts';
import { entryFieldsOf } from './fields.ts';

export const idArg: Arg<Model> = itemIdArg('post');

export const entryItemArgs: Args<Model> = {
  id: idArg,
  context: contextArg,
  excerpt_length: { schema: z.int().describe('Override the default excerpt length.'), pass: 2 },
  password: { schema: z.string().describe('The password for the post if it is password protected.'), pass: 2 },
  by: {
    schema: z.string().describe('`source`, with `as_of`: times are those of the site that the item was imported from.'),
    unchecked: true,
    hidden: true,
  },
};

export const entryDeleteArgs: Args<Model> = {
  id: idArg,
  force: { schema: z.boolean().default(false).describe('Whether to bypass Trash and force deletion.') },
};

/** Arguments of create and update: the writable fields. */
export function entryBodyArgs(kind: EntryKind): Args<Model> {
  return entryFieldsOf(kind).args();
}

const time = (what: string) => z.string().meta({ format: 'date-time', description: what });

const orders = ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'];
export const statuses = [
  'publish future draft pending private trash auto-draft inherit request-pending request-confirmed',
  'request-failed request-completed any',
]
  .join(' ')
  .split(' ');

export function entryCollectionArgs(kind: EntryKind): Args<Model> {
  const tree = kind.hierarchical;
  return {
    ...pagingArgs,
    after: inSecondPass(time('Limit response to posts published after a given ISO8601 compliant date.')),
    modified_after: inSecondPass(time('Limit response to posts modified after a given ISO8601 compliant date.')),
    ...(kind.features.has('author') ? authorArgs : {}),
    before: inSecondPass(time('Limit response to posts published before a given ISO8601 compliant date.')),
    modified_before: inSecondPass(time('Limit response to posts modified before a given ISO8601 compliant date.')),
    exclude: excludeArg,
    include: includeArg,
    ...entryFieldsOf(kind).filters(),
    cursor: cursorArg,
    search_semantics: inSecondPass(z.enum(['exact']).describe('How to interpret the search input.')),
    offset: offsetArg,
    order: orderArg('desc'),
    orderby: inSecondPass(
      z
        .enum(kind.features.has('order') ? [...orders, 'menu_order'] : orders)
        .default('date')
        .describe('Sort collection by post attribute.'),
    ),
    ...(tree
      ? {
          parent: idListArg('Limit result set to items with particular parent IDs.'),
          parent_exclude: idListArg('Limit result set to all items except those of a particular parent ID.'),
        }
      : {}),
    search_columns: inSecondPass(
      z
        .array(z.enum(['post_title', 'post_content', 'post_excerpt']))
        .default([])
        .describe('Array of column names to be searched.'),
    ),
    slug: inSecondPass(z.array(z.string()).describe('Limit result set to posts with one or more specific slugs.')),
    status: {
      ...inSecondPass(
        z
          .array(z.enum(statuses))
          .meta({ default: 'publish', description: 'Limit result set to posts assigned one or more statuses.' }),
      ),
      check: checkCollectionStatus(kind, statuses),
    },
    ...classArgs(kind),
    ...(kind.features.has('format') ? styleArgs() : {}),
  };
}

const authorArgs: Args<Model> = {
  author: idListArg('Limit result set to posts assigned to specific authors.'),
  author_exclude: idListArg('Ensure result set excludes posts assigned to specific authors.'),
};

function classArgs({ taxonomies }: EntryKind): Args<Model> {
  if (taxonomies.length === 0) return {};
  const filters = taxonomies.flatMap((name) => termArgs(termKinds[name]));
  return {
    tax_relation: inSecondPass(
      z.enum(['AND', 'OR']).describe('Limit result set based on relationship between multiple taxonomies.'),
    ),
    ...Object.fromEntries(filters),
  };
}

/** Parameters that include or exclude entries by the terms of a taxonomy. */
function termArgs({ base, hierarchical: children }: TermKind): [string, Arg<Model>][] {
  return [
    [base, inSecondPass(terms(base, { children, operator: true }))],
    [`${base}_exclude`, inSecondPass(terms(base, { children, operator: false }))],
  ];
}

function styleArgs(): Args<Model> {
  return {
    sticky: inSecondPass(z.boolean().describe('Limit result set to items that are sticky.')),
    ignore_sticky: inSecondPass(z.boolean().default(true).describe('Whether to ignore sticky posts or not.')),
    format: inSecondPass(
      z
        .array(z.enum(formats))
        .meta({ uniqueItems: true, description: 'Limit result set to items assigned one or more given formats.' }),
    ),
  };
}

function terms(name: string, has: { children: boolean; operator: boolean }): z.ZodType {
  const query = z.strictObject({
    terms: z.array(z.int()).default([]).describe('Term IDs.'),
    ...(has.children
      ? {
          include_children: z
            .boolean()
            .default(false)
            .describe('Whether to include child terms in the terms limiting the result set.'),
        }
      : {}),
    ...(has.operator
      ? {
          operator: z
            .enum(['AND', 'OR'])
            .default('OR')
            .describe('Whether items must be assigned all or any of the specified terms.'),
        }
      : {}),
  });
  return z
    .union([
      z.array(z.int()).meta({ title: 'Term ID List', description: 'Match terms with the listed IDs.' }),
      query.meta({ title: 'Term ID Taxonomy Query', description: 'Perform an advanced term query.' }),
    ])
    .meta({ type: ['object', 'array'] })
    .describe(`Limit result set to items with (or without) specific terms assigned in the ${name} taxonomy.`);
}
