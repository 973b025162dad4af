import type { NamedImage } from '#blocks/images.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { sizeName } from '#domain/media/naming.ts';
import { alikeInShape, boxOf, type Dimensions, fitted } from '#domain/media/sizes.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { fileUrl, shownFile } from '../addresses/items.ts';

export interface ImageOptions {
  /** Name of a size; for an unknown one the full image is used. */
  readonly size: string;
  readonly classes?: string;
  /** Default: that of the image. */
  readonly alt?: string;
  /** Attributes after `alt`. */
  readonly more?: Readonly<Record<string, string>>;
}

export interface ImageFile extends Dimensions {
  readonly url: string;
}

/** Maximum width of the alternatives that are offered beside a smaller file. */
const widest = 2048;

/** The element for an image in a size, with alternative files for browsers to choose from; '' if the item is not an image. */
export function imageElement(row: MediaRow, model: Model, options: ImageOptions): string {
  const own = imageFile(row, model, options.size);
  if (own === null) return '';
  const { size, classes = '', alt = row.altText, more = {} } = options;
  const names = `attachment-${size} size-${size}${classes === '' ? '' : ` ${classes}`}`;
  const written = { class: names, alt, ...more };
  const attributes = Object.entries(written).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  const source = `width="${own.width}" height="${own.height}" src="${escapeAttribute(own.url)}"`;
  return `<img ${source}${attributes.join('')}${choices(own, filesOf(row, model))} />`;
}

/** An image in its large size, with alternatives, to be loaded first; '' if the item is not an image. */
export function largeImage(row: MediaRow, model: Model): string {
  const files = filesOf(row, model);
  const own = files.find(({ name }) => name === 'large') ?? files.at(-1);
  if (own === undefined) return '';
  const source = `width="${own.width}" height="${own.height}" src="${escapeAttribute(own.url)}"`;
  return `<img ${source} alt="${escapeAttribute(row.altText)}"${choices(own, files)} decoding="async" fetchpriority="high">`;
}

/** The file for an image in a size; null if the item is not an image. */
export function imageFile(row: MediaRow, model: Model, size: string): ImageFile | null {
  const files = filesOf(row, model);
  const full = files.at(-1);
  if (full === undefined) return null;
  const cut = files.find(({ name }) => name === size);
  const box = boxOf(size);
  return cut ?? (box === undefined ? full : { ...full, ...fitted(full, box) });
}

function filesOf(row: MediaRow, model: Model): readonly (ImageFile & { readonly name: string })[] {
  const { image, shown, sizes } = row;
  if (image === null) return [];
  const { width, height } = shown ?? image;
  return [
    ...sizes.map((size) => ({ ...size, url: fileUrl(row, sizeName(row.name, size), model) })),
    { name: 'full', width, height, url: fileUrl(row, shownFile(row), model) },
  ];
}

/** The image of an item as a text shows it that names one of its files by address; null if it names none. */
export function namedImage(row: MediaRow, address: string, model: Model): NamedImage | null {
  const files = filesOf(row, model);
  const isOf = ({ url }: ImageFile) => address.includes(url.slice(url.lastIndexOf(`/${row.folder}/`) + 1));
  const own = files.find(isOf);
  if (own === undefined) return null;
  const isMoving = row.type === 'image/gif';
  // The smaller files of a moving image stand still.
  const among = isMoving ? files.filter(({ name }) => name !== 'full') : files;
  return {
    width: own.width,
    height: own.height,
    choices: (width, height) => (isMoving && own.name === 'full' ? null : setOf(own, { width, height }, among)),
  };
}

/** The value of `srcset`; null if there is only one file. `own`: the file that is shown, in a size. */
function setOf(own: ImageFile, shown: Dimensions, all: readonly ImageFile[]): string | null {
  const alike = all.filter((file) => alikeInShape(shown, file) && (file.url === own.url || file.width <= widest));
  const byWidth = new Map(alike.map((file) => [file.width, file]));
  if (byWidth.size < 2) return null;
  const isOwn = byWidth.get(own.width)?.url === own.url;
  if (isOwn) byWidth.delete(own.width);
  const ordered = [...(isOwn ? [own] : []), ...byWidth.values()];
  return ordered.map(({ url, width }) => `${escapeAttribute(url.replaceAll(' ', '%20'))} ${width}w`).join(', ');
}

function choices(own: ImageFile, all: readonly ImageFile[]): string {
  const alike = all.filter((file) => file.url === own.url || (file.width <= widest && alikeInShape(own, file)));
  const byWidth = new Map(alike.map((file) => [file.width, file]));
  byWidth.delete(own.width);
  if (byWidth.size === 0) return '';
  const set = [own, ...byWidth.values()].map(({ url, width }) => `${escapeAttribute(url)} ${width}w`).join(', ');
  return ` srcset="${set}" sizes="(max-width: ${own.width}px) 100vw, ${own.width}px"`;
}
