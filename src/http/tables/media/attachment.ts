import { sizeName } from '#domain/media/naming.ts';
import { alikeInShape, type Dimensions, fitted } from '#domain/media/sizes.ts';
import { isImageType, mainType } from '#domain/media/types.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/model.ts';
import { easeLoading } from '#text/images.ts';
import { normaliseReferences } from '#text/references.ts';
import { fileUrl, shownFile, sourceUrl } from './addresses.ts';

/** What is shown above an item's description: the image, a player, or a link to the file. */
export function attachmentHtml(row: MediaRow, model: Model): string {
  const url = sourceUrl(row, model);
  const kind = mainType(row.type);
  if (kind === 'video' || kind === 'audio') return player(kind, url);
  const inner = isImageType(row.type) && row.image !== null ? imageHtml(row, model) : row.title || row.name;
  return `<p class="attachment"><a href='${attribute(url)}'>${inner}</a></p>`;
}

/** The same as far as it is text, for an excerpt. */
export function attachmentText(row: MediaRow, model: Model): string {
  return isImageType(row.type) && row.image !== null ? '' : attachmentHtml(row, model);
}

/** Wider files are not offered where a smaller one is shown. */
const widest = 2048;
const medium: Dimensions = { width: 300, height: 300 };

interface Source extends Dimensions {
  readonly url: string;
}

function player(kind: string, url: string): string {
  return `<${kind} preload="metadata" controls="controls" src="${attribute(url)}"><a href="${attribute(url)}">${url}</a></${kind}>`;
}

/** The image in its medium size, and what else a browser may take for it. */
function imageHtml(row: MediaRow, model: Model): string {
  const all = sources(row, model);
  const own = all.find(({ name }) => name === 'medium') ?? all.at(-1);
  if (own === undefined) return '';
  const { width, height } = own.name === 'medium' ? own : { ...own, ...fitted(own, medium) };
  const image = [
    `<img width="${width}" height="${height}" src="${attribute(own.url)}" class="attachment-medium size-medium"`,
    `alt="${attribute(row.altText)}"${choices({ ...own, width, height }, all)} />`,
  ];
  return easeLoading(image.join(' '));
}

/** An image in its large size, with the others to choose from; '' for what is none. */
export function largeImage(row: MediaRow, model: Model): string {
  const all = sources(row, model);
  const own = all.find(({ name }) => name === 'large') ?? all.at(-1);
  if (own === undefined) return '';
  const size = `width="${own.width}" height="${own.height}"`;
  return `<img ${size} src="${attribute(own.url)}" alt="${attribute(row.altText)}"${choices(own, all)} decoding="async" fetchpriority="high">`;
}

/** The image in all its sizes, the whole one last. */
function sources(row: MediaRow, model: Model): readonly (Source & { readonly name: string })[] {
  const { image, shown, sizes } = row;
  if (image === null) return [];
  const { width, height } = shown ?? image;
  return [
    ...sizes.map((size) => ({ ...size, url: fileUrl(row, sizeName(row.name, size), model) })),
    { name: 'full', width, height, url: fileUrl(row, shownFile(row), model) },
  ];
}

function choices(own: Source, all: readonly Source[]): string {
  const alike = all.filter((source) => source.url === own.url || (source.width <= widest && alikeInShape(own, source)));
  const byWidth = new Map(alike.map((source) => [source.width, source]));
  byWidth.delete(own.width);
  if (byWidth.size === 0) return '';
  const set = [own, ...byWidth.values()].map(({ url, width }) => `${attribute(url)} ${width}w`).join(', ');
  return ` srcset="${set}" sizes="(max-width: ${own.width}px) 100vw, ${own.width}px"`;
}

function attribute(text: string): string {
  return normaliseReferences(text)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}
