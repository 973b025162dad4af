import { flagAt, isSet, textAt } from '#blocks/attributes.ts';
import { BRAND } from '#blocks/brand.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { Scope, ServerBlock } from '#blocks/server-blocks.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import type { Make } from '../types.ts';
import icons from './social-icons.json' with { type: 'json' };

/** A target of a social link with its icon. Icons of services are from Simple Icons (CC0). */
export interface SocialService {
  readonly name: string;
  /** An SVG path in a square of 24 units. */
  readonly path: string;
}

const paths: Readonly<Record<string, string>> = icons;

const NAMES: Readonly<Record<string, string>> = {
  fivehundredpx: '500px',
  chain: 'Link',
  codepen: 'CodePen',
  deviantart: 'DeviantArt',
  feed: 'RSS Feed',
  github: 'GitHub',
  lastfm: 'Last.fm',
  linkedin: 'LinkedIn',
  share: 'Share Icon',
  soundcloud: 'SoundCloud',
  tiktok: 'TikTok',
  vk: 'VK',
  whatsapp: 'WhatsApp',
  youtube: 'YouTube',
};

export const socialLink: Make = (block) => {
  const { name, attributes, scope } = block;
  const url = textAt(attributes, 'url') ?? '';
  if (!isSet(url)) return '';
  const service = textAt(attributes, 'service') ?? 'Icon';
  const known = serviceOf(service);
  const wrapper = wrapperAttributes(name, attributes, {
    classes: [`wp-social-link wp-social-link-${service}`, ...colourClasses(scope)],
    style: colourStyle(scope),
  });
  const label = (textAt(attributes, 'label') ?? '').trim() || (known ?? sharing).name;
  const hidden = scope.get('showLabels') === true ? '' : ' screen-reader-text';
  return (
    `<li ${wrapper}><a ${relations(block)}href="${escapeAddress(wholeAddress(url))}" class="wp-block-social-link-anchor">` +
    `${known === null ? drawnPlainly(sharing.path) : drawn(known.path)}` +
    `<span class="wp-block-social-link-label${hidden}">${escapeAttribute(label)}</span></a></li>`
  );
};

/** `rel` and `target`, before all other attributes. */
function relations({ attributes, scope }: ServerBlock): string {
  const rel = (textAt(attributes, 'rel') ?? '').trim();
  if (flagAt(new Map(scope), 'openInNewTab') === true) {
    return `rel="${escapeAttribute(`${rel} noopener nofollow`.trim())}" target="_blank" `;
  }
  return rel === '' ? '' : `rel="${escapeAttribute(rel)}" `;
}

function wholeAddress(url: string): string {
  if (/^[^\s@:/?#]+@[^\s@:/?#][^\s@:/?#.]*\.[^\s@:/?#]+$/.test(url)) return `mailto:${url}`;
  return /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(url) ? url : `https://${url}`;
}

function colourClasses(scope: Scope): string[] {
  const [colour, background] = [scope.get('iconColor'), scope.get('iconBackgroundColor')];
  return [
    ...(typeof colour === 'string' ? [`has-${colour}-color`] : []),
    ...(typeof background === 'string' ? [`has-${background}-background-color`] : []),
  ];
}

function colourStyle(scope: Scope): string {
  const [colour, background] = [scope.get('iconColorValue'), scope.get('iconBackgroundColorValue')];
  return [
    ...(typeof colour === 'string' ? [`color:${colour}`] : []),
    ...(typeof background === 'string' ? [`background-color:${background}`] : []),
  ].join(';');
}

function drawn(path: string): string {
  return `<svg width="24" height="24" viewBox="0 0 24 24" version="1.1" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" focusable="false"><path d="${path}"></path></svg>`;
}

function drawnPlainly(path: string): string {
  return `<svg width="24" height="24" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${path}"/></svg>`;
}

/** The service of a name in blocks; null if it is unknown. */
function serviceOf(name: string): SocialService | null {
  if (name === BRAND.toLowerCase()) return { name: BRAND, path: paths['press'] ?? '' };
  const path = name === 'press' || !Object.hasOwn(paths, name) ? undefined : paths[name];
  return path === undefined ? null : { name: NAMES[name] ?? name[0]?.toUpperCase() + name.slice(1), path };
}

const sharing: SocialService = { name: NAMES['share'] ?? '', path: paths['share'] ?? '' };
