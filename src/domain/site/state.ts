import type { EventOf } from '#domain/kernel/event.ts';
import type { SiteConfigured, SiteEvent } from './events.ts';
import {
  initiallyUnset,
  initialSettings,
  type SettingChanges,
  type SettingName,
  type Settings,
  settingNames,
  unsetValue,
} from './settings.ts';

export type SiteSettings = Required<Configured>;
type Configured = EventOf<typeof SiteConfigured>['data'];

export interface Site extends Settings, Pick<SiteSettings, 'url' | 'templates' | 'menuLocations'> {
  /** The address given at the start; `url` differs from it if it was changed since. */
  readonly configuredUrl: string;
  /** Mail address of the site's administrators; `''`: none. */
  readonly email: string;
  readonly unset: readonly (SettingName | 'email')[];
  /** Addresses that the site had, the oldest first. Absent: none. */
  readonly earlierUrls?: readonly EarlierUrl[];
}

export interface EarlierUrl {
  readonly url: string;
  /** Entries and media items with lower ids were made before the next address. */
  readonly items: number;
  /** Comments with lower ids. */
  readonly comments: number;
}

/** The single stream of site-wide settings. */
export const siteStream = 'site';

export const defaultSite: Site = {
  ...initialSettings,
  url: 'http://localhost',
  templates: ['page-no-title'],
  menuLocations: [],
  configuredUrl: 'http://localhost',
  email: '',
  unset: initiallyUnset,
};

export function evolveSite(site: Site, event: SiteEvent): Site {
  switch (event.type) {
    case 'SiteConfigured':
      return configured(site, event.data);
    case 'SiteAddressChanged':
      return { ...site, url: event.data.url };
    case 'SiteSettingsChanged':
      return changed(site, event.data as SettingChanges);
    case 'SiteEmailChanged': {
      const { email } = event.data;
      const unset = site.unset.filter((name) => name !== 'email');
      return { ...site, email: email ?? '', unset: email === null ? [...unset, 'email'] : unset };
    }
    default:
      return event satisfies never;
  }
}

function configured(site: Site, data: Configured): Site {
  const isAsBefore = (name: string) => !(name in data) || data[name as keyof Configured] === site[name as keyof Site];
  return { ...site, ...data, configuredUrl: data.url ?? site.configuredUrl, unset: site.unset.filter(isAsBefore) };
}

function changed(site: Site, changes: SettingChanges): Site {
  const named = settingNames.filter((name) => changes[name] !== undefined);
  const kept = site.unset.filter((name) => !(named as string[]).includes(name));
  return {
    ...site,
    ...Object.fromEntries(named.map((name) => [name, changes[name] ?? unsetValue(name)])),
    unset: [...kept, ...named.filter((name) => changes[name] === null)],
  };
}

export type GivenSettings = { readonly [K in keyof SiteSettings]?: SiteSettings[K] | undefined };

/**
 * The settings of a site: those given at the start, otherwise from the log, otherwise defaults. An address that was derived from a server's
 * host and port is derived again from this server's.
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
    menuLocations: given.menuLocations ?? known.menuLocations,
  };
}

/** Records settings given at the start that are new. An address that was changed since remains, unless the start gives a different one. */
export function configureSite(site: Site | null, wanted: SiteSettings): readonly SiteEvent[] {
  if (site === null) return [{ type: 'SiteConfigured', data: wanted }];
  const changed = changedSettings(site, wanted);
  if (changed.length === 0) return [];
  const data = Object.fromEntries(changed.map(({ name }) => [name, wanted[name]]));
  return [{ type: 'SiteConfigured', data }];
}

export function changedSettings(site: Site, wanted: SiteSettings): readonly ChangedSetting[] {
  const before = { ...site, url: site.configuredUrl };
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

/** Changes the site's address; no events if it is unchanged. */
export function moveSite(site: Site, url: string): readonly SiteEvent[] {
  return site.url === url ? [] : [{ type: 'SiteAddressChanged', data: { url } }];
}

function isOfMachine(url: string, ownUrl: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && [new URL(ownUrl).hostname, 'localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
