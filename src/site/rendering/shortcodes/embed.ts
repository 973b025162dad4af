import { hash } from 'node:crypto';
import { decodeReferences, escapeAttribute } from '#blocks/references.ts';
import { readWhole } from '#blocks/shortcodes/run.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { prices } from '#text/cost.ts';
import { frameAddress, isOwn, type Place, placeByUrl } from '../../addresses/place.ts';
import { shownTitle } from '../posts.ts';
import type { Here } from '../types.ts';

const USUAL = 500;
const LEAST = 200;
const MOST = 600;

/** Embeds a published item of this site in place of its address: a quotation, and a frame that shows more of it. */
export function embedOwn(address: string, { width = '' }: { readonly width?: string }, here: Here): string | null {
  const { model, cost } = here.rendering;
  if (!isOwn(address, model) || !cost.takes(prices.piece)) return null;
  const place = placeByUrl(address, model);
  return place === undefined ? null : card(place, { width: readWhole(width) || USUAL, here });
}

function card(place: Place, { width, here }: { readonly width: number; readonly here: Here }): string {
  const { model } = here.rendering;
  const title = place.type === 'attachment' ? String(JSON.parse(place.row.titleJson)) : shownTitle(place.row);
  const address = escapeAttribute(place.address);
  const [outer, inner] = [secretFor(`${here.post.id} ${address}`), secretFor(`frame ${here.post.id} ${address}`)];
  const name = escapeAttribute(`“${decodeReferences(stripMarkup(title))}” — ${model.site().name}`);
  const wide = Math.min(Math.max(width, LEAST), MOST);
  const high = Math.max(Math.ceil((wide * 9) / 16), LEAST);
  const frame = [
    'sandbox="allow-scripts" security="restricted" style="position: absolute; visibility: hidden;"',
    `title="${name}" src="${escapeAttribute(frameAddress(place, model))}#?secret=${inner}#?secret=${outer}" data-secret="${outer}"`,
    `width="${wide}" height="${high}" frameborder="0" marginwidth="0" marginheight="0" scrolling="no"`,
  ];
  const quotation = `<blockquote class="wp-embedded-content" data-secret="${outer}"><a href="${address}">${title}</a></blockquote>`;
  return `${quotation}\n<iframe loading="lazy" class="wp-embedded-content" ${frame.join(' ')}></iframe>`;
}

function secretFor(text: string): string {
  return hash('sha256', text, 'base64url').replace(/[-_]/g, '').slice(0, 10);
}
