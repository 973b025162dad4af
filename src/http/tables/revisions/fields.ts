import { z } from 'zod';
import { DYNAMIC } from '#blocks/dynamic.ts';
import { renderRevisionExcerpt } from '#blocks/render.ts';
import { type EntryKind, entryKinds, kindOf } from '#domain/entry/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { urlThen } from '#site/addresses/items.ts';
import type { ShownRevision } from '#site/entries/revisions.ts';
import { revisionPost } from '#site/rendering/posts.ts';
import type { TextRendering } from '#site/rendering/types.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { resultOf } from '#text/prepared-texts.ts';
import type { Args, Context } from '../../engine/types.ts';
import { entryField } from '../entries/fields.ts';
import { textVisibilityOf } from '../entries/showing.ts';
import {
  defineFields,
  type Field,
  type FieldRecord,
  type FieldSet,
  fieldConstructors,
  recordSchema,
} from '../records/field.ts';
import { address, dateTime, editing, everywhere, whole } from '../records/property.ts';
import {
  contextArg,
  excludeArg,
  includeArg,
  inSecondPass,
  itemIdArg,
  offsetArg,
  orderArg,
  pagingArgs,
} from '../records/usual-args.ts';

/** `previewed`: an autosave, which has a preview link. `linked`: it has a parent. */
interface RevisionKind {
  readonly entry: EntryKind;
  readonly previewed: boolean;
  readonly linked: boolean;
}

interface How {
  readonly isEdit: boolean;
  readonly raw: boolean;
  readonly model: Model;
  readonly kind: EntryKind;
  readonly rendering: TextRendering;
}

export interface RevisionShowing extends Omit<How, 'isEdit' | 'raw'> {
  readonly context: Context;
}

interface RevisionTypes {
  readonly kind: RevisionKind;
  readonly row: ShownRevision;
  readonly showing: How;
  readonly model: Model;
  readonly input: object;
}
type RevisionField = Field<RevisionTypes>;

export interface RevisionShowing {
  readonly context: Context;
  readonly model: Model;
  readonly kind: EntryKind;
}

const { int, text } = fieldConstructors<RevisionTypes>();

/** Every field of revisions (interface behaviour, section 19), in the order in which records have them. */
const fields: readonly RevisionField[] = [
  int('author', everywhere, 'The ID for the author of the revision.'),
  text('date', everywhere, "The date the revision was published, in the site's timezone.", { schema: dateTime }),
  text('date_gmt', whole, 'The date the revision was published, as GMT.', {
    schema: dateTime,
    read: ({ dateGmt }) => dateGmt,
  }),
  int('id', everywhere, 'Unique identifier for the revision.'),
  text('modified', whole, "The date the revision was last modified, in the site's timezone.", { schema: dateTime }),
  text('modified_gmt', whole, 'The date the revision was last modified, as GMT.', {
    schema: dateTime,
    read: ({ modifiedGmt }) => modifiedGmt,
  }),
  int('parent', everywhere, 'The ID for the parent of the revision.'),
  text('slug', everywhere, 'An alphanumeric identifier for the revision unique to its type.'),
  { ...asOfEntry('guid'), json: guidJson },
  {
    ...asOfEntry('title'),
    json: ({ texts }, { raw }) => textJson(texts.title, resultOf('title', texts.title), raw),
  },
  {
    ...asOfEntry('content'),
    context: ({ entry }) => textVisibilityOf(entry).content,
    json: (shown, how) => textJson(shown.texts.content, contentOf(shown, how), how.raw),
  },
  {
    ...asOfEntry('excerpt'),
    when: ({ entry }) => entry.features.has('excerpt'),
    json: ({ texts }, { isEdit }) => textJson(texts.excerpt, asciiJson(renderRevisionExcerpt(texts.excerpt)), isEdit),
  },
  {
    ...asOfEntry('meta'),
    json: ({ texts }, { kind }) => (kind.features.has('meta') ? `{"footnotes":${asciiJson(texts.footnotes)}}` : '{}'),
  },
  text('preview_link', editing, 'Preview link for the post.', {
    readonly: true,
    when: ({ previewed }) => previewed,
    schema: address,
    read: ({ previewLink }) => previewLink ?? null,
  }),
  { name: '_links', context: everywhere, when: ({ linked }) => linked, json: linksJson },
];

