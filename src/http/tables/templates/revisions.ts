import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { type Template, type TemplateSave, templates } from '#domain/templates/area.ts';
import { autosaveTemplate, deleteTemplateRevision } from '#domain/templates/decide.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { baseOf } from '#site/design.ts';
import { idFrom } from '../../engine/call.ts';
import { deletedRecord } from '../../engine/field.ts';
import { listIn } from '../../engine/listing.ts';
import type { Answer, Call, Context, Rec, Route } from '../../engine/types.ts';
import { contextArg } from '../../engine/usual-args.ts';
import { revisionCollectionArgs } from '../revisions/fields.ts';
import { placeHeaders, placeOf } from '../revisions/reads.ts';
import { templateFields, templateRecord, templateRecordId, templateRevisionSchema } from './fields.ts';
import { rowOfSave, savedTexts, type TemplateRow } from './find.ts';
import {
  askedTheme,
  depends,
  mayWrite,
  type Of,
  prepareTemplate,
  templateId,
  templateInput,
  templateRow,
} from './permissions.ts';

const namespace = CONTENT;
const parent = { schema: z.string().describe('The id of a template') };
const id = { schema: z.int().describe('Unique identifier for the revision.'), pass: 2 } as const;
const autosaveId = { schema: z.int().describe('The ID for the autosave.'), pass: 2 } as const;
const force = {
  schema: z.boolean().default(false).describe('Required to be true, as revisions do not support trashing.'),
  pass: 2,
} as const;

/** Revisions and autosaves of templates (interface behaviour, section 37), for those who may change templates. */
export function templateRevisionRoutes(of: Of): readonly Route<Model, Session>[] {
  const pattern = `/${namespace}/${baseOf[of.type]}/(?P<parent>${templateId})`;
  const schema = () => templateRevisionSchema(of.type);
  const args = { parent, id, context: contextArg };
  return [
    {
      ...{ namespace, pattern: `${pattern}/revisions`, schema },
      endpoints: [
        {
          methods: ['GET'],
          args: { ...revisionCollectionArgs, parent },
          permission: mayReadOf(of),
          query: list(of),
          depends,
        },
      ],
    },
    {
      ...{ namespace, pattern: `${pattern}/revisions/(?P<id>[\\d]+)`, schema },
      endpoints: [
        { methods: ['GET'], args, permission: mayReadOf(of), query: show(of), depends },
        { methods: ['DELETE'], args: { parent, id, force }, permission: mayDelete(of), command: remove(of) },
      ],
    },
    {
      ...{ namespace, pattern: `${pattern.replace('<parent>', '<id>')}/autosaves`, schema },
      endpoints: [
        {
          ...{ methods: ['GET'], args: { id: parent, context: contextArg }, permission: mayReadOf(of, 'id') },
          ...{ query: listAutosaves(of), depends },
        },
        {
          ...{ methods: ['POST'], summary: "Store the viewer's autosave of the template", permission: mayWrite },
          ...{
            args: { id: parent, ...templateFields(of.type).args() },
            prepare: prepareTemplate,
            command: keep(of),
          },
        },
      ],
    },
    {
      ...{ namespace, pattern: `${pattern}/autosaves/(?P<id>[\\d]+)`, schema },
      endpoints: [
        {
          ...{ methods: ['GET'], args: { ...args, id: autosaveId }, permission: mayReadOf(of) },
          ...{ query: showAutosave(of), depends },
        },
      ],
    },
  ];
}

interface Found {
  readonly row: TemplateRow;
  readonly stored: Template;
}

/** A stored template; those that exist only in the theme have no revisions. */
function findIn(call: Pick<Call<Model>, 'params' | 'model'>, of: Of, name = 'parent'): Found | Refusal {
  const row = templateRow(call, of, name);
  if (isRefusal(row)) return refuse('rest_post_invalid_parent', 'Invalid template parent ID.');
  const { stored } = row;
  if (stored !== null) return { row, stored };
  return refuse('rest_invalid_template', "Templates based on theme files can't have revisions.");
}

const mayReadOf =
  (of: Of, name = 'parent') =>
  (call: Call<Model>): Refusal | null => {
    const found = findIn(call, of, name);
    if (isRefusal(found)) return found;
    return may(call.viewer, 'edit_theme_options')
      ? null
      : refuse('rest_cannot_read', 'Sorry, you are not allowed to view revisions of this post.');
  };

const mayDelete =
  (of: Of) =>
  (call: Call<Model>): Refusal | null => {
    const found = findIn(call, of);
    if (isRefusal(found)) return found;
    return may(call.viewer, 'edit_theme_options')
      ? null
      : refuse('rest_cannot_delete', 'Sorry, you are not allowed to delete revisions of this post.');
  };

function revisionsOf({ saves }: Template): readonly TemplateSave[] {
  return saves.filter((save) => !save.isAutosave && !save.isDeleted).toReversed();
}

function autosavesOf({ saves }: Template): readonly TemplateSave[] {
  return saves.filter((save) => save.isAutosave).toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.id - a.id));
}

