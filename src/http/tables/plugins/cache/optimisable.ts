import { createHash } from 'node:crypto';
import type { NamedFile } from '#domain/kernel/event.ts';
import { sizeName } from '#domain/media/naming.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { mediaKind, mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import { shownFile } from '#site/addresses/media.ts';

/** Types of images that optimisers accept. */
const types: readonly string[] = ['image/jpeg', 'image/png', 'image/gif'];

export interface OptimisableFile extends NamedFile, Dimensions {
  readonly name: string;
}

export function optimisableImage(model: Model, id: number): MediaRow | undefined {
  const row = model.media(id);
  return row !== undefined && types.includes(row.type) ? row : undefined;
}

/** The files of an image that pages show: the image or the one shown in its place, and its sizes. */
export function optimisableFiles(row: MediaRow): readonly OptimisableFile[] {
  const { image, hash, bytes, shown, sizes } = row;
  const main = shown ?? (image && { ...image, hash, bytes });
  if (main === null) return [];
  return [{ ...main, name: shownFile(row) }, ...sizes.map((size) => ({ ...size, name: sizeName(row.name, size) }))];
}

/** The digest by which optimisers identify a file. */
export function sourceDigest({ hash }: NamedFile): string {
  return createHash('md5').update(hash).digest('hex');
}

export function optimisableImages(model: Model): readonly number[] {
  return model.present().find({
    kind: mediaKind,
    statuses: [{ status: mediaStatus }],
    taxonomies: [{ by: 'format', formats: types }],
    orderBy: 'id',
    order: 'asc',
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }).ids;
}
