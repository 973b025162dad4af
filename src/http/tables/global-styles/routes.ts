import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import { changeStyles, type StyleFields, siteStyles } from '#domain/site-styles/area.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { stylesId } from '#site/design.ts';
import { maySeeEditors } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Answer, Args, Call, Context, QueryEndpoint, Route } from '../../engine/types.ts';
import { pastOfItem } from '../entries/permissions.ts';
import { openMap } from '../records/answers.ts';
import { contextArg } from '../records/usual-args.ts';
import { revisionCollectionArgs } from '../revisions/fields.ts';
import { placeHeaders, placeOf } from '../revisions/reads.ts';
import { activeTheme } from '../themes/theme.ts';
import { baseStyles, styleFields, styleSchema } from './fields.ts';
import { changesOf, styleRevisionFields, styleRevisionSchema, stylesAfter } from './revisions.ts';

const namespace = CONTENT;
const collection = `/${namespace}/global-styles`;
const depends = () => ['site', 'plugins'];
/** Otherwise the path could be that of a theme named `revisions`. */
const only = { parent: String(stylesId) };
const idArg = { schema: z.int().describe('ID of global styles config.'), pass: 2 } as const;
const parentArg = { schema: z.int().describe('The ID for the parent of the revision.'), pass: 2 } as const;
const stylesheet = `(?P<stylesheet>[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)`;
const themeArgs: Args<Model> = { stylesheet: { schema: z.string().describe('The theme identifier') } };
const { context, page, per_page, offset } = revisionCollectionArgs;
const revisionArgs = { parent: parentArg, context, page, per_page, offset } as Args<Model>;
const styleMap = z.looseObject({ settings: openMap, styles: openMap });

const changeRoutes: readonly Route<Model, Session>[] = [
  {
    namespace,
    pattern: `${collection}/(?P<parent>[\\d]+)/revisions`,
    only,
    schema: styleRevisionSchema,
    endpoints: [{ methods: ['GET'], args: revisionArgs, permission: mayReadChanges, query: listChanges, depends }],
  },
  {
    namespace,
    pattern: `${collection}/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)`,
    only,
    schema: styleRevisionSchema,
    endpoints: [
      {
        methods: ['GET'],
        permission: mayReadChanges,
        query: showChange,
        depends,
        args: {
          parent: parentArg,
          id: { ...idArg, schema: z.int().describe('Unique identifier for the revision.') },
          context: contextArg,
        },
      },
    ],
  },
];

const stylesRoute: Route<Model, Session> = {
  namespace,
  pattern: `${collection}/(?P<id>[\\d]+)`,
  schema: styleSchema,
  endpoints: [
    {
      methods: ['GET'],
      args: { id: idArg, context: contextArg },
      past: pastOfItem,
      permission: mayShow,
      query: show,
      depends,
    },
    {
      methods: ['POST', 'PUT', 'PATCH'],
      mayWait: true,
      args: { id: idArg, ...styleFields.args() },
      permission: mayChange,
      command: change,
    },
  ],
};

/** Styles that editors set for all pages of the site (interface behaviour, section 36). */
export function globalStyleRoutes({ themes }: PluginSettings): readonly Route<Model, Session>[] {
  return [...changeRoutes, ...themeRoutes(themes), stylesRoute];
}

function themeRoutes(themes: PluginSettings['themes']): readonly Route<Model, Session>[] {
  const ofTheme = (answer: (call: Call<Model>) => Answer) => (call: Call<Model>) =>
    call.params['stylesheet'] === activeTheme(call.model, themes).slug ? answer(call) : noTheme;
  const themeRoute = (
    pattern: string,
    { summary, answers }: Pick<QueryEndpoint<Model>, 'summary' | 'answers'>,
    answer: (call: Call<Model>) => Answer,
  ): Route<Model, Session> => ({
    namespace,
    pattern,
    endpoints: [
      {
        methods: ['GET'],
        summary,
        answers,
        args: themeArgs,
        permission: mayReadTheme,
        query: ofTheme(answer),
        depends,
      } as QueryEndpoint<Model>,
    ],
  });
  return [
    themeRoute(
      `${collection}/themes/${stylesheet}/variations`,
      { summary: 'List other sets of styles that the theme offers', answers: z.array(styleMap) },
      () => ({ body: { kind: 'json', value: [] } }),
    ),
    themeRoute(
      `${collection}/themes/${stylesheet}`,
      { summary: 'Show the styles of the theme', answers: styleMap },
      showTheme,
    ),
  ];
}

