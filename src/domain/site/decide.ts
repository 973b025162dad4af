import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { SiteEvent } from './events.ts';
import { acceptedValue, hasDefault, type SettingChanges, type SettingName, settingNames } from './settings.ts';
import type { Site } from './state.ts';

export interface WantedSettings extends SettingChanges {
  readonly email?: string | null;
}

export interface SettingFacts {
  /** The user with a mail address; 0: none. */
  readonly userByEmail: (email: string) => number;
}

/** Changes settings; values that are unchanged or cannot be stored add no events. */
export function changeSettings(
  site: Site,
  wanted: WantedSettings,
  facts: SettingFacts,
): readonly SiteEvent[] | Refusal {
  const unset = [...settingNames, 'email' as const].find((name) => isUnsetAgain(site, wanted, name));
  if (unset !== undefined) return invalidStored(unset);
  const changes = changesOf(site, wanted);
  const settings: SiteEvent[] =
    Object.keys(changes).length === 0 ? [] : [{ type: 'SiteSettingsChanged', data: changes as never }];
  return [...settings, ...emailChange(site, wanted.email, facts)];
}

function changesOf(site: Site, wanted: SettingChanges): SettingChanges {
  const changed = settingNames.flatMap((name): [SettingName, unknown][] => {
    const value = wanted[name];
    if (value === undefined) return [];
    const isUnset = site.unset.includes(name);
    if (value === null) return isUnset ? [] : [[name, null]];
    const present = site[name];
    const stored = acceptedValue(name, value, present);
    // A value that cannot be stored leaves the setting unset; one that equals the value in effect sets it.
    const isSame = stored === present && (!isUnset || stored !== value);
    return isSame ? [] : [[name, stored]];
  });
  return Object.fromEntries(changed);
}

function emailChange(site: Site, email: string | null | undefined, facts: SettingFacts): readonly SiteEvent[] {
  if (email === undefined || (email !== null && email === site.email && !site.unset.includes('email'))) return [];
  const user = email === null || email === '' ? 0 : facts.userByEmail(email);
  return [{ type: 'SiteEmailChanged', data: { email, user } }];
}

function isUnsetAgain(site: Site, wanted: WantedSettings, name: SettingName | 'email'): boolean {
  return wanted[name] === null && site.unset.includes(name) && (name === 'email' || !hasDefault(name));
}

function invalidStored(name: SettingName | 'email'): Refusal {
  return refuse('rest_invalid_stored_value', `The setting ${name} has no value, so that it cannot be unset.`);
}
