import { sizeName } from '#domain/media/naming.ts';
import { alikeInShape, type Dimensions, fitted } from '#domain/media/sizes.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { fileUrl, shownFile } from '#site/addresses/media.ts';
import { canReadMedia } from '#site/rights/media.ts';

interface Source extends Dimensions {
  readonly file: string;
}

/**
 * The thumbnail in a description: the smallest uncropped file that is as wide as the description, else the full one, with the size
 * at which it is shown. Empty without a public image.
 */
export function thumbnail(id: number, model: Model, width: number): Readonly<Record<string, unknown>> {
  const row = id === 0 ? undefined : model.media(id);
  if (row === undefined || !canReadMedia(anonymous, row, model)) return {};
  const source = sourceFor(row, width);
  if (source === null) return {};
  const shown = fitted(source, { width, height: 0 });
  return {
    thumbnail_url: fileUrl(row, source.file, model),
    thumbnail_width: shown.width,
    thumbnail_height: shown.height,
  };
}

function sourceFor(row: MediaRow, width: number): Source | null {
  if (row.image === null) return null;
  const { width: fullWidth, height: fullHeight } = row.shown ?? row.image;
  const full = { width: fullWidth, height: fullHeight, file: shownFile(row) };
  const wideEnough = row.sizes
    .filter((size) => size.width >= width && alikeInShape(size, full))
    .sort((a, b) => a.width * a.height - b.width * b.height)[0];
  return wideEnough === undefined ? full : { ...wideEnough, file: sizeName(row.name, wideEnough) };
}
