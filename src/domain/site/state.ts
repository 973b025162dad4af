import type { EventOf } from '#domain/kernel/event.ts';
import type { SiteConfigured, SiteEvent } from './events.ts';

/** Settings that a server is started with. */
export type SiteSettings = EventOf<typeof SiteConfigured>['data'];

/** The site's settings as answers show them. */
export interface Site extends SiteSettings {
  /** The address it was started with, which `url` differs from when that was changed since. */
  readonly configuredUrl: string;
}

/** The one stream of site-wide settings. */
export const siteStream = 'site';

export const defaultSite: Site = {
  url: 'http://localhost',
  name: '',
  description: '',
  timezone: 'UTC',
  defaultCategory: 1,
  templates: ['page-no-title'],
  configuredUrl: 'http://localhost',
};

export function evolveSite(site: Site, event: SiteEvent): Site {
  if (event.type === 'SiteAddressChanged') return { ...site, url: event.data.url };
  return { ...event.data, configuredUrl: event.data.url };
}

/** What somebody who starts a server says of the site. */
export type GivenSettings = { readonly [K in keyof SiteSettings]?: SiteSettings[K] | undefined };

/**
 * The settings of a site: what was said at the start, else what the log has, else the defaults. An address that followed from
 * a server's host and port follows from those of this one.
 */
export function settingsOf(site: Site | null, given: GivenSettings, ownUrl: string): SiteSettings {
  const known = site ?? { ...defaultSite, name: 'Palimpsest' };
  const url = site === null || isOfMachine(site.configuredUrl, ownUrl) ? ownUrl : site.configuredUrl;
  return {
    url: given.url ?? url,
    name: given.name ?? known.name,
    description: given.description ?? known.description,
    timezone: given.timezone ?? known.timezone,
    defaultCategory: given.defaultCategory ?? known.defaultCategory,
    templates: given.templates ?? known.templates,
  };
}

/** Records the settings the server was started with, when they are new. */
export function configureSite(site: Site | null, wanted: SiteSettings): readonly SiteEvent[] {
  const configured: SiteEvent = { type: 'SiteConfigured', data: wanted };
  if (site === null) return [configured];
  if (changedSettings(site, wanted).length === 0) return [];
  // An address that was changed since stays, unless it is the address that is said to be another now.
  const isMoved = site.url !== site.configuredUrl && wanted.url === site.configuredUrl;
  return isMoved ? [configured, { type: 'SiteAddressChanged', data: { url: site.url } }] : [configured];
}

/** Settings that are not what the log says, with what they were. */
export function changedSettings(site: Site, wanted: SiteSettings): readonly ChangedSetting[] {
  const { configuredUrl: url, ...rest } = site;
  const before: SiteSettings = { ...rest, url };
  const names = Object.keys(wanted) as (keyof SiteSettings)[];
  return names
    .map((name) => ({ name, was: String(before[name]), is: String(wanted[name]) }))
    .filter(({ was, is }) => was !== is);
}

export interface ChangedSetting {
  readonly name: keyof SiteSettings;
  readonly was: string;
  readonly is: string;
}

/** Gives the site another address; nothing when it has that already. */
export function moveSite(site: Site, url: string): readonly SiteEvent[] {
  return site.url === url ? [] : [{ type: 'SiteAddressChanged', data: { url } }];
}

function isOfMachine(url: string, ownUrl: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && [new URL(ownUrl).hostname, 'localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
