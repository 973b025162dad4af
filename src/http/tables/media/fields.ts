import { z } from 'zod';
import { post } from '#domain/entry/kinds.ts';
import type { MediaFields } from '#domain/media/commands.ts';
import { slugFromTitle, uniqueMediaSlug } from '#domain/media/naming.ts';
import { isImageType } from '#domain/media/types.ts';
import { plainLine } from '#domain/term/text.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/model.ts';
import { DYNAMIC } from '#text/dynamic.ts';
import { asciiJson } from '#text/json.ts';
import { resultOf } from '#text/suspended.ts';
import { defineFields, type Field, type FieldRecord } from '../../engine/field.ts';
import { editing, everywhere, raw, rendered, whole } from '../../engine/property.ts';
import type { Call, JsonText } from '../../engine/types.ts';
import { mediaPost } from '../../rendering/posts.ts';
import { moment } from '../entries/body.ts';
import { checkMeta } from '../entries/checks.ts';
import { entryField } from '../entries/fields.ts';
import { cleared, named, only } from '../entries/write.ts';
import { linkTemplate, mediaLink, sourceUrl } from './addresses.ts';
import { attachmentHtml, attachmentText } from './attachment.ts';
import { captionWork, mediaTexts } from './body.ts';
import { checkStatus, checkTemplate } from './checks.ts';
import { imageQuality, mediaDetails, orientationOf } from './details.ts';
import { linksJson } from './relations.ts';
import type { Showing } from './showing.ts';

export interface MediaTypes {
  readonly kind: FileKind;
  readonly row: MediaRow;
  readonly showing: Showing;
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
    json: (row, showing) => text(row.title, row.titleJson, showing),
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
  {
    name: 'caption',
    context: everywhere,
    description: 'The attachment caption.',
    schema: () =>
      z
        .object({
          raw: raw('Caption for the attachment', editing),
          rendered: rendered('HTML caption for the attachment', everywhere),
        })
        .partial(),
    json: (row, showing) => text(row.caption, captionJson(row, showing), showing),
    arg: () => ({ unchecked: true }),
    write: (call) => only('caption', mediaTexts(call).caption),
  },
  {
    name: 'alt_text',
    context: everywhere,
    description: 'Alternative text to display when attachment is not displayed.',
    schema: () => z.string(),
    json: (row) => asciiJson(row.altText),
    write: (call, name) => {
      const { altText } = alternative(call, name);
      return only('altText', altText === undefined ? undefined : plainLine(altText));
    },
  },
  {
    name: 'media_type',
    context: everywhere,
    readonly: true,
    description: 'Attachment type.',
    schema: () => z.enum(['image', 'file']),
    json: (row) => (isImageType(row.type) ? '"image"' : '"file"'),
  },
  {
    name: 'mime_type',
    context: everywhere,
    readonly: true,
    description: 'The attachment MIME type.',
    schema: () => z.string(),
    json: (row) => asciiJson(row.type),
  },
  {
    ...asOfPosts('date_gmt'),
    json: (row) => asciiJson(row.dateGmt),
  },
  {
    ...asOfPosts('guid'),
    json: (row, showing) => text(sourceUrl(row, showing.model), asciiJson(sourceUrl(row, showing.model)), showing),
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
    arg: () => ({ check: checkStatus }),
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
    arg: () => ({ check: checkTemplate }),
  },
  {
    name: 'meta',
    context: whole,
    description: 'Meta fields.',
    schema: () => z.object({}),
    json: () => '{}',
    arg: () => ({ check: checkMeta }),
  },
  {
    ...asOfPosts('class_list'),
    json: (row) => asciiJson(classList(row)),
  },
  {
    name: 'description',
    context: whole,
    description: 'The attachment description.',
    schema: () =>
      z
        .object({
          raw: raw('Description for the attachment', editing),
          rendered: rendered('HTML description for the attachment', whole),
        })
        .partial(),
    json: (row, showing) => text(row.description, describedJson(row, showing), showing),
    arg: () => ({ unchecked: true }),
    write: (call) => only('description', mediaTexts(call).description),
  },
  {
    ...asOfPosts('permalink_template'),
    json: (row, { model, viewer }) => asciiJson(linkTemplate(row, model, viewer)),
  },
  {
    ...asOfPosts('generated_slug'),
    json: (row, { model }) => asciiJson(freshSlug(row, model)),
  },
  {
    name: 'media_details',
    context: everywhere,
    readonly: true,
    description: 'Details about the media file, specific to its type.',
    schema: () => z.looseObject({}),
    json: (row, { model }) => asciiJson(mediaDetails(row, model)),
  },
  {
    name: 'post',
    context: whole,
    description: 'The ID for the associated post of the attachment.',
    schema: () => z.int(),
    json: (row) => (row.parent === 0 ? 'null' : String(row.parent)),
    write: named('parent'),
  },
  {
    name: 'source_url',
    context: everywhere,
    readonly: true,
    description: 'URL to the original attachment file.',
    schema: () => z.string().meta({ format: 'uri' }),
    json: (row, { model }) => asciiJson(sourceUrl(row, model)),
  },
  {
    name: 'missing_image_sizes',
    context: editing,
    readonly: true,
    description: 'List of the missing image sizes of the attachment.',
    schema: () => z.array(z.string()),
    json: (row) => asciiJson(row.missing),
  },
  {
    name: 'filename',
    context: whole,
    readonly: true,
    description: 'Original attachment file name.',
    schema: () => z.string(),
    json: (row) => asciiJson(row.name),
  },
  {
    name: 'filesize',
    context: whole,
    readonly: true,
    description: 'Attachment file size in bytes.',
    schema: () => z.int(),
    json: (row) => String(row.bytes),
  },
  {
    name: 'exif_orientation',
    context: editing,
    readonly: true,
    when: ofImages,
    description: 'How the image has to be turned to be upright; 1: not at all.',
    schema: () => z.int(),
    json: (row) => String(orientationOf(row)),
  },
  {
    name: 'image_output_format',
    context: editing,
    readonly: true,
    when: ofImages,
    description: 'Type that the smaller sizes have; null: that of the image.',
    schema: () => z.string().nullable(),
    json: () => 'null',
  },
  {
    name: 'image_save_progressive',
    context: editing,
    readonly: true,
    when: ofImages,
    description: 'Whether the smaller sizes are saved as progressive images.',
    schema: () => z.boolean(),
    json: () => 'false',
  },
  {
    name: 'image_quality',
    context: editing,
    readonly: true,
    when: ofImages,
    description: 'Quality with which the smaller sizes are saved.',
    schema: () => quality,
    json: (row) => asciiJson(imageQuality(row)),
  },
  { name: '_links', context: everywhere, json: linksJson },
];

