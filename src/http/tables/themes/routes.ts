import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { maySeeEditors } from '#site/rights/editors.ts';
import { listOf } from '#text/shapes.ts';
import type { Answer, Args, Call, Rec, Route } from '../../engine/types.ts';
import { themeFields, themeSchema } from './fields.ts';
import { activeTheme, allThemes, type ThemeRow } from './theme.ts';

const namespace = CONTENT;
const collection = `/${namespace}/themes`;
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
      ...{ namespace, pattern: collection, schema: themeSchema },
      endpoints: [{ methods: ['GET'], args: listArgs, permission: mayList, query: list, depends, listed: true }],
    },
    {
      ...{ namespace, pattern: `${collection}/${stylesheet}`, schema: themeSchema },
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