const noTheme = refuse('rest_theme_not_found', 'Theme not found.');
const noStyles = refuse('rest_global_styles_not_found', 'No global styles config exist with that id.');

function isThere({ params }: Call<Model>, name: string): boolean {
  return idFrom(params[name]) === stylesId;
}

function mayReadTheme({ viewer, model }: Call<Model>): Refusal | null {
  return maySeeEditors(viewer, model)
    ? null
    : refuse('rest_cannot_read_global_styles', 'Sorry, you are not allowed to access the global styles on this site.');
}

function mayShow(call: Call<Model>): Refusal | null {
  if (!isThere(call, 'id')) return noStyles;
  const { params, viewer, model } = call;
  if (params['context'] === 'edit' && !may(viewer, 'edit_theme_options')) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this global style.');
  }
  return maySeeEditors(viewer, model)
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to view this global style.');
}

function mayChange(call: Call<Model>): Refusal | null {
  if (!isThere(call, 'id')) return noStyles;
  return may(call.viewer, 'edit_theme_options')
    ? null
    : refuse('rest_cannot_edit', 'Sorry, you are not allowed to edit this global style.');
}

function mayReadChanges(call: Call<Model>): Refusal | null {
  if (!isThere(call, 'parent')) return refuse('rest_post_invalid_parent', 'Invalid post parent ID.');
  return may(call.viewer, 'edit_theme_options')
    ? null
    : refuse('rest_cannot_read', 'Sorry, you are not allowed to view revisions for this global style.');
}

function showTheme({ params, model }: Call<Model>): Answer {
  const href = `${namespaceUrl(model.site(), CONTENT)}/global-styles/themes/${encodeURIComponent(String(params['stylesheet']))}`;
  return { body: { kind: 'json', value: { ...baseStyles, _links: { self: [{ href }] } } } };
}

function show({ params, viewer, model }: Call<Model>): Answer {
  const record = styleFields.record(params['context'] as Context, model.plugin(siteStyles), { model, viewer });
  return { body: { kind: 'record', record } };
}

function change(call: Call<Session>): Answer | Refusal {
  const { model, viewer } = call;
  const wanted = styleFields.input(call);
  if (hasMarkup(wanted)) return refuse('rest_custom_css_illegal_markup', 'Markup is not allowed in CSS.');
  const refusal = stageIn(model, siteStyles, changeStyles(model.plugin(siteStyles), wanted, viewer.id));
  const record = styleFields.record('edit', model.plugin(siteStyles), { model, viewer });
  return refusal ?? { body: { kind: 'record', record } };
}

/** Style sheets are embedded in pages, where a tag would end them. */
function hasMarkup({ styles }: StyleFields): boolean {
  const css = styles?.['css'];
  return typeof css === 'string' && /<\/?\w/.test(css);
}

function listChanges(call: Call<Model>): Answer | Refusal {
  const { model, params } = call;
  const site = model.site();
  const changes = changesOf(model);
  const place = placeOf(call, changes.length);
  const url = `${namespaceUrl(site, CONTENT)}/global-styles/${stylesId}/revisions`;
  const headers = placeHeaders(call, place, { total: changes.length, url, prefix: site.names.headers });
  if (isRefusal(headers)) return headers;
  const asked = changes.slice(place.offset, place.offset + place.limit);
  const records = asked.map((revision) => changeRecord(revision, params['context'] as Context, model));
  return { body: { kind: 'list', records }, headers };
}

function showChange({ params, model }: Call<Model>): Answer | Refusal {
  const revision = idFrom(params['id']);
  if (!changesOf(model).includes(revision)) return refuse('rest_post_invalid_id', 'Invalid revision ID.');
  return { body: { kind: 'record', record: changeRecord(revision, params['context'] as Context, model) } };
}

function changeRecord(revision: number, context: Context, model: Model) {
  return styleRevisionFields.record(context, stylesAfter(revision, model), model);
}
