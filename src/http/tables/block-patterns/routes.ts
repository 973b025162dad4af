import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { maySeeEditors } from '#site/rights.ts';
import type { Args, Call, Route } from '../../engine/types.ts';
import { emptyList } from '../records/answers.ts';
import { outlineSchema } from '../records/field.ts';
import { contextArg, inSecondPass, offsetArg, orderArg, pagingArgs } from '../records/usual-args.ts';

const route = { namespace: CONTENT } as const;
const depends = () => [];

const text = z.string();
const words = z.array(z.string());
const patternSchema = outlineSchema('block-pattern', {
  name: [text, 'The pattern name.'],
  title: [text, 'The pattern title, in human readable format.'],
  content: [text, 'The pattern content.'],
  description: [text, 'The pattern detailed description.'],
  viewport_width: [z.number(), 'The pattern viewport width for inserter preview.'],
  inserter: [z.boolean(), 'Determines whether the pattern is visible in inserter.'],
  categories: [words, 'The pattern category slugs.'],
  keywords: [words, 'The pattern keywords.'],
  block_types: [words, 'Block types that the pattern is intended to be used with.'],
  post_types: [words, 'An array of post types that the pattern is restricted to be used with.'],
  template_types: [words, 'An array of template types where the pattern fits.'],
  source: [
    z.enum([
      'core',
      'plugin',
      'theme',
      'pattern-directory/core',
      'pattern-directory/theme',
      'pattern-directory/featured',
    ]),
    'Where the pattern comes from e.g. core',
  ],
});
const categorySchema = outlineSchema('block-pattern-category', {
  name: [text, 'The category name.'],
  label: [text, 'The category label, in human readable format.'],
  description: [text, 'The category description, in human readable format.'],
});
const directorySchema = outlineSchema('pattern-directory-item', {
  id: [z.int(), 'The pattern ID.'],
  title: [text, 'The pattern title, in human readable format.'],
  content: [text, 'The pattern content.'],
  categories: [words, "The pattern's category slugs."],
  keywords: [words, "The pattern's keywords."],
  description: [text, 'A description of the pattern.'],
  viewport_width: [z.int(), 'The preferred width of the viewport when previewing a pattern, in pixels.'],
  block_types: [words, 'The block types which can use this pattern.'],
});

const directoryArgs: Args<Model> = {
  ...pagingArgs,
  per_page: {
    schema: z.int().min(1).max(100).default(100).describe('Maximum number of items to be returned in result set.'),
  },
  category: inSecondPass(z.int().min(1).describe('Limit results to those matching a category ID.')),
  keyword: inSecondPass(z.int().min(1).describe('Limit results to those matching a keyword ID.')),
  slug: inSecondPass(z.array(z.string()).describe('Limit results to those matching a pattern (slug).')),
  offset: offsetArg,
  order: orderArg('desc'),
  orderby: inSecondPass(
    z
      .enum([
        'author',
        'date',
        'id',
        'include',
        'modified',
        'parent',
        'relevance',
        'slug',
        'include_slugs',
        'title',
        'favorite_count',
      ])
      .default('date')
      .describe('Sort collection by post attribute.'),
  ),
};

/**
 * Patterns that editors offer (interface behaviour, section 38). The server has no built-in ones and queries no directory; those of
 * users are `blocks`.
 */
export function blockPatternRoutes(): readonly Route<Model, Session>[] {
  return [
    {
      ...route,
      pattern: `/${CONTENT}/block-patterns/patterns`,
      schema: patternSchema,
      endpoints: [{ methods: ['GET'], args: {}, permission: maySee('patterns'), query: none, depends, listed: true }],
    },
    {
      ...route,
      pattern: `/${CONTENT}/block-patterns/categories`,
      schema: categorySchema,
      endpoints: [{ methods: ['GET'], args: {}, permission: maySee('categories'), query: none, depends, listed: true }],
    },
    {
      ...route,
      pattern: `/${CONTENT}/pattern-directory/patterns`,
      schema: directorySchema,
      endpoints: [
        {
          methods: ['GET'],
          args: { ...directoryArgs, context: contextArg },
          permission: mayBrowse,
          query: none,
          depends,
          listed: true,
        },
      ],
    },
  ];
}

const none = () => emptyList();

const maySee =
  (what: 'patterns' | 'categories') =>
  ({ viewer, model }: Call<Model>): Refusal | null =>
    maySeeEditors(viewer, model)
      ? null
      : refuse(
          'rest_cannot_view',
          `Sorry, you are not allowed to view the registered block pattern${what === 'patterns' ? 's' : ' categories'}.`,
        );

function mayBrowse({ viewer, model }: Call<Model>): Refusal | null {
  return maySeeEditors(viewer, model)
    ? null
    : refuse(
        'rest_pattern_directory_cannot_view',
        'Sorry, you are not allowed to browse the local block pattern directory.',
      );
}
