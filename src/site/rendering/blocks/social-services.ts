import { BRAND } from '#text/brand.ts';
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

/** The service of a name in blocks; null if it is unknown. */
export function serviceOf(name: string): SocialService | null {
  if (name === BRAND.toLowerCase()) return { name: BRAND, path: paths['press'] ?? '' };
  const path = name === 'press' || !Object.hasOwn(paths, name) ? undefined : paths[name];
  return path === undefined ? null : { name: NAMES[name] ?? name[0]?.toUpperCase() + name.slice(1), path };
}

export const sharing: SocialService = { name: NAMES['share'] ?? '', path: paths['share'] ?? '' };
