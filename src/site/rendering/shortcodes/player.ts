import { escapeAddress, withParameter } from '#blocks/escape-address.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { ShortcodeAttributes } from '#blocks/shortcode.ts';
import { readWhole, saysYes } from '#blocks/shortcodes/run.ts';
import { typeOfExtension } from '#domain/media/types.ts';
import { sourceUrl } from '../../addresses/items.ts';
import type { Here, RenderShortcode } from '../types.ts';
import { firstAttached } from './attached.ts';

interface PlayerSource {
  readonly address: string;
  readonly type: string;
}

/** The contents of a player: sources in order, or just a link to a file that it cannot play. */
type FoundMedia = { readonly sources: readonly PlayerSource[] } | { readonly link: string };

/** Type of a page with a player of its own; null for any other address. */
export type TypeOfPage = (address: string) => string | null;

const audioEndings = ['mp3', 'ogg', 'flac', 'm4a', 'wav'];
const videoEndings = ['mp4', 'm4v', 'webm', 'ogv', 'flv'];
const YOUTUBE = /^https?:\/\/(?:www\.)?(?:youtube\.com\/watch|youtu\.be\/)/;
const VIMEO = /^https?:\/\/(?:.+\.)?vimeo\.com\/.*/;

/** The sources named by an audio or video shortcode, else the first such file attached to the post. */
function sourcesOf(
  attributes: ShortcodeAttributes,
  {
    endings,
    kind,
    typeOfPage,
  }: { readonly endings: readonly string[]; readonly kind: string; readonly typeOfPage: TypeOfPage },
  here: Here,
): FoundMedia {
  const given = attributes.get('src') ?? '';
  const pageType = given === '' ? null : typeOfPage(given);
  if (given !== '' && pageType === null && !endings.includes(endingOf(given))) return { link: given };
  const named = endings.flatMap((ending) => ({ ending, address: attributes.get(ending) ?? '' }));
  const hasOwn = given !== '' || named.some(({ ending, address }) => endingOf(address) === ending);
  const attached = hasOwn ? undefined : firstAttached(kind, here);
  if (!hasOwn && attached === undefined) return { sources: [] };
  const first = attached === undefined ? given : sourceUrl(attached, here.rendering.model);
  const addresses = [first, ...named.map(({ address }) => address)].filter((address) => address !== '');
  return {
    sources: addresses.map((address, i) => ({
      address,
      type: (i === 0 ? pageType : null) ?? typeOfExtension(endingOf(address)) ?? '',
    })),
  };
}

/** The contents of the player element: its sources, other content, and a link to the first source. */
function playerInside(sources: readonly PlayerSource[], number: number, content = ''): string {
  const all = sources.map(
    ({ address, type }) => `<source type="${type}" src="${escapeAddress(withParameter(address, '_', number))}" />`,
  );
  const first = escapeAddress(sources[0]?.address ?? '');
  return `${all.join('')}${content}<a href="${first}">${first}</a>`;
}

function fileLink(kind: string, address: string): string {
  return `<a class="wp-embedded-${kind}" href="${escapeAddress(address)}">${escapeAttribute(address)}</a>`;
}

/** Writes attributes: true as a bare name; '' and false are omitted, except for those in `kept`. */
function written(attributes: Readonly<Record<string, string | boolean>>, kept: readonly string[]): string {
  return Object.entries(attributes)
    .filter(([name, value]) => kept.includes(name) || (value !== false && value !== ''))
    .map(([name, value]) => (value === true ? name : `${name}="${escapeAttribute(String(value))}"`))
    .join(' ');
}

function playing(attributes: ShortcodeAttributes): Readonly<Record<'loop' | 'autoplay' | 'muted', boolean>> {
  const says = (name: string) => saysYes(attributes.get(name) ?? '');
  return { loop: says('loop'), autoplay: says('autoplay'), muted: says('muted') };
}

function endingOf(address: string): string {
  return /\.([a-z0-9]+)$/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

export const audio: RenderShortcode = ({ attributes }, here) => {
  const number = here.rendering.counters.next('audio');
  const found = sourcesOf(attributes, { endings: audioEndings, kind: 'audio', typeOfPage: () => null }, here);
  if ('link' in found) return fileLink('audio', found.link);
  if (found.sources.length === 0) return '';
  const element = written(
    {
      class: attributes.get('class') ?? 'wp-audio-shortcode',
      id: `audio-${here.post.id}-${number}`,
      ...playing(attributes),
      preload: attributes.get('preload') ?? 'none',
      style: attributes.get('style') ?? 'width: 100%;',
    },
    ['class', 'style'],
  );
  return `<audio ${element} controls="controls">${playerInside(found.sources, number)}</audio>`;
};

export const video: RenderShortcode = ({ attributes, content }, here) => {
  const number = here.rendering.counters.next('video');
  const found: FoundMedia = sourcesOf(attributes, { endings: videoEndings, kind: 'video', typeOfPage }, here);
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
