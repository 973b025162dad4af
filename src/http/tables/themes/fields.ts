import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { stylesId } from '#site/design/global-styles.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../../engine/field.ts';
import type { Context } from '../../engine/types.ts';
import { partAreas, themeSupports, themeTemplateTypes } from './supports.ts';
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
const both = () => z.object({ raw: z.string(), rendered: z.string() }).partial();
const bothJson = (value: string) => asciiJson({ raw: value, rendered: value });
const isActive = (kind: ThemeTypes['kind']) => kind === 'active';

/** The fields that show the slug of a theme. */
const slugs = {
  stylesheet: "The theme's stylesheet. This uniquely identifies the theme.",
  template:
    "The theme's template. If this is a child theme, this refers to the parent theme, otherwise this is the same as the theme's stylesheet.",
  textdomain: "The theme's text domain.",
};

const { bool, field, text } = fieldConstructors<ThemeTypes>();

/** Every field of themes, in the order in which records have them. */
const fields: readonly Field<ThemeTypes>[] = [
  ...Object.entries(slugs).map(([name, description]) =>
    text(name, context, description, { readonly: true, read: ({ slug }) => slug }),
  ),
  ...['requires_php', 'requires_wp', 'screenshot', 'stylesheet_uri', 'template_uri'].map((name) =>
    text(name, context, 'Empty: the theme is part of the server.', { readonly: true, read: () => '' }),
  ),
  text('version', context, "The theme's current version.", { readonly: true, read: (_, { version }) => version }),
  field('name', context, 'The name of the theme.', {
    readonly: true,
    schema: both,
    json: ({ name }) => bothJson(name),
  }),
  field('description', context, 'A description of the theme.', {
    readonly: true,
    schema: both,
    json: () => bothJson('The pages of this server.'),
  }),
  ...(['author', 'author_uri', 'theme_uri'] as const).map(
    (name): Field<ThemeTypes> => ({
      ...{ name, ...shown, schema: both },
      description: 'Empty: the theme is part of the server.',
      json: () => bothJson(''),
    }),
  ),
  field('tags', context, 'Tags indicating styles and features of the theme.', {
    readonly: true,
    schema: () => z.object({ raw: z.array(z.string()), rendered: z.string() }).partial(),
    json: () => '{"raw":[],"rendered":""}',
  }),
  field('status', context, 'A named status for the theme.', {
    readonly: true,
    schema: () => z.enum(['inactive', 'active']),
    json: (row) => (row.isActive ? '"active"' : '"inactive"'),
  }),
  bool('is_block_theme', context, 'Whether the theme is a block-based theme.', { readonly: true, json: () => 'false' }),
  field('theme_supports', context, 'Features supported by this theme.', {
    readonly: true,
    when: isActive,
    schema: () => z.record(z.string(), z.unknown()),
    json: () => asciiJson(themeSupports),
  }),
  field('default_template_types', context, 'A list of default template types.', {
    readonly: true,
    when: isActive,
    schema: () => z.array(z.record(z.string(), z.string())),
    json: () => asciiJson(themeTemplateTypes),
  }),
  field('default_template_part_areas', context, 'A list of allowed area values for template parts.', {
    readonly: true,
    when: isActive,
    schema: () => z.array(z.record(z.string(), z.string())),
    json: () => asciiJson(partAreas),
  }),
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
