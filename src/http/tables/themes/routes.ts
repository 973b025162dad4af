import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { stylesId } from '#site/design.ts';
import { maySeeEditors } from '#site/rights.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { listOf } from '#text/shapes.ts';
import type { Answer, Args, Call, Context, Rec, Route } from '../../engine/types.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../records/field.ts';
import { activeTheme, allThemes, partAreas, type ThemeRow, themeSupports, themeTemplateTypes } from './theme.ts';

interface ThemeTypes {
  /** Only the theme in use shows what it supports. */
  readonly kind: 'active' | 'inactive';
  readonly row: ThemeRow;
  readonly showing: { readonly model: Model; readonly version: string };
  readonly model: Model;
  readonly input: unknown;
}

const namespace = CONTENT;
const collection = `/${namespace}/themes`;
const context: readonly Context[] = ['view', 'edit', 'embed'];
const shown = { context, readonly: true } as const;

const depends = () => ['site', 'plugins'];
const stylesheet = `(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)`;

const listArgs: Args<Model> = {
  status: {
    schema: z
      .array(z.enum(['active', 'inactive']))
      .describe('Limit result set to themes assigned one or more statuses.'),
    pass: 2,
  },
};
const itemArgs: Args<Model> = {
  stylesheet: { schema: z.string().describe("The theme's stylesheet. This uniquely identifies the theme.") },
};

/** The themes of the site (interface behaviour, section 36), which tell editors what pages support. */
export function themeRoutes({ themes, versions }: PluginSettings): readonly Route<Model, Session>[] {
  const record = (row: ThemeRow, model: Model): Rec =>
    themeFields(row.isActive ? 'active' : 'inactive').record('view', row, { model, version: versions.cms });
  const list = ({ params, model }: Call<Model>): Answer => {
    const statuses = listOf(params['status']) ?? [];
    const rows = allThemes(model, themes).filter(
      ({ isActive }) => statuses.length === 0 || statuses.includes(isActive ? 'active' : 'inactive'),
    );
    const { headers: prefix } = model.site().names;
    return {
      body: { kind: 'list', records: rows.map((row) => record(row, model)) },
      headers: { [`${prefix}-Total`]: String(rows.length), [`${prefix}-TotalPages`]: '1' },
    };
  };
  const show = ({ params, model }: Call<Model>): Answer | Refusal => {
    const row = allThemes(model, themes).find(({ slug }) => slug === params['stylesheet']);
    return row === undefined ? noTheme : { body: { kind: 'record', record: record(row, model) } };
  };
  const mayShow = (call: Call<Model>): Refusal | null =>
    call.params['stylesheet'] === activeTheme(call.model, themes).slug ? maySeeActive(call) : maySeeAll(call);
  return [
    {
      namespace,
      pattern: collection,
      schema: themeSchema,
      endpoints: [{ methods: ['GET'], args: listArgs, permission: mayList, query: list, depends, listed: true }],
    },
    {
      namespace,
      pattern: `${collection}/${stylesheet}`,
      schema: themeSchema,
      endpoints: [{ methods: ['GET'], args: itemArgs, permission: mayShow, query: show, depends }],
    },
  ];
}

export const noTheme = refuse('rest_theme_not_found', 'Theme not found.');

function mayList(call: Call<Model>): Refusal | null {
  const statuses = listOf(call.params['status']) ?? [];
  return statuses.length === 1 && statuses[0] === 'active' ? maySeeActive(call) : maySeeAll(call);
}

function maySeeActive({ viewer, model }: Call<Model>): Refusal | null {
  return maySeeEditors(viewer, model)
    ? null
    : refuse('rest_cannot_view_active_theme', 'Sorry, you are not allowed to view the active theme.');
}

function maySeeAll({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'switch_themes')
    ? null
    : refuse('rest_cannot_view_themes', 'Sorry, you are not allowed to view themes.');
}

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

const { bool, field, text } = fieldConstructors<ThemeTypes>({ readonly: true });

/** Every field of themes, in the order in which records have them. */
const fields: readonly Field<ThemeTypes>[] = [
  ...Object.entries(slugs).map(([name, description]) => text(name, context, description, { read: ({ slug }) => slug })),
  ...['requires_php', 'requires_wp', 'screenshot', 'stylesheet_uri', 'template_uri'].map((name) =>
    text(name, context, 'Empty: the theme is part of the server.', { read: () => '' }),
  ),
  text('version', context, "The theme's current version.", { read: (_, { version }) => version }),
  field('name', context, 'The name of the theme.', { schema: both, json: ({ name }) => bothJson(name) }),
  field('description', context, 'A description of the theme.', {
    schema: both,
    json: () => bothJson('The pages of this server.'),
  }),
  ...(['author', 'author_uri', 'theme_uri'] as const).map(
    (name): Field<ThemeTypes> => ({
      name,
      ...shown,
      schema: both,
      description: 'Empty: the theme is part of the server.',
      json: () => bothJson(''),
    }),
  ),
  field('tags', context, 'Tags indicating styles and features of the theme.', {
    schema: () => z.object({ raw: z.array(z.string()), rendered: z.string() }).partial(),
    json: () => '{"raw":[],"rendered":""}',
  }),
  field('status', context, 'A named status for the theme.', {
    schema: () => z.enum(['inactive', 'active']),
    json: (row) => (row.isActive ? '"active"' : '"inactive"'),
  }),
  bool('is_block_theme', context, 'Whether the theme is a block-based theme.', { json: () => 'false' }),
  field('theme_supports', context, 'Features supported by this theme.', {
    when: isActive,
    schema: () => z.record(z.string(), z.unknown()),
    json: () => asciiJson(themeSupports),
  }),
  field('default_template_types', context, 'A list of default template types.', {
    when: isActive,
    schema: () => z.array(z.record(z.string(), z.string())),
    json: () => asciiJson(themeTemplateTypes),
  }),
  field('default_template_part_areas', context, 'A list of allowed area values for template parts.', {
    when: isActive,
    schema: () => z.array(z.record(z.string(), z.string())),
    json: () => asciiJson(partAreas),
  }),
  { name: '_links', context, json: (row, { model }) => linksJson(row, model) },
];

const themeFields = defineFields<ThemeTypes>(fields);

const themeSchema = (): unknown => recordSchema('theme', themeFields('active').properties());

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
