import { slugFromTitle, uniqueMediaSlug } from '#domain/media/naming.ts';
import { isImageType } from '#domain/media/types.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/model.ts';
import { worked } from '#text/elsewhere.ts';
import { asciiJson } from '#text/json.ts';
import type { Context, JsonText, Rec } from '../../engine/types.ts';
import { linkTemplate, mediaLink, sourceUrl } from './addresses.ts';
import { attachmentHtml, attachmentText } from './attachment.ts';
import { imageQuality, mediaDetails, orientationOf } from './details.ts';
import { linksJson } from './relations.ts';

export interface Showing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  /** Without `_links`, as a deleted item is shown. */
  readonly bare?: true;
}

/** A media item as a record: every field's JSON on its own, made when it is asked for. */
export function mediaRecord(row: MediaRow, showing: Showing): Rec {
  const names = fieldNames(row, showing.context);
  return {
    names: showing.bare ? names.filter((name) => name !== '_links') : names,
    json: (name) => fields[name]?.(row, showing) ?? 'null',
  };
}

type Field = (row: MediaRow, showing: Showing) => JsonText;

const fields: Record<string, Field> = {
  id: (row) => String(row.id),
  date: (row) => asciiJson(row.date),
  date_gmt: (row) => asciiJson(row.dateGmt),
  guid: (row, showing) => text(sourceUrl(row, showing.model), asciiJson(sourceUrl(row, showing.model)), showing),
  modified: (row) => asciiJson(row.modified),
  modified_gmt: (row) => asciiJson(row.modifiedGmt),
  slug: (row) => asciiJson(row.slug),
  status: () => asciiJson(mediaStatus),
  type: () => asciiJson(mediaKind),
  link: (row, { model, viewer }) => asciiJson(mediaLink(row, model, viewer)),
  title: (row, showing) => text(row.title, row.titleJson, showing),
  author: (row) => String(row.author),
  featured_media: (row) => String(row.featuredMedia),
  comment_status: (row) => asciiJson(row.commentStatus),
  ping_status: (row) => asciiJson(row.pingStatus),
  template: () => '""',
  meta: () => '{}',
  permalink_template: (row, { model, viewer }) => asciiJson(linkTemplate(row, model, viewer)),
  generated_slug: (row, { model }) => asciiJson(freshSlug(row, model)),
  class_list: (row) => asciiJson(classList(row)),
  description: (row, showing) => text(row.description, describedJson(row, showing.model), showing),
  caption: (row, showing) => text(row.caption, captionJson(row, showing.model), showing),
  alt_text: (row) => asciiJson(row.altText),
  media_type: (row) => (isImageType(row.type) ? '"image"' : '"file"'),
  mime_type: (row) => asciiJson(row.type),
  media_details: (row, { model }) => asciiJson(mediaDetails(row, model)),
  post: (row) => (row.parent === 0 ? 'null' : String(row.parent)),
  source_url: (row, { model }) => asciiJson(sourceUrl(row, model)),
  missing_image_sizes: (row) => asciiJson(row.missing),
  filename: (row) => asciiJson(row.name),
  filesize: (row) => String(row.bytes),
  exif_orientation: (row) => String(orientationOf(row)),
  image_output_format: () => 'null',
  image_save_progressive: () => 'false',
  image_quality: (row) => asciiJson(imageQuality(row)),
  _links: (row, showing) => linksJson(row, showing),
};

const everywhere = 'id date slug type link title author featured_media caption alt_text media_type mime_type';
const inView =
  'date_gmt guid modified modified_gmt status comment_status ping_status template meta class_list description';
const names: Readonly<Record<Context, readonly string[]>> = {
  embed: words(`${everywhere} media_details source_url _links`),
  view: words(`${everywhere} ${inView} media_details post source_url filename filesize _links`),
  edit: words(
    `${everywhere} ${inView} permalink_template generated_slug media_details post source_url missing_image_sizes filename filesize exif_orientation image_output_format image_save_progressive image_quality _links`,
  ),
};
const ofImages = words('exif_orientation image_output_format image_save_progressive image_quality');

function fieldNames({ type }: MediaRow, context: Context): readonly string[] {
  const all = names[context];
  return isImageType(type) ? all : all.filter((name) => !ofImages.includes(name));
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** `shown`: JSON. */
function text(raw: string, shown: JsonText, { context }: Showing): JsonText {
  return context === 'edit' ? `{"raw":${asciiJson(raw)},"rendered":${shown}}` : `{"rendered":${shown}}`;
}

/** The file comes first, whatever is written about it. */
function describedJson(row: MediaRow, model: Model): JsonText {
  return `${asciiJson(`${attachmentHtml(row, model)}\n`).slice(0, -1)}${row.descriptionJson.slice(1)}`;
}

/** Without a caption, the beginning of what the description shows. */
function captionJson(row: MediaRow, model: Model): JsonText {
  return worked('excerpt', row.caption, `${attachmentText(row, model)}\n${row.description}`);
}

function freshSlug({ id, title }: MediaRow, model: Model): string {
  const base = slugFromTitle(title, id);
  const numbers = model.slugNumbers?.(base, { kind: mediaKind, id, parent: -1 });
  return uniqueMediaSlug(base, (slug) => model.nameTaken(slug, id), numbers);
}

function classList({ id, featuredMedia }: MediaRow): readonly string[] {
  const classes = [`post-${id}`, mediaKind, `type-${mediaKind}`, `status-${mediaStatus}`];
  return [...classes, ...(featuredMedia === 0 ? [] : ['has-post-thumbnail']), 'hentry'];
}