const list =
  (of: Of) =>
  (call: Call<Model>): Answer | Refusal => {
    const found = findIn(call, of);
    if (isRefusal(found)) return found;
    const { model } = call;
    const rows = ordered(call, revisionsOf(found.stored).filter(isMeant(call, found.stored)));
    const place = placeOf(call, rows.length);
    const site = model.site();
    const url = `${namespaceUrl(site, CONTENT)}/${baseOf[of.type]}/${templateRecordId(found.row)}/revisions`;
    const headers = placeHeaders(call, place, { total: rows.length, url, prefix: site.names.headers });
    if (isRefusal(headers)) return headers;
    const records = rows
      .slice(place.offset, place.offset + place.limit)
      .map((save) => recordOf(call, of, found.row, save));
    return { body: { kind: 'list', records }, headers };
  };

function isMeant(call: Call<Model>, stored: Template): (save: TemplateSave) => boolean {
  const { params, model, sent } = call;
  const [include, exclude] = [listIn<number>(call, 'include'), listIn<number>(call, 'exclude')];
  const words = sent('search') === undefined ? '' : String(params['search']).toLowerCase();
  const contains = (save: TemplateSave) =>
    Object.values(savedTexts(stored, save, model)).some((text) => text.toLowerCase().includes(words));
  return (save) =>
    (include?.includes(save.id) ?? true) && !(exclude?.includes(save.id) ?? false) && (words === '' || contains(save));
}

function ordered({ params }: Call<Model>, rows: readonly TemplateSave[]): readonly TemplateSave[] {
  return params['order'] === 'asc' ? rows.toReversed() : rows;
}

function findRevision(call: Pick<Call<Model>, 'params'>, { stored }: Found): TemplateSave | Refusal {
  const wanted = idFrom(call.params['id']);
  return (
    revisionsOf(stored).find((save) => save.id === wanted) ?? refuse('rest_post_invalid_id', 'Invalid revision ID.')
  );
}

const show =
  (of: Of) =>
  (call: Call<Model>): Answer | Refusal => {
    const found = findIn(call, of);
    if (isRefusal(found)) return found;
    const save = findRevision(call, found);
    return isRefusal(save) ? save : { body: { kind: 'record', record: recordOf(call, of, found.row, save) } };
  };

const remove =
  (of: Of) =>
  (call: Call<Session>): Answer | Refusal => {
    const found = findIn(call, of);
    if (isRefusal(found)) return found;
    const save = findRevision(call, found);
    if (isRefusal(save)) return save;
    if (call.params['force'] !== true) {
      return refuse('rest_trash_not_supported', "Revisions do not support trashing. Set 'force=true' to delete.");
    }
    const record = deletedRecord(recordOf(call, of, found.row, save, 'edit'));
    const refusal = stageIn(call.model, templates, deleteTemplateRevision(found.stored, save.id));
    return refusal ?? { body: { kind: 'record', record }, noAllow: true };
  };

const listAutosaves =
  (of: Of) =>
  (call: Call<Model>): Answer | Refusal => {
    const found = findIn(call, of, 'id');
    if (isRefusal(found)) return found;
    const records = autosavesOf(found.stored).map((save) => recordOf(call, of, found.row, save));
    return { body: { kind: 'list', records } };
  };

const showAutosave =
  (of: Of) =>
  (call: Call<Model>): Answer | Refusal => {
    const found = findIn(call, of);
    if (isRefusal(found)) return found;
    const [save] = autosavesOf(found.stored);
    return save === undefined
      ? refuse('rest_post_no_autosave', 'There is no autosave revision for this template.')
      : { body: { kind: 'record', record: recordOf(call, of, found.row, save) } };
  };

const keep =
  (of: Of) =>
  (call: Call<Session>): Answer | Refusal => {
    const found = findIn(call, of, 'id');
    if (isRefusal(found)) return found;
    const { model, viewer } = call;
    const { stored } = found;
    const own = autosaveOf(stored, viewer.id);
    const texts = own === undefined ? null : savedTexts(stored, own, model);
    const facts = { stored, texts, last: model.plugin(templates).last, actor: viewer.id };
    const refusal = stageIn(model, templates, autosaveTemplate(templateInput(of.type)(call), facts));
    if (refusal !== null) return refusal;
    const now = findIn(call, of, 'id');
    if (isRefusal(now)) return now;
    const save = autosaveOf(now.stored, viewer.id);
    if (save === undefined) throw new Error('the autosave that was stored is not there');
    return { body: { kind: 'record', record: recordOf(call, of, now.row, save, 'edit') } };
  };

function autosaveOf({ saves }: Template, author: number): TemplateSave | undefined {
  return saves.find((save) => save.isAutosave && save.author === author);
}

function recordOf(call: Call<Model>, of: Of, row: TemplateRow, save: TemplateSave, context?: Context): Rec {
  const { model } = call;
  const themeName = askedTheme(row, model, of).name;
  return templateRecord(rowOfSave(row, save, model), call, {
    themeName,
    ...(context === undefined ? {} : { context }),
  });
}
