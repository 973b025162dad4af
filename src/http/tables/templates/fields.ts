import { z } from 'zod';
import { blockVersion } from '#blocks/render.ts';
import { type TemplateType, templateTypes } from '#domain/templates/area.ts';
import type { WantedTemplate } from '#domain/templates/decide.ts';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import { asWriter, may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { baseOf } from '#site/design.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { resultOf } from '#text/prepared-texts.ts';
import type { Call, Context, Rec } from '../../engine/types.ts';
import { apply, only, text as sentText, storedMarkup } from '../entries/body.ts';
import { defineFields, type Field, type FieldSet, fieldConstructors, recordSchema } from '../records/field.ts';
import { described, editing, everywhere, whole } from '../records/property.ts';
import { partAreas } from '../themes/theme.ts';
import type { TemplateRow } from './find.ts';

interface TemplateKind {
  readonly type: TemplateType;
  readonly isRevision: boolean;
}

interface TemplateTypes {
  readonly kind: TemplateKind;
  readonly row: TemplateRow;
  readonly showing: {
    readonly model: Model;
    readonly viewer: Viewer;
    readonly themeName: string;
    readonly isEdit: boolean;
  };
  readonly model: Model;
  readonly input: WantedTemplate;
}

const words = () => z.string();
const raw = (description: string) => described(words(), description, { context: everywhere });
const date = (at: string | undefined, model: Model): JsonText =>
  at === undefined ? 'null' : asciiJson(toLocal(gmtNow(Date.parse(at)), model.site().timezone));

const { bool, field, int, text } = fieldConstructors<TemplateTypes>();

/** Every field of templates and their parts, in the order in which records have them. */
const fields: readonly Field<TemplateTypes>[] = [
  text('id', everywhere, 'ID of template.', { readonly: true, read: (row) => templateRecordId(row) }),
  text('theme', everywhere, 'Theme identifier for the template.', { readonly: true }),
  field('content', everywhere, 'Content of template.', {
    schema: () =>
      z
        .object({
          raw: raw('Content for the template, as it exists in the database.'),
          block_version: described(z.int(), 'Version of the content block format used by the template.', {
            context: editing,
            readonly: true,
          }),
        })
        .partial(),
    json: ({ content }, { isEdit }) =>
      isEdit
        ? `{"raw":${asciiJson(content)},"block_version":${blockVersion(content)}}`
        : `{"raw":${asciiJson(content)}}`,
    arg: () => ({ unchecked: true }),
    write: ({ sent, viewer }) => {
      const content = sentText(sent('content'));
      return only<WantedTemplate, 'content'>('content', apply(content, storedMarkup(viewer)));
    },
  }),
  text('slug', everywhere, 'Unique slug identifying the template.', { readonly: true }),
  text('source', everywhere, 'Source of template', {
    readonly: true,
    json: ({ stored }) => (stored === null ? '"theme"' : '"custom"'),
  }),
  field('origin', everywhere, 'Source of a customized template', {
    readonly: true,
    schema: () => words().nullable(),
    json: ({ stored, isOfTheme }) => (stored !== null && isOfTheme ? '"theme"' : 'null'),
  }),
  text('type', everywhere, 'Type of template.', { readonly: true }),
  text('description', everywhere, 'Description of template.', {
    write: ({ params, sent }) =>
      only<WantedTemplate, 'description'>(
        'description',
        typeof sent('description') === 'string' ? params['description'] : undefined,
      ),
  }),
  field('title', everywhere, 'Title of template.', {
    schema: () =>
      z
        .object({
          raw: raw('Title for the template, as it exists in the database.'),
          rendered: described(words(), 'HTML title for the template, transformed for display.', {
            context: everywhere,
            readonly: true,
          }),
        })
        .partial(),
    json: ({ title }) => `{"raw":${asciiJson(title)},"rendered":${resultOf('title', title)}}`,
    arg: () => ({ unchecked: true }),
    write: ({ sent }) => only<WantedTemplate, 'title'>('title', sentText(sent('title'))),
  }),
  text('status', everywhere, 'Status of template.', {
    readonly: true,
    json: ({ parent, stored }) =>
      parent !== undefined ? '"inherit"' : stored?.isTrashed === true ? '"trash"' : '"publish"',
  }),
  int('wp_id', everywhere, 'Post ID.', { readonly: true, read: ({ stored }) => stored?.number ?? 0 }),
  bool('has_theme_file', everywhere, 'Theme file exists.', { readonly: true, read: (row) => row.isOfTheme }),
  bool('is_custom', everywhere, 'Whether a template is a custom template.', {
    readonly: true,
    when: ({ type }) => type === 'wp_template',
    read: (row) => row.isCustom,
  }),
  text('area', everywhere, 'Where the template part is intended for use (header, footer, etc.)', {
    when: ({ type }) => type === 'wp_template_part',
    write: ({ params, sent }) =>
      only<WantedTemplate, 'area'>(
        'area',
        typeof sent('area') === 'string' ? knownArea(String(params['area'])) : undefined,
      ),
  }),
  int('author', everywhere, 'The ID for the author of the template.', {
    readonly: true,
    read: ({ stored }) => stored?.author ?? 0,
  }),
  text('author_text', everywhere, 'Human readable text for the author.', { readonly: true, json: authorJson }),
  field('original_source', everywhere, "Where the template originally comes from e.g. 'theme'", {
    readonly: true,
    schema: () => z.enum(['theme', 'plugin', 'site', 'user']),
    json: ({ isOfTheme, stored }) => (isOfTheme ? '"theme"' : stored?.author === 0 ? '"site"' : '"user"'),
  }),
  field('modified', whole, "The date the template was last modified, in the site's timezone.", {
    readonly: true,
    schema: () => words().nullable().meta({ format: 'date-time' }),
    json: ({ stored }, { model }) => date(stored?.modifiedAt, model),
  }),
  field('date', whole, "The date the template was published, in the site's timezone.", {
    readonly: true,
    schema: () => words().nullable().meta({ format: 'date-time' }),
    json: ({ stored }, { model }) => date(stored?.madeAt, model),
  }),
  int('parent', everywhere, 'The ID for the parent of the revision.', {
    readonly: true,
    when: ({ isRevision }) => isRevision,
    read: ({ parent = 0 }) => parent,
  }),
  { name: '_links', context: everywhere, json: linksJson },
];

export function templateRecord(
  row: TemplateRow,
  { params, model, viewer }: Pick<Call<Model>, 'params' | 'model' | 'viewer'>,
  { themeName, context = params['context'] as Context }: { readonly themeName: string; readonly context?: Context },
): Rec {
  const fields = row.parent === undefined ? templateFields(row.type) : revisionFields(row.type);
  return fields.record(context, row, { model, viewer, themeName, isEdit: context === 'edit' });
}

const fieldsOf = defineFields<TemplateTypes>(fields);
const kinds = Object.fromEntries(
  templateTypes.map((type) => [type, { own: { type, isRevision: false }, revision: { type, isRevision: true } }]),
) as Readonly<Record<TemplateType, { readonly own: TemplateKind; readonly revision: TemplateKind }>>;

export const templateFields = (type: TemplateType): FieldSet<TemplateTypes> => fieldsOf(kinds[type].own);
const revisionFields = (type: TemplateType): FieldSet<TemplateTypes> => fieldsOf(kinds[type].revision);

export const templateSchema = (type: TemplateType): unknown => recordSchema(type, templateFields(type).properties());
export const templateRevisionSchema = (type: TemplateType): unknown =>
  recordSchema(`${type}-revision`, revisionFields(type).properties());

export function templateRecordId({ theme, slug }: Pick<TemplateRow, 'theme' | 'slug'>): string {
  return `${theme}//${slug}`;
}

function knownArea(name: string): string {
  return partAreas.some(({ area }) => area === name) ? name : 'uncategorized';
}

function authorJson({ isOfTheme, stored }: TemplateRow, { model, themeName }: TemplateTypes['showing']): JsonText {
  if (isOfTheme || stored === null) return asciiJson(themeName);
  return asciiJson(model.user(stored.author)?.displayName ?? model.site().name);
}

function linksJson(row: TemplateRow, { model, viewer }: TemplateTypes['showing']): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const collection = `${rest}/${baseOf[row.type]}`;
  const parent = `${collection}/${asciiJson(templateRecordId(row)).slice(1, -1)}`;
  if (row.parent !== undefined) {
    const own = `${parent}/${row.isAutosave ? 'autosaves' : 'revisions'}/${row.stored?.number ?? 0}`;
    return `{"self":[{"href":"${own}"}],"parent":[{"href":"${parent}"}]}`;
  }
  const href = `"href":"${parent}"`;
  const actions = may(asWriter(viewer), 'edit_theme_options') ? ['publish', 'unfiltered-html'] : [];
  const links = [
    `"self":[{${href}}]`,
    `"collection":[{"href":"${collection}"}]`,
    `"about":[{"href":"${rest}/types/${row.type}"}]`,
    ...actions.map((action) => `"${prefix}:action-${action}":[{${href}}]`),
    curies,
  ];
  return `{${links.join()}}`;
}
