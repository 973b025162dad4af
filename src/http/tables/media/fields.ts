import { z } from 'zod';
import { post } from '#domain/entry/kinds.ts';
import { writableStatuses } from '#domain/entry/vocabulary.ts';
import type { MediaFields } from '#domain/media/commands.ts';
import { slugFromTitle, uniqueMediaSlug } from '#domain/media/naming.ts';
import { isImageType } from '#domain/media/types.ts';
import { relationAddress } from '#domain/site/interface-names.ts';
import { plainLine } from '#domain/term/text.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkTemplate, mediaGuid, mediaLink, mediaUrl, sourceUrl } from '#site/addresses/items.ts';
import { captionJson, descriptionJson } from '#site/items/item.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call, Fault } from '../../engine/types.ts';
import { cleared, moment, named, only } from '../entries/body.ts';
import { checkMeta, notInVocabulary, wrongTypeOf } from '../entries/checks.ts';
import { entryField } from '../entries/fields.ts';
import { defineFields, type Field, type FieldRecord, fieldConstructors, recordSchema } from '../records/field.ts';
import { address, editing, everywhere, raw, rendered, whole } from '../records/property.ts';
import { mediaTexts } from './body.ts';
import { imageQuality, type MediaShowing, mediaDetails, mediaLinksJson, orientationOf } from './showing.ts';

export interface MediaTypes {
  readonly kind: FileKind;
  readonly row: MediaRow;
  readonly showing: MediaShowing;
  readonly model: Model;
  readonly input: MediaFields;
}

type FileKind = 'image' | 'file';
type MediaField = Field<MediaTypes>;

const alternative = named<MediaFields>('altText');
const ofImages = (kind: FileKind) => kind === 'image';

const quality = z.object({
  default: z.int().min(1).max(100).describe('Quality of sizes without one of their own.').optional(),
  sizes: z.unknown().meta({ type: 'object' }).describe('Quality of single sizes, by their names.').optional(),
});

const { bool, field, int, text } = fieldConstructors<MediaTypes>();

