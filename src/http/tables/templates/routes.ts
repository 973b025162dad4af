import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import type { Theme } from '#domain/extensions/area.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import {
  type Template,
  type TemplatePlace,
  type TemplateType,
  templates,
  templateTypes,
} from '#domain/templates/area.ts';
import { deleteTemplate, freeSlug, saveTemplate, trashTemplate } from '#domain/templates/decide.ts';
import { templateHierarchy } from '#domain/templates/hierarchy.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { baseOf } from '#site/design.ts';
import { typesOf } from '#site/types.ts';
import { slugify } from '#text/slug.ts';
import type { Answer, Args, Call, Context, Rec, Route } from '../../engine/types.ts';
import { statuses as words } from '../entries/args.ts';
import { pastOfCollection, pastOfItem } from '../entries/permissions.ts';
import { openMap } from '../records/answers.ts';
import { deletedRecord } from '../records/field.ts';
import { contextArg, inSecondPass } from '../records/usual-args.ts';
import { activeTheme, allThemes, type Themes } from '../themes/theme.ts';
import { templateFields, templateRecord, templateRecordId, templateSchema } from './fields.ts';
import { isTaken, rowAt, type TemplateRow, templatesOf } from './find.ts';
import {
  askedTheme,
  depends,
  mayReadTemplate,
  mayWrite,
  type Of,
  prepareTemplate,
  templateId,
  templateInput,
  templateRow,
} from './permissions.ts';
import { templateRevisionRoutes } from './revisions.ts';

const namespace = CONTENT;
const statuses = words.filter((word) => word !== 'any');
const idArg = { schema: z.string().describe('The id of a template') };

const lookupArgs: Args<Model> = {
  slug: { schema: z.string().describe('The slug of the template to get the fallback for'), required: true },
  is_custom: inSecondPass(z.boolean().describe('Indicates if a template is custom or part of the template hierarchy')),
  template_prefix: inSecondPass(
    z.string().describe('The template prefix for the created template. This is used to extract the main template type'),
  ),
};
const suggestionArg: Args<Model> = {
  is_wp_suggestion: {
    schema: z.boolean().describe('Whether an editor offered the template.'),
    hidden: true,
    unchecked: true,
  },
};
const deleteArgs: Args<Model> = {
  id: idArg,
  force: inSecondPass(z.boolean().default(false).describe('Whether to bypass Trash and force deletion.')),
};

/** Templates of pages and their parts (interface behaviour, section 37). */
export function templateRoutes({ themes }: PluginSettings): readonly Route<Model, Session>[] {
  return templateTypes.flatMap((type) => routesOf(type, themes));
}

function routesOf(type: TemplateType, themes: Themes): readonly Route<Model, Session>[] {
  const pattern = `/${namespace}/${baseOf[type]}`;
  const schema = () => templateSchema(type);
  const statusArg = inSecondPass(z.enum(statuses).describe('Status of template.'));
  const fields = { ...templateFields(type).args(), status: statusArg, ...suggestionArg };
  const of = { type, themes };
  return [
    ...templateRevisionRoutes(of),
    {
      ...{ namespace, pattern, schema },
      endpoints: [
        {
          methods: ['GET'],
          args: listArgs(type),
          past: pastOfCollection,
          permission: mayReadTemplate,
          query: list(of),
          depends,
          listed: true,
        },
        {
          ...{ methods: ['POST'], args: { ...createArgs(themes), ...fields }, permission: mayWrite },
          ...{ prepare: prepareTemplate, command: create(of), mayWait: true },
        },
      ],
    },
    {
      ...{ namespace, pattern: `${pattern}/lookup` },
      endpoints: [
        {
          ...{ methods: ['GET'], summary: 'Show the template that shows something', args: lookupArgs },
          ...{ permission: mayReadTemplate, query: lookUp(of), depends, answers: openMap },
        },
      ],
    },
    {
      ...{ namespace, pattern: `${pattern}/(?P<id>${templateId})`, schema },
      endpoints: [
        {
          methods: ['GET'],
          args: { id: idArg, context: contextArg },
          past: pastOfItem,
          permission: mayReadTemplate,
          query: show(of),
          depends,
        },
        {
          ...{ methods: ['POST', 'PUT', 'PATCH'], permission: mayWrite, prepare: prepareTemplate },
          ...{ mayWait: true, command: update(of) },
          args: {
            id: idArg,
            source: inSecondPass(z.string().describe('`theme` takes back what users changed.')),
            ...fields,
          },
        },
        { methods: ['DELETE'], args: deleteArgs, permission: mayWrite, mayWait: true, command: remove(of) },
      ],
    },
  ];
}

function createArgs(themes: Themes): Args<Model> {
  const isThere = (slug: unknown, { model }: Call<Model>) =>
    allThemes(model, themes).some((theme) => theme.slug === slug);
  return {
    slug: {
      schema: z
        .string()
        .min(1)
        .meta({ pattern: '[a-zA-Z0-9_%-]+', description: 'Unique slug identifying the template.' }),
      required: true,
    },
    theme: {
      schema: z.string().describe('Theme identifier for the template.'),
      check: (value, call) =>
        isThere(value, call) ? null : { code: 'rest_theme_not_found', message: 'Theme not found.', data: null },
    },
  };
}

