import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { stylesId } from '#site/design/global-styles.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
import type { Context } from '../../engine/types.ts';
import { partAreas, templateTypes, themeSupports } from './supports.ts';
import type { ThemeRow } from './theme.ts';

interface ThemeTypes {
  /** Only the theme in use shows what it supports. */
  readonly kind: 'active' | 'inactive';
  readonly row: ThemeRow;
  readonly showing: { readonly model: Model; readonly version: string };
  readonly model: Model;
  readonly input: unknown;
}

const context: readonly Context[] = ['view', 'edit', 'embed'];
const shown = { context, readonly: true } as const;
const text = () => z.string();
const both = () => z.object({ raw: z.string(), rendered: z.string() }).partial();
const bothJson = (value: string) => asciiJson({ raw: value, rendered: value });
const isActive = (kind: ThemeTypes['kind']) => kind === 'active';

/** Every field of themes, in the order in which records have them. */
const fields: readonly Field<ThemeTypes>[] = [
  ...(['stylesheet', 'template', 'textdomain'] as const).map(
    (name): Field<ThemeTypes> => ({
      ...{ name, ...shown, schema: text },
      description: {
        stylesheet: "The theme's stylesheet. This uniquely identifies the theme.",
        template:
          "The theme's template. If this is a child theme, this refers to the parent theme, otherwise this is the same as the theme's stylesheet.",
        textdomain: "The theme's text domain.",
      }[name],
      json: ({ slug }) => asciiJson(slug),
    }),
  ),
  ...(['requires_php', 'requires_wp', 'screenshot', 'stylesheet_uri', 'template_uri'] as const).map(
    (name): Field<ThemeTypes> => ({
      ...{ name, ...shown, schema: text },
      description: `Empty: the theme is part of the server.`,
      json: () => '""',
    }),
  ),
  {
    ...{ name: 'version', ...shown, schema: text },
    description: "The theme's current version.",
    json: (_, { version }) => asciiJson(version),
  },
  {
    ...{ name: 'name', ...shown, schema: both },
    description: 'The name of the theme.',
    json: ({ name }) => bothJson(name),
  },
  {
    ...{ name: 'description', ...shown, schema: both },
    description: 'A description of the theme.',
    json: () => bothJson('The pages of this server.'),
  },
  ...(['author', 'author_uri', 'theme_uri'] as const).map(
    (name): Field<ThemeTypes> => ({
      ...{ name, ...shown, schema: both },
      description: 'Empty: the theme is part of the server.',
      json: () => bothJson(''),
    }),
  ),
  {
    ...{ name: 'tags', ...shown },
    description: 'Tags indicating styles and features of the theme.',
    schema: () => z.object({ raw: z.array(z.string()), rendered: z.string() }).partial(),
    json: () => '{"raw":[],"rendered":""}',
  },
  {
    ...{ name: 'status', ...shown },
    description: 'A named status for the theme.',
    schema: () => z.enum(['inactive', 'active']),
    json: (row) => (row.isActive ? '"active"' : '"inactive"'),
  },
  {
    ...{ name: 'is_block_theme', ...shown },
    description: 'Whether the theme is a block-based theme.',
    schema: () => z.boolean(),
    json: () => 'false',
  },
  {
    ...{ name: 'theme_supports', ...shown, when: isActive },
    description: 'Features supported by this theme.',
    schema: () => z.record(z.string(), z.unknown()),
    json: () => asciiJson(themeSupports),
  },
  {
    ...{ name: 'default_template_types', ...shown, when: isActive },
    description: 'A list of default template types.',
    schema: () => z.array(z.record(z.string(), z.string())),
    json: () => asciiJson(templateTypes),
  },
  {
    ...{ name: 'default_template_part_areas', ...shown, when: isActive },
    description: 'A list of allowed area values for template parts.',
    schema: () => z.array(z.record(z.string(), z.string())),
    json: () => asciiJson(partAreas),
  },
  { name: '_links', context, json: (row, { model }) => linksJson(row, model) },
];

export const themeFields = defineFields<ThemeTypes>(fields);

export const themeSchema = (): unknown => recordSchema('theme', themeFields('active').properties());

function linksJson({ slug, isActive }: ThemeRow, model: Model): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const own = asciiJson(encodeURIComponent(slug)).slice(1, -1);
  const links = [
    `"self":[{"href":"${rest}/themes/${own}"}]`,
    `"collection":[{"href":"${rest}/themes"}]`,
    ...(isActive ? [`"${prefix}:user-global-styles":[{"href":"${rest}/global-styles/${stylesId}"}]`, curies] : []),
  ];
  return `{${links.join()}}`;
}