/** The order of the schema. Fields that it does not name come last. */
const listing = [
  'date date_gmt guid id link modified modified_gmt slug status type permalink_template generated_slug class_list',
  'title author featured_media comment_status ping_status template meta alt_text caption description media_type',
  'mime_type media_details post source_url',
].join(' ');

const fieldsOf = defineFields<MediaTypes>(fields, listing);

export const mediaFields = fieldsOf('image');

export function mediaRecord(row: MediaRow, showing: Showing): FieldRecord {
  return fieldsOf(isImageType(row.type) ? 'image' : 'file').record(showing.context, row, showing);
}

function asOfPosts(name: string): Pick<MediaField, 'name' | 'context' | 'readonly' | 'description' | 'schema'> {
  const { context, readonly, description = '', schema } = entryField(name);
  if (schema === undefined) throw new Error(`${name} has no schema`);
  return { name, context, description, schema: () => schema(post), ...(readonly === undefined ? {} : { readonly }) };
}

/** `shown`: JSON. */
function text(raw: string, shown: JsonText, { context }: Showing): JsonText {
  return context === 'edit' ? `{"raw":${asciiJson(raw)},"rendered":${shown}}` : `{"rendered":${shown}}`;
}

function describedJson(row: MediaRow, { model, rendering }: Showing): JsonText {
  const text = row.descriptionJson === DYNAMIC ? asciiJson(rendering.content(mediaPost(row))) : row.descriptionJson;
  return `${asciiJson(`${attachmentHtml(row, model)}\n`).slice(0, -1)}${text.slice(1)}`;
}

function captionJson(row: MediaRow, { model, rendering }: Showing): JsonText {
  const file = attachmentText(row, model);
  const text = file === '' ? row.description : `${file}\n${row.description}`;
  const { job, texts } = captionWork(row.caption, text);
  const shown = resultOf(job, ...texts);
  return shown === DYNAMIC ? asciiJson(rendering.excerpt(mediaPost({ ...row, description: text }))) : shown;
}

function freshSlug({ id, title }: MediaRow, model: Model): string {
  const base = slugFromTitle(title, id);
  const numbers = model.slugNumbers?.(base, { kind: mediaKind, id, parent: -1 });
  return uniqueMediaSlug(base, (slug) => model.nameTaken(slug, id), numbers);
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
