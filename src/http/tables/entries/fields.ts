import { z } from 'zod';
import { termsIn } from '#domain/entry/classification.ts';
import { type EntryKind, type Feature, kindOf, post } from '#domain/entry/kinds.ts';
import { generatedSlug } from '#domain/entry/naming.ts';
import { formats, writableStatuses } from '#domain/entry/vocabulary.ts';
import { relationAddress } from '#domain/site/interface-names.ts';
import { allTermKinds, type TermKind, termKinds } from '#domain/term/kinds.ts';
import { seesSecrets } from '#domain/user/rights.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { collectionUrl, decodedSlug, guid, permalink, permalinkTemplate } from '#site/addresses/items.ts';
import { classList, termsByName } from '#site/entries/classes.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import type { Context } from '../../engine/types.ts';
import { contextsOf, defineFields, type FieldRecord, fieldConstructors, recordSchema } from '../records/field.ts';
import { address, dateTime, described, editing, everywhere, whole } from '../records/property.ts';
import { clamped, cleared, moment, named, only, writtenTerms } from './body.ts';
import { checkEntryStatus, checkEntryTemplate } from './checks.ts';
import { partMetaOf, syncStatusField } from './parts.ts';
import {
  type EntryField,
  type EntryShowing,
  type EntryTypes,
  entryLinksJson,
  ShownEntry,
  textVisibilityOf,
} from './showing.ts';
import { blocks, content, excerpt, meta, title } from './text-fields.ts';

const integerType = { type: 'integer' };

/** For text without characters that JSON must escape. */
const plain = (text: string): JsonText => `"${text}"`;
const integer = () => z.int();
const ids = () => z.array(z.int());
const nullableDate = () => z.string().nullable().meta({ format: 'date-time' });
const openness = () => z.enum(['open', 'closed']);
const hierarchical = (kind: EntryKind) => kind.hierarchical;
const viewable = ({ type }: EntryKind) => type.viewable;
const having = (feature: Feature) => (kind: EntryKind) => kind.features.has(feature);

const { bool, field, int, text } = fieldConstructors<EntryTypes>();

const ASKED = ['blocks'];

/** Every field of entries, in the order in which records have them. */
const fields: readonly EntryField[] = [
  int('id', everywhere, 'Unique identifier for the post.', { readonly: true }),
  field('date', everywhere, "The date the post was published, in the site's timezone.", {
    schema: nullableDate,
    json: (row) => plain(row.date),
    write: (call) => only('date', moment(call)),
  }),
  field('date_gmt', whole, 'The date the post was published, as GMT.', {
    schema: nullableDate,
    json: (row) => plain(row.dateGmt ?? row.modifiedGmt),
  }),
  field('guid', whole, 'The globally unique identifier for the post.', {
    readonly: true,
    schema: guidSchema,
    json: guidJson,
  }),
  text('modified', whole, "The date the post was last modified, in the site's timezone.", {
    readonly: true,
    schema: dateTime,
    json: (row) => plain(row.modified),
  }),
  text('modified_gmt', whole, 'The date the post was last modified, as GMT.', {
    readonly: true,
    schema: dateTime,
    json: (row) => plain(row.modifiedGmt),
  }),
  text('password', editing, 'A password to protect access to the content and excerpt.', {
    read: ({ password }, { showing }) => (seesSecrets(showing.viewer) ? password : ''),
    write: cleared('password'),
  }),
  text('slug', everywhere, 'An alphanumeric identifier for the post unique to its type.', { write: cleared('slug') }),
  field('status', (kind) => textVisibilityOf(kind).status, 'A named status for the post.', {
    schema: () => z.enum(writableStatuses),
    json: (row) => plain(row.status),
    arg: () => ({ check: checkEntryStatus }),
    write: named('status'),
  }),
  text('type', everywhere, 'Type of post.', { readonly: true, json: (row) => plain(row.kind) }),
  text('link', everywhere, 'URL to the post.', {
    readonly: true,
    schema: address,
    read: (row, { model }) => permalink(row, model),
  }),
  title,
  content,
  excerpt,
  int('author', everywhere, 'The ID for the author of the post.', { when: having('author'), write: named('author') }),
  int('featured_media', everywhere, 'The ID of the featured media for the post.', {
    when: having('image'),
    read: (row) => row.featuredMedia,
    write: cleared('featuredMedia'),
  }),
  int('parent', whole, 'The ID for the parent of the post.', { when: hierarchical, write: cleared('parent') }),
  int('menu_order', whole, 'The order of the post in relation to other posts.', {
    when: having('order'),
    read: (row) => row.menuOrder,
    write: clamped('menuOrder'),
    filter: {
      by: 'menuOrder',
      schema: integer().describe('Limit result set to posts with a specific menu_order value.'),
    },
  }),
  field('comment_status', whole, 'Whether or not comments are open on the post.', {
    when: having('discussion'),
    schema: openness,
    json: (row) => plain(row.commentStatus),
    write: named('commentStatus'),
  }),
  field('ping_status', whole, 'Whether or not the post can be pinged.', {
    when: having('discussion'),
    schema: openness,
    json: (row) => plain(row.pingStatus),
    write: named('pingStatus'),
  }),
  bool('sticky', whole, 'Whether or not the post should be treated as sticky.', {
    when: having('sticky'),
    write: cleared('sticky'),
  }),
  text('template', whole, 'The theme file to use to display the post.', {
    arg: (kind) => ({ check: checkEntryTemplate(kind) }),
    write: cleared('template'),
  }),
  field('format', whole, 'The format for the post.', {
    when: having('format'),
    schema: () => z.enum(formats),
    json: (row) => plain(row.format),
    write: named('format'),
  }),
  blocks,
  meta,
  ...allTermKinds.map(termField),
  syncStatusField,
  text('permalink_template', editing, 'Permalink template for the post.', {
    readonly: true,
    when: viewable,
    read: (row, { model }) => permalinkTemplate(row, model),
  }),
  text('generated_slug', editing, 'Slug automatically generated from the post title.', {
    readonly: true,
    when: viewable,
    read: (row, { model }) => decodedSlug(slugFromTitle(row, model)),
  }),
  field('class_list', whole, 'An array of the class names for the post container element.', {
    readonly: true,
    when: viewable,
    schema: () => z.array(z.string()),
    json: (row, { model }) => asciiJson(classList(row, model)),
  }),
  { name: '_links', context: everywhere, json: (row, { showing }) => entryLinksJson(row, showing) },
];

