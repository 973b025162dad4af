import { isImageType, mainType } from '#domain/media/types.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/model.ts';
import { easeLoading } from '#text/images.ts';
import { escapeAttribute } from '#text/references.ts';
import { sourceUrl } from './addresses.ts';
import { imageElement } from './image.ts';

/** The markup above an item's description: the image, a player, or a link to the file. */
export function attachmentHtml(row: MediaRow, model: Model): string {
  const url = sourceUrl(row, model);
  const kind = mainType(row.type);
  if (kind === 'video' || kind === 'audio') return player(kind, url);
  const isImage = isImageType(row.type) && row.image !== null;
  const inner = isImage ? easeLoading(imageElement(row, model, { size: 'medium' })) : row.title || row.name;
  return `<p class="attachment"><a href='${escapeAttribute(url)}'>${inner}</a></p>`;
}

export function attachmentText(row: MediaRow, model: Model): string {
  return isImageType(row.type) && row.image !== null ? '' : attachmentHtml(row, model);
}

function player(kind: string, url: string): string {
  const address = escapeAttribute(url);
  return `<${kind} preload="metadata" controls="controls" src="${address}"><a href="${address}">${url}</a></${kind}>`;
}
