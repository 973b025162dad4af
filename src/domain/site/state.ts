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

/** Records the settings the server was started with, when they are new. */
export function configureSite(site: Site | null, wanted: SiteSettings): readonly SiteEvent[] {
  if (site !== null) {
    const { configuredUrl, ...rest } = site;
    if (JSON.stringify({ ...rest, url: configuredUrl }) === JSON.stringify(wanted)) return [];
  }
  return [{ type: 'SiteConfigured', data: wanted }];
}

/** Gives the site another address; nothing when it has that already. */
export function moveSite(site: Site, url: string): readonly SiteEvent[] {
  return site.url === url ? [] : [{ type: 'SiteAddressChanged', data: { url } }];
}