const fieldsOf = defineFields<RevisionTypes>(fields, 'author date date_gmt guid');

export function revisionRecord(
  shown: ShownRevision,
  { context, model, rendering, kind }: RevisionShowing,
): FieldRecord {
  const fields = recordFields({ entry: kind, previewed: shown.previewLink !== undefined, linked: shown.parent !== 0 });
  const raw = textVisibilityOf(kind).raw.includes(context);
  return fields.record(context, shown, { isEdit: context === 'edit', raw, model, rendering, kind });
}

/** One value of each kind: fields are compiled once per value. */
const kinds = entryKinds.flatMap((entry) =>
  [false, true].flatMap((previewed) => [false, true].map((linked): RevisionKind => ({ entry, previewed, linked }))),
);

function recordFields({ entry, previewed, linked }: RevisionKind): FieldSet<RevisionTypes> {
  const kind = kinds.find((one) => one.entry === entry && one.previewed === previewed && one.linked === linked);
  if (kind === undefined) throw new Error(`${entry.name} is no kind of entry`);
  return fieldsOf(kind);
}

export function revisionSchema(entry: EntryKind, { previewed }: Pick<RevisionKind, 'previewed'>): () => unknown {
  const fields = recordFields({ entry, previewed, linked: true });
  return () => recordSchema(`${entry.name}-revision`, fields.properties());
}

function asOfEntry(name: string): Pick<RevisionField, 'name' | 'context' | 'readonly' | 'description' | 'schema'> {
  const { context, readonly, description = '', schema } = entryField(name);
  return {
    name,
    context,
    description,
    schema: ({ entry }: RevisionKind) => schema?.(entry) ?? z.unknown(),
    ...(readonly === undefined ? {} : { readonly }),
  };
}

function contentOf(shown: ShownRevision, { model, rendering }: How): JsonText {
  const { content, footnotes } = shown.texts;
  const json = resultOf('content', content, footnotes);
  return json === DYNAMIC ? asciiJson(rendering.content(revisionPost(shown, model))) : json;
}

function guidJson({ id }: ShownRevision, { model, isEdit }: How): JsonText {
  const address = `${urlThen(id, model)}/?p=${id}`;
  return asciiJson(isEdit ? { rendered: address, raw: address } : { rendered: address });
}

function textJson(raw: string, rendered: JsonText, isRaw: boolean): JsonText {
  return isRaw ? `{"raw":${asciiJson(raw)},"rendered":${rendered}}` : `{"rendered":${rendered}}`;
}

function linksJson({ parent }: ShownRevision, { model }: How): JsonText {
  const kind = model.entry(parent)?.kind;
  const { rest } = linkParts(model.site());
  return kind === undefined ? '{}' : `{"parent":[{"href":"${rest}/${kindOf(kind).base}/${parent}"}]}`;
}

const orders = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'];

const parent = inSecondPass(z.int().describe('The ID for the parent of the revision.'));
const id = itemIdArg('revision');

export const revisionCollectionArgs: Args<Model> = {
  parent,
  ...pagingArgs,
  per_page: { schema: z.int().min(1).max(100).describe('Maximum number of items to be returned in result set.') },
  exclude: excludeArg,
  include: includeArg,
  offset: offsetArg,
  order: orderArg('desc'),
  orderby: inSecondPass(z.enum(orders).default('date').describe('Sort collection by object attribute.')),
};

export const revisionItemArgs: Args<Model> = { parent, id, context: contextArg };

export const revisionDeleteArgs: Args<Model> = {
  parent,
  id,
  force: inSecondPass(
    z.boolean().default(false).describe('Required to be true, as revisions do not support trashing.'),
  ),
};

export const restoreArgs: Args<Model> = { parent, id };

export const diffArgs: Args<Model> = {
  parent,
  id,
  from: inSecondPass(z.int().describe('The revision to compare with. Default: the one before it.')),
};
