import { escapeAttribute } from '#blocks/references.ts';
import type { ShortcodeAttributes } from '#blocks/shortcode.ts';
import { saysYes } from '#blocks/shortcodes/run.ts';
import { typeOfExtension } from '#domain/media/types.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { asciiJson } from '#text/json.ts';
import { sourceUrl } from '../../addresses/items.ts';
import { imageFile } from '../../media/image.ts';
import { isPrivate } from '../../rights.ts';
import type { RenderShortcode } from '../types.ts';
import { attachedBy } from './attached.ts';

const drawn = (path: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 64"><path d="${path}"/></svg>`)}`;
const NOTE = drawn('M18 14h18v26a6 6 0 1 1-4-5.700V20H22v24a6 6 0 1 1-4-5.700z');
const REEL = drawn('M8 16h32v32H8zM20 25v14l12-7z');

const WIDTH = 640;
const HEIGHT = 360;

export const playlist: RenderShortcode = (shortcode, here) => {
  const { attributes } = shortcode;
  const type = (attributes.get('type') ?? 'audio') === 'audio' ? 'audio' : 'video';
  const { items, isNamed } = attachedBy(shortcode, type, here);
  const { model, viewer } = here.rendering;
  // Anonymous requests get only lists that name their items, as in the reference system.
  if (items.length === 0 || (!isNamed && viewer.id === anonymous.id)) return '';
  const shown = {
    type,
    tracklist: says(attributes, 'tracklist'),
    tracknumbers: says(attributes, 'tracknumbers'),
    images: says(attributes, 'images'),
    artists: says(attributes, 'artists'),
  };
  const tracks = items.map((row) => track(row, shown, model));
  const links = items.map((row) => `<li><a href='${sourceUrl(row, model)}'>${row.title || row.name}</a></li>`);
  const lines = [
    `<div class="wp-playlist wp-${type}-playlist wp-playlist-${escapeAttribute(attributes.get('style') ?? 'light')}">`,
    ...(type === 'audio' ? ['\t\t\t<div class="wp-playlist-current-item"></div>'] : []),
    `\t\t<${type} controls="controls" preload="none" width="${WIDTH}"`,
    `\t\t${type === 'video' ? ` height="${HEIGHT}"` : ''}\t></${type}>`,
    '\t<div class="wp-playlist-next"></div>\n\t<div class="wp-playlist-prev"></div>\n\t<noscript>\n\t<ol>',
    `\t\t${links.join('')}\t</ol>\n\t</noscript>`,
    `\t<script type="application/json" class="wp-playlist-script">${json({ ...shown, tracks })}</script>\n</div>\n\t`,
  ];
  return lines.join('\n');
};

function says(attributes: ShortcodeAttributes, name: string): boolean {
  return saysYes(attributes.get(name) ?? 'true');
}

function track(row: MediaRow, { type, images }: { readonly type: string; readonly images: boolean }, model: Model) {
  const dimensions = { width: WIDTH, height: HEIGHT };
  return {
    src: sourceUrl(row, model),
    type: typeOfExtension(row.name.slice(row.name.lastIndexOf('.') + 1)) ?? row.type,
    title: row.title,
    caption: row.caption,
    description: row.description,
    meta: { length_formatted: '0:00' },
    ...(type === 'video' ? { dimensions: { original: dimensions, resized: dimensions } } : {}),
    ...(images ? picturesOf(row, model) : {}),
  };
}

/** The featured image in two sizes, or else an icon for audio or video. */
function picturesOf({ featuredMedia, type }: MediaRow, model: Model) {
  const sign = { src: type.startsWith('audio/') ? NOTE : REEL, width: 48, height: 64 };
  const row = featuredMedia === 0 ? undefined : model.media(featuredMedia);
  const picture = (size: string) => {
    const file = row === undefined || isPrivate(row) ? null : imageFile(row, model, size);
    return file === null ? sign : { src: file.url, width: file.width, height: file.height };
  };
  return { image: picture('full'), thumb: picture('thumbnail') };
}

function json(value: unknown): string {
  return asciiJson(value).replaceAll('<', '\\u003C').replaceAll('>', '\\u003E');
}
