import { withParameter } from '#text/escape-address.ts';
import { readWhole } from '#text/shortcodes/whole.ts';
import type { RenderShortcode } from '../types.ts';
import { type FoundMedia, fileLink, type PlayerSource, playerInside, playing, sourcesOf, written } from './player.ts';

const endings = ['mp4', 'm4v', 'webm', 'ogv', 'flv'];
const YOUTUBE = /^https?:\/\/(?:www\.)?(?:youtube\.com\/watch|youtu\.be\/)/;
const VIMEO = /^https?:\/\/(?:.+\.)?vimeo\.com\/.*/;

export const video: RenderShortcode = ({ attributes, content }, here) => {
  const number = here.rendering.counters.next('video');
  const found: FoundMedia = sourcesOf(attributes, { endings, kind: 'video', typeOfPage }, here);
  if ('link' in found) return fileLink('video', found.link);
  if (found.sources.length === 0) return '';
  const [width, height] = [attributes.get('width') ?? '640', attributes.get('height') ?? '360'];
  const play = playing(attributes);
  const element = written(
    {
      class: attributes.get('class') ?? 'wp-video-shortcode',
      id: `video-${here.post.id}-${number}`,
      width: String(Math.abs(readWhole(width))),
      height: String(Math.abs(readWhole(height))),
      poster: attributes.get('poster') ?? '',
      ...play,
      preload: attributes.get('preload') ?? 'metadata',
    },
    ['class', 'width', 'height'],
  );
  const sources = found.sources.map((source) => playable(source, play.loop));
  const inside = playerInside(sources, number, (content ?? '').replace(/\r\n|[\n\t]/g, '').trim());
  const rule = width === '' || width === '0' ? '' : `width: ${readWhole(width)}px;`;
  return `<div style="${rule}" class="wp-video"><video ${element} controls="controls">${inside}</video></div>`;
};

function typeOfPage(address: string): string | null {
  if (YOUTUBE.test(address)) return 'video/youtube';
  return VIMEO.test(address) ? 'video/vimeo' : null;
}

function playable({ address, type }: PlayerSource, loops: boolean): PlayerSource {
  if (type === 'video/youtube') return { type, address: address.replace(/^http:/, 'https:') };
  const page = type === 'video/vimeo' ? URL.parse(address) : null;
  if (page === null) return { address, type };
  return { type, address: withParameter(`https://${page.host}${page.pathname}`, 'loop', loops ? 1 : 0) };
}