/** The order of the schema. Fields that it does not name come last. */
const listing = [
  'date date_gmt guid id link modified modified_gmt slug status type password permalink_template generated_slug',
  'class_list parent title content author excerpt featured_media comment_status ping_status menu_order format meta',
  'sticky template categories tags',
].join(' ');

export const entryFieldsOf = defineFields<EntryTypes>(fields, listing);

export function entryRecord(row: EntryRow, showing: EntryShowing): FieldRecord {
  const kind = kindOf(row.kind);
  const shown = new ShownEntry(row, { kind, partMeta: partMetaOf(kind) }, showing);
  return entryFieldsOf(kind).record(showing.context, row, shown, showing.asked?.blocks === true ? ASKED : undefined);
}

export function entryField(name: string): EntryField & { readonly context: readonly Context[] } {
  const field = fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`entries have no field ${name}`);
  return { ...field, context: contextsOf(field, post) };
}

function termField({ name: taxonomy, base }: TermKind): EntryField {
  return {
    name: base,
    context: whole,
    when: ({ taxonomies }) => taxonomies.includes(taxonomy),
    description: `The terms assigned to the post in the ${taxonomy} taxonomy.`,
    schema: ids,
    json: (row, { model }) => idsJson(termsIn(row, taxonomy), model),
    write: writtenTerms(taxonomy),
  };
}

function guidSchema(): z.ZodType {
  const part = (what: string, context: readonly Context[]) =>
    described(z.string(), `GUID for the post, ${what}.`, { context, readonly: true });
  return z
    .object({ raw: part('as it exists in the store', editing), rendered: part('transformed for display', whole) })
    .partial();
}

function guidJson(row: EntryRow, { model, isEdit }: ShownEntry): JsonText {
  const address = asciiJson(guid(row, model));
  return isEdit ? `{"rendered":${address},"raw":${address}}` : `{"rendered":${address}}`;
}

function idsJson(ids: readonly number[], model: Model): JsonText {
  return ids.length < 2
    ? `[${ids.join()}]`
    : `[${termsByName(ids, model)
        .map((term) => term.id)
        .join()}]`;
}

function slugFromTitle(row: EntryRow, model: Model): string {
  const kind = kindOf(row.kind);
  const owner = (parent: number) => ({ kind: row.kind, id: row.id, parent: kind.hierarchical ? parent : -1 });
  return generatedSlug(row, kind, {
    slugTaken: (slug, parent) => model.slugTaken(slug, owner(parent)),
    slugEndings: (stem, parent) => model.slugEndings?.(stem, owner(parent)) ?? [],
  });
}

export function entrySchema(kind: EntryKind, model: Model): unknown {
  const { names } = model.site();
  const href = `${collectionUrl(kind, model)}/{id}`;
  const link = (action: string, title: string, targets: Record<string, unknown>) => ({
    rel: relationAddress(names, `action-${action}`),
    title,
    href,
    targetSchema: { type: 'object', properties: targets },
  });
  const ids = { type: 'array', items: integerType };
  return recordSchema(kind.name, entryFieldsOf(kind).properties(), {
    links: [
      link('publish', 'The current user can publish this post.', {
        status: { type: 'string', enum: ['publish', 'future'] },
      }),
      link('unfiltered-html', 'The current user can post unfiltered HTML markup and JavaScript.', {
        content: { raw: { type: 'string' } },
      }),
      ...(kind.features.has('sticky')
        ? [link('sticky', 'The current user can sticky this post.', { sticky: { type: 'boolean' } })]
        : []),
      ...(kind.features.has('author')
        ? [link('assign-author', 'The current user can change the author on this post.', { author: integerType })]
        : []),
      ...kind.taxonomies.flatMap((taxonomy) => {
        const { base } = termKinds[taxonomy];
        return ['assign', 'create'].map((act) =>
          link(`${act}-${base}`, `The current user can ${act} terms in the ${taxonomy} taxonomy.`, { [base]: ids }),
        );
      }),
    ],
  });
}
