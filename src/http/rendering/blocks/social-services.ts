import { BRAND } from '#text/brand.ts';
import icons from './social-icons.json' with { type: 'json' };

/** A place on the web that a link can lead to, with its icon: from Simple Icons (CC0), but for those of no service. */
export interface SocialService {
  readonly name: string;
  /** Drawn in a square of 24. */
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

/** The service with a name in texts; null for one that is not known. */
export function serviceOf(name: string): SocialService | null {
  if (name === BRAND.toLowerCase()) return { name: BRAND, path: paths['press'] ?? '' };
  const path = name === 'press' || !Object.hasOwn(paths, name) ? undefined : paths[name];
  return path === undefined ? null : { name: NAMES[name] ?? name[0]?.toUpperCase() + name.slice(1), path };
}

export const sharing: SocialService = { name: NAMES['share'] ?? '', path: paths['share'] ?? '' };
