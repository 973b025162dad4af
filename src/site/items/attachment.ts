import { isImageType, mainType } from '#domain/media/types.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { DYNAMIC } from '#text/dynamic.ts';
import { easeLoading } from '#text/images.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { escapeAttribute } from '#text/references.ts';
import { isGiven } from '#text/render.ts';
import { resultOf, type TextWork } from '#text/suspended.ts';
import { sourceUrl } from '../addresses/media.ts';
import { imageElement } from '../media/image.ts';
import { mediaPost } from '../rendering/posts.ts';
import type { TextRendering } from '../rendering/types.ts';

interface Showing {
  readonly model: Model;
  readonly rendering: TextRendering;
}

/** The description of a media item as shown, as JSON. */
export function descriptionJson(row: MediaRow, { model, rendering }: Showing): JsonText {
  const text = row.descriptionJson === DYNAMIC ? asciiJson(rendering.content(mediaPost(row))) : row.descriptionJson;
  return `${asciiJson(`${attachmentHtml(row, model)}\n`).slice(0, -1)}${text.slice(1)}`;
}

/** The caption of a media item as shown, as JSON. */
export function captionJson(row: MediaRow, { model, rendering }: Showing): JsonText {
  const file = attachmentText(row, model);
  const text = file === '' ? row.description : `${file}\n${row.description}`;
  const { job, texts } = captionWork(row.caption, text);
  const shown = resultOf(job, ...texts);
  return shown === DYNAMIC ? asciiJson(rendering.excerpt(mediaPost({ ...row, description: text }))) : shown;
}

/** `text`: what the caption is made of if none is given. */
export function captionWork(caption: string, text: string): TextWork {
  return { job: 'excerpt', texts: isGiven(caption) ? [caption, ''] : ['', text] };
}

/** The markup above an item's description: the image, a player, or a link to the file. */
function attachmentHtml(row: MediaRow, model: Model): string {
  const url = sourceUrl(row, model);
  const kind = mainType(row.type);
  if (kind === 'video' || kind === 'audio') return player(kind, url);
  const isImage = isImageType(row.type) && row.image !== null;
  const inner = isImage ? easeLoading(imageElement(row, model, { size: 'medium' })) : row.title || row.name;
  return `<p class="attachment"><a href='${escapeAttribute(url)}'>${inner}</a></p>`;
}

function attachmentText(row: MediaRow, model: Model): string {
  return isImageType(row.type) && row.image !== null ? '' : attachmentHtml(row, model);
}

function player(kind: string, url: string): string {
  const address = escapeAttribute(url);
  return `<${kind} preload="metadata" controls="controls" src="${address}"><a href="${address}">${url}</a></${kind}>`;
}
