import { sizeName } from '#domain/media/naming.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { fileUrl, shownFile, sourceUrl } from '#site/addresses/items.ts';

/** Details of an item's file (interface behaviour, section 22). */
export function mediaDetails(row: MediaRow, model: Model): Readonly<Record<string, unknown>> {
  const { image, shown, folder, name, source, sourceFile } = row;
  const sizes = sizesOf(row, model);
  if (image === null) return { filesize: row.bytes, sizes };
  const { width, height, bytes } = shown ?? { ...image, bytes: row.bytes };
  return {
    width,
    height,
    file: `${folder}/${shownFile(row)}`,
    filesize: bytes,
    sizes,
    image_meta: { ...noMeta, orientation: String(shown !== null && image.orientation > 1 ? 1 : image.orientation) },
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

/** Photographic data is not read from files; the fields always exist. */
const noMeta = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
  alt: '',
};

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