/** Every field of media items, in the order in which records have them. */
const fields: readonly MediaField[] = [
  {
    ...asOfPosts('id'),
    json: (row) => String(row.id),
  },
  {
    ...asOfPosts('date'),
    json: (row) => asciiJson(row.date),
    write: (call) => only('date', moment(call)),
  },
  {
    ...asOfPosts('slug'),
    json: (row) => asciiJson(row.slug),
    write: cleared('slug'),
  },
  {
    ...asOfPosts('type'),
    json: () => asciiJson(mediaKind),
  },
  {
    ...asOfPosts('link'),
    json: (row, { model, viewer }) => asciiJson(mediaLink(row, model, viewer)),
  },
  {
    ...asOfPosts('title'),
    json: (row, showing) => withRaw(row.title, row.titleJson, showing),
    arg: () => ({ unchecked: true }),
    write: (call) => only('title', mediaTexts(call).title),
  },
  {
    ...asOfPosts('author'),
    json: (row) => String(row.author),
    write: named('author'),
  },
  {
    ...asOfPosts('featured_media'),
    json: (row) => String(row.featuredMedia),
    write: cleared('featuredMedia'),
  },
  field('caption', everywhere, 'The attachment caption.', {
    schema: () =>
      z
        .object({
          raw: raw('Caption for the attachment', editing),
          rendered: rendered('HTML caption for the attachment', everywhere),
        })
        .partial(),
    json: (row, showing) => withRaw(row.caption, captionJson(row, showing), showing),
    arg: () => ({ unchecked: true }),
    write: (call) => only('caption', mediaTexts(call).caption),
  }),
  text('alt_text', everywhere, 'Alternative text to display when attachment is not displayed.', {
    read: (row) => row.altText,
    write: (call, name) => {
      const { altText } = alternative(call, name);
      return only('altText', altText === undefined ? undefined : plainLine(altText));
    },
  }),
  field('media_type', everywhere, 'Attachment type.', {
    readonly: true,
    schema: () => z.enum(['image', 'file']),
    json: (row) => (isImageType(row.type) ? '"image"' : '"file"'),
  }),
  text('mime_type', everywhere, 'The attachment MIME type.', { readonly: true, read: (row) => row.type }),
  {
    ...asOfPosts('date_gmt'),
    json: (row) => asciiJson(row.dateGmt),
  },
  {
    ...asOfPosts('guid'),
    json: (row, showing) => withRaw(mediaGuid(row, showing.model), asciiJson(mediaGuid(row, showing.model)), showing),
  },
  {
    ...asOfPosts('modified'),
    json: (row) => asciiJson(row.modified),
  },
  {
    ...asOfPosts('modified_gmt'),
    json: (row) => asciiJson(row.modifiedGmt),
  },
  {
    ...asOfPosts('status'),
    json: (row) => asciiJson(row.status ?? mediaStatus),
    arg: () => ({ check: checkMediaStatus }),
    write: statusWrite,
  },
  {
    ...asOfPosts('comment_status'),
    json: (row) => asciiJson(row.commentStatus),
    write: named('commentStatus'),
  },
  {
    ...asOfPosts('ping_status'),
    json: (row) => asciiJson(row.pingStatus),
    write: named('pingStatus'),
  },
  {
    ...asOfPosts('template'),
    json: () => '""',
    arg: () => ({ check: checkMediaTemplate }),
  },
  field('meta', whole, 'Meta fields.', {
    schema: () => z.object({}),
    json: () => '{}',
    arg: () => ({ check: checkMeta }),
  }),
  {
    ...asOfPosts('class_list'),
    json: (row) => asciiJson(classList(row)),
  },
  field('description', whole, 'The attachment description.', {
    schema: () =>
      z
        .object({
          raw: raw('Description for the attachment', editing),
          rendered: rendered('HTML description for the attachment', whole),
        })
        .partial(),
    json: (row, showing) => withRaw(row.description, descriptionJson(row, showing), showing),
    arg: () => ({ unchecked: true }),
    write: (call) => only('description', mediaTexts(call).description),
  }),
  {
    ...asOfPosts('permalink_template'),
    json: (row, { model, viewer }) => asciiJson(linkTemplate(row, model, viewer)),
  },
  {
    ...asOfPosts('generated_slug'),
    json: (row, { model }) => asciiJson(freshSlug(row, model)),
  },
  field('media_details', everywhere, 'Details about the media file, specific to its type.', {
    readonly: true,
    schema: () => z.looseObject({}),
    json: (row, { model }) => asciiJson(mediaDetails(row, model)),
  }),
  int('post', whole, 'The ID for the associated post of the attachment.', {
    json: (row) => (row.parent === 0 ? 'null' : String(row.parent)),
    write: named('parent'),
  }),
  text('source_url', everywhere, 'URL to the original attachment file.', {
    readonly: true,
    schema: address,
    read: (row, { model }) => sourceUrl(row, model),
  }),
  field('missing_image_sizes', editing, 'List of the missing image sizes of the attachment.', {
    readonly: true,
    schema: () => z.array(z.string()),
    json: (row) => asciiJson(row.missing),
  }),
  text('filename', whole, 'Original attachment file name.', { readonly: true, read: (row) => row.name }),
  int('filesize', whole, 'Attachment file size in bytes.', { readonly: true, read: (row) => row.bytes }),
  int('exif_orientation', editing, 'How the image has to be turned to be upright; 1: not at all.', {
    readonly: true,
    when: ofImages,
    read: (row) => orientationOf(row),
  }),
  field('image_output_format', editing, 'Type that the smaller sizes have; null: that of the image.', {
    readonly: true,
    when: ofImages,
    schema: () => z.string().nullable(),
    json: () => 'null',
  }),
  bool('image_save_progressive', editing, 'Whether the smaller sizes are saved as progressive images.', {
    readonly: true,
    when: ofImages,
    json: () => 'false',
  }),
  field('image_quality', editing, 'Quality with which the smaller sizes are saved.', {
    readonly: true,
    when: ofImages,
    schema: () => quality,
    json: (row) => asciiJson(imageQuality(row)),
  }),
  { name: '_links', context: everywhere, json: mediaLinksJson },
];