function listArgs(type: TemplateType): Args<Model> {
  return {
    context: contextArg,
    wp_id: inSecondPass(z.int().describe('Limit to the specified post id.')),
    ...(type === 'wp_template_part'
      ? { area: inSecondPass(z.string().describe('Limit to the specified template part area.')) }
      : {}),
    post_type: inSecondPass(z.string().describe('Post type to get the templates for.')),
  };
}

const list =
  ({ type, themes }: Of) =>
  (call: Call<Model>): Answer => {
    const { params, model } = call;
    const theme = activeTheme(model, themes);
    const { wp_id: number, area, post_type: kind } = params;
    const rows = templatesOf(type, theme, model).filter(
      (row) =>
        (number === undefined || row.stored?.number === number) &&
        (typeof area !== 'string' || row.area === area) &&
        (typeof kind !== 'string' || row.kinds.length === 0 || row.kinds.includes(kind)),
    );
    return { body: { kind: 'list', records: rows.map((row) => recordOf(row, call, theme)) } };
  };

const show =
  (of: Of) =>
  (call: Call<Model>): Answer | Refusal => {
    const row = templateRow(call, of);
    return isRefusal(row) ? row : shown(row, call, of);
  };

/** The template that is used for a slug, ignoring empty ones; an empty map if there is none. */
const lookUp =
  ({ type, themes }: Of) =>
  (call: Call<Model>): Answer => {
    const { params, model } = call;
    const theme = activeTheme(model, themes);
    const asked = {
      slug: String(params['slug']),
      isCustom: params['is_custom'] === true,
      prefix: String(params['template_prefix'] ?? ''),
    };
    const subjects = {
      types: typesOf(model).map(({ slug }) => slug),
      taxonomies: allTermKinds.map(({ name }) => name),
    };
    const rows = templateHierarchy(asked, subjects).map((slug) =>
      rowAt({ type, theme: theme.slug, slug }, theme, model),
    );
    const row = rows.find((one) => one !== null && one.content !== '') ?? null;
    return row === null
      ? { body: { kind: 'json', value: {} } }
      : { body: { kind: 'record', record: recordOf(row, call, theme, 'view') } };
  };

const create =
  (of: Of) =>
  (call: Call<Session>): Answer | Refusal => {
    const { model, params } = call;
    const { type, themes } = of;
    const theme = allThemes(model, themes).find(({ slug }) => slug === params['theme']) ?? activeTheme(model, themes);
    const slug = freeSlug(slugify(String(params['slug'])) || 'template', (name) =>
      isTaken({ type, theme: theme.slug, slug: name }, model),
    );
    const place = { type, theme: theme.slug, slug };
    const refusal = save(call, place, of);
    if (refusal !== null) return refusal;
    const headers = { Location: `${namespaceUrl(model.site(), CONTENT)}/${baseOf[type]}/${templateRecordId(place)}` };
    return { ...saved(place, call, of, 'view'), status: 201, headers };
  };

const update =
  (of: Of) =>
  (call: Call<Session>): Answer | Refusal => {
    const row = templateRow(call, of);
    if (isRefusal(row)) return row;
    const takesBack = call.params['source'] === 'theme' && row.isOfTheme;
    const refusal = takesBack ? drop(call, row) : save(call, row, of);
    return refusal ?? saved(row, call, of);
  };

const remove =
  (of: Of) =>
  (call: Call<Session>): Answer | Refusal => {
    const row = templateRow(call, of);
    if (isRefusal(row)) return row;
    const { stored } = row;
    if (stored === null) return refuse('rest_invalid_template', "Templates based on theme files can't be removed.");
    const theme = askedTheme(row, call.model, of);
    if (call.params['force'] !== true) {
      const shownAs = { ...row, stored: { ...stored, isTrashed: true } };
      return trash(call, stored) ?? { body: { kind: 'record', record: recordOf(shownAs, call, theme, 'edit') } };
    }
    const record = deletedRecord(recordOf(row, call, theme, 'edit'));
    return drop(call, row) ?? { body: { kind: 'record', record }, noAllow: true };
  };

function save(call: Call<Session>, place: TemplatePlace, { type, themes }: Of): Refusal | null {
  const { model, viewer } = call;
  const present = rowAt(place, activeTheme(model, themes), model);
  const facts = {
    present,
    stored: present?.stored ?? null,
    last: model.plugin(templates).last,
    actor: viewer.id,
  };
  return stageIn(model, templates, saveTemplate(place, templateInput(type)(call), facts));
}

function drop(call: Call<Session>, row: TemplateRow): Refusal | null {
  return row.stored === null ? null : stageIn(call.model, templates, deleteTemplate(row.stored));
}

function trash({ model }: Call<Session>, stored: Template): Refusal | null {
  return stageIn(
    model,
    templates,
    trashTemplate(stored, (slug) => isTaken({ ...stored, slug }, model)),
  );
}

function shown(row: TemplateRow, call: Call<Model>, of: Of): Answer {
  return { body: { kind: 'record', record: recordOf(row, call, askedTheme(row, call.model, of)) } };
}

function saved(place: TemplatePlace, call: Call<Session>, of: Of, context: Context = 'edit'): Answer {
  const { model } = call;
  const row = rowAt(place, activeTheme(model, of.themes), model);
  if (row === null) throw new Error('the template that was saved is not there');
  return { body: { kind: 'record', record: recordOf(row, call, askedTheme(row, model, of), context) } };
}

function recordOf(row: TemplateRow, call: Call<Model>, { name: themeName }: Theme, context?: Context): Rec {
  return templateRecord(row, call, { themeName, ...(context === undefined ? {} : { context }) });
}
