import type { SiteEvent } from './events.ts';

/** The site's settings as answers show them. */
export type Site = SiteEvent['data'];

/** The one stream of site-wide settings. */
export const siteStream = 'site';

export const defaultSite: Site = {
  url: 'http://localhost',
  name: '',
  description: '',
  timezone: 'UTC',
  defaultCategory: 1,
  templates: ['page-no-title'],
};

export function evolveSite(_site: Site, event: SiteEvent): Site {
  return event.data;
}

/** Records the settings the server was started with, when they are new. */
export function configureSite(site: Site | null, wanted: Site): readonly SiteEvent[] {
  return site !== null && JSON.stringify(site) === JSON.stringify(wanted)
    ? []
    : [{ type: 'SiteConfigured', data: wanted }];
}