/** The order of the schema. Fields that it does not name come last. */
const listing = [
  'date date_gmt guid id link modified modified_gmt slug status type permalink_template generated_slug class_list',
  'title author featured_media comment_status ping_status template meta alt_text caption description media_type',
  'mime_type media_details post source_url',
].join(' ');

const fieldsOf = defineFields<MediaTypes>(fields, listing);

export const mediaFields = fieldsOf('image');

export function mediaRecord(row: MediaRow, showing: MediaShowing): FieldRecord {
  return fieldsOf(isImageType(row.type) ? 'image' : 'file').record(showing.context, row, showing);
}

function asOfPosts(name: string): Pick<MediaField, 'name' | 'context' | 'readonly' | 'description' | 'schema'> {
  const { context, readonly, description = '', schema } = entryField(name);
  if (schema === undefined) throw new Error(`${name} has no schema`);
  return { name, context, description, schema: () => schema(post), ...(readonly === undefined ? {} : { readonly }) };
}

/** `shown`: JSON. */
function withRaw(raw: string, shown: JsonText, { context }: MediaShowing): JsonText {
  return context === 'edit' ? `{"raw":${asciiJson(raw)},"rendered":${shown}}` : `{"rendered":${shown}}`;
}

function freshSlug({ id, title }: MediaRow, model: Model): string {
  const base = slugFromTitle(title, id);
  const endings = (stem: string) => model.slugEndings?.(stem, { kind: mediaKind, id, parent: -1 }) ?? [];
  return uniqueMediaSlug({ base, isTaken: (slug) => model.nameTaken(slug, id), endings });
}

/** Only the status `private` is stored; any other removes it. */
function statusWrite(call: Call<Model>, name: string): Partial<MediaFields> {
  const sent = call.sent(name);
  return typeof sent === 'string' ? { status: sent === 'private' ? 'private' : mediaStatus } : {};
}

function classList({ id, featuredMedia, status }: MediaRow): readonly string[] {
  const classes = [`post-${id}`, mediaKind, `type-${mediaKind}`, `status-${status ?? mediaStatus}`];
  return [...classes, ...(featuredMedia === 0 ? [] : ['has-post-thumbnail']), 'hentry'];
}

function checkMediaStatus(value: unknown, { params, model }: Call<Model>): Fault | null {
  if (typeof value !== 'string') return wrongTypeOf('status', 'string');
  const row = model.media(idFrom(params['id']));
  const isStored = row !== undefined && value === (row.status ?? mediaStatus);
  return isStored || (writableStatuses as readonly string[]).includes(value)
    ? null
    : notInVocabulary('status', writableStatuses);
}

function checkMediaTemplate(value: unknown): Fault | null {
  return value === '' ? null : { code: 'rest_invalid_param', message: 'template is not one of .', data: null };
}

export function mediaSchema(model: Model): unknown {
  const { names } = model.site();
  const href = `${mediaUrl(model)}/{id}`;
  const link = (action: string, title: string, properties: Record<string, unknown>) => ({
    rel: relationAddress(names, `action-${action}`),
    title,
    href,
    targetSchema: { type: 'object', properties },
  });
  return recordSchema('attachment', mediaFields.properties(), {
    links: [
      link('unfiltered-html', 'The current user can post unfiltered HTML markup and JavaScript.', {
        content: { raw: { type: 'string' } },
      }),
      link('assign-author', 'The current user can change the author on this post.', { author: { type: 'integer' } }),
    ],
  });
}
