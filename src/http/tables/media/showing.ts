import { sizeName } from '#domain/media/naming.ts';
import type { Recording, RecordingTags } from '#domain/media/recording.ts';
import { mainType } from '#domain/media/types.ts';
import { asWriter, may, type Viewer } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { fileUrl, mediaHostOf, shownFile, sourceUrl } from '#site/addresses/items.ts';
import type { TextRendering } from '#site/rendering/types.ts';
import { methodsForMedia } from '#site/rights.ts';
import type { JsonText } from '#text/json.ts';
import type { Context } from '../../engine/types.ts';

export interface MediaShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  readonly rendering: TextRendering;
}

export function mediaLinksJson(row: MediaRow, { model, viewer, context }: MediaShowing): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const self = `"href":"${rest}/media/${row.id}"`;
  const methods = methodsForMedia(viewer, row, model);
  const hints = methods.length === 0 ? '' : `,"targetHints":{"allow":${JSON.stringify(methods)}}`;
  const host = mediaHostOf(row, model);
  const writer = asWriter(viewer);
  const own = [
    ...(row.featuredMedia === 0
      ? []
      : [`"${prefix}:featuredmedia":[{"embeddable":true,"href":"${rest}/media/${row.featuredMedia}"}]`]),
    ...(host === null
      ? []
      : [
          `"${prefix}:attached-to":[{"embeddable":true,"post_type":"${host.host.kind}","id":${host.host.id},"href":"${rest}/${host.path}"}]`,
        ]),
    ...(context === 'edit' && may(writer, 'unfiltered_html') ? [`"${prefix}:action-unfiltered-html":[{${self}}]`] : []),
    ...(context === 'edit' && may(writer, 'edit_others_posts') ? [`"${prefix}:action-assign-author":[{${self}}]`] : []),
  ];
  const links = [
    `"self":[{${self}${hints}}]`,
    `"collection":[{"href":"${rest}/media"}]`,
    `"about":[{"href":"${rest}/types/attachment"}]`,
    `"author":[{"embeddable":true,"href":"${rest}/users/${row.author}"}]`,
    `"replies":[{"embeddable":true,"href":"${rest}/comments?post=${row.id}"}]`,
    ...own,
    ...(own.length === 0 ? [] : [curies]),
  ];
  return `{${links.join()}}`;
}

/** Details of an item's file (interface behaviour, section 22). */
export function mediaDetails(row: MediaRow, model: Model): Readonly<Record<string, unknown>> {
  const { image, shown, folder, name, source, sourceFile } = row;
  const sizes = sizesOf(row, model);
  if (image === null) return { filesize: row.bytes, ...recordingDetails(row), sizes };
  const { width, height, bytes } = shown ?? { ...image, bytes: row.bytes };
  return {
    width,
    height,
    file: `${folder}/${shownFile(row)}`,
    filesize: bytes,
    sizes,
    image_meta: imageMeta(row, image),
    ...(shown === null ? {} : { original_image: name }),
    ...(source === undefined ? {} : { parent_image: { attachment_id: String(source), file: sourceFile } }),
  };
}

/** Orientation of the image that is shown; 1: upright. */
export function orientationOf({ image, shown }: MediaRow): number {
  return shown === null ? image?.orientation || 1 : 1;
}

export function imageQuality({ type }: MediaRow): Readonly<Record<string, unknown>> {
  return { default: type === 'image/webp' ? 86 : 82, sizes: {} };
}

/** What a file of sound or film says about itself; only members that are known. */
function recordingDetails({ recording, type }: MediaRow): Readonly<Record<string, unknown>> {
  if (recording === undefined) return {};
  const { container: fileformat, type: mime_type, length, width, height, created: created_timestamp } = recording;
  const played = { fileformat, mime_type, length, length_formatted: length && clockOf(length), created_timestamp };
  if (mainType(type) === 'audio') return { ...soundDetails(recording), ...played, ...tagDetails(recording.tags) };
  const audio = recording.channels === undefined ? undefined : soundDetails(recording);
  return { ...played, width, height, dataformat: recording.sound, audio };
}

function soundDetails(recording: Recording): Readonly<Record<string, unknown>> {
  const { sound: dataformat, codec, encoder, channels, sampleRate, bitsPerSample, bitrate, lossless } = recording;
  const raw = (channels ?? 0) * (sampleRate ?? 0) * (bitsPerSample ?? 16);
  const { bitrateMode, channelMode } = recording;
  const constant = `CBR${Math.round((bitrate ?? 0) / 1000)}`;
  return {
    ...{ dataformat, codec, encoder, channels, sample_rate: sampleRate, bits_per_sample: bitsPerSample, bitrate },
    ...{ channelmode: channelMode, bitrate_mode: bitrateMode, lossless },
    encoder_options: dataformat === 'mp3' && bitrateMode ? { cbr: constant, vbr: 'VBR' }[bitrateMode] : undefined,
    compression_ratio: bitrate === undefined || raw === 0 ? undefined : bitrate / raw,
  };
}

function tagDetails(tags: RecordingTags = {}): Readonly<Record<string, unknown>> {
  const { trackNumber, totalTracks, copyright, ...rest } = tags;
  return { ...rest, track_number: trackNumber, totaltracks: totalTracks, copyright_message: copyright };
}

/** Seconds as `m:ss`, or `h:mm:ss` from an hour on. */
function clockOf(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padded = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}

/** What the header of an image said; the members always exist. */
function imageMeta({ photo = {}, shown }: MediaRow, { orientation }: NonNullable<MediaRow['image']>) {
  return {
    aperture: photo.aperture ?? '0',
    credit: photo.credit ?? '',
    camera: photo.camera ?? '',
    caption: photo.caption ?? '',
    created_timestamp: photo.created ?? '0',
    copyright: photo.copyright ?? '',
    focal_length: photo.focalLength ?? '0',
    iso: photo.iso ?? '0',
    shutter_speed: photo.shutterSpeed ?? '0',
    title: photo.title ?? '',
    orientation: shown !== null && orientation > 1 ? 1 : String(orientation),
    keywords: photo.keywords ?? [],
    alt: photo.alternative ?? '',
  };
}

/** The smaller sizes and the full one; empty if there are no smaller ones. */
function sizesOf(row: MediaRow, model: Model): Readonly<Record<string, unknown>> {
  const { sizes, image, type } = row;
  if (sizes.length === 0 || image === null) return {};
  const smaller = sizes.map((size) => {
    const file = sizeName(row.name, size);
    const { width, height, bytes: filesize } = size;
    return [size.name, { file, width, height, filesize, mime_type: type, source_url: fileUrl(row, file, model) }];
  });
  const { width, height } = row.shown ?? image;
  const full = { file: shownFile(row), width, height, mime_type: type, source_url: sourceUrl(row, model) };
  return { ...Object.fromEntries(smaller), full };
}
