import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { changeSettings, type WantedSettings } from '#domain/site/decide.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { acceptedValue, settingNames } from '#domain/site/settings.ts';
import { configureSite, defaultSite, evolveSite, type Site, settingsOf } from '#domain/site/state.ts';

const facts = { userByEmail: (email: string) => (email === 'ada@example.org' ? 2 : 0) };
const started: Site = { ...defaultSite, name: 'A site', url: 'https://a.example', configuredUrl: 'https://a.example' };

const having = (site: Site, events: readonly SiteEvent[]) => events.reduce(evolveSite, site);
const change = (site: Site, wanted: WantedSettings) => {
  const events = changeSettings(site, wanted, facts);
  if (isRefusal(events)) throw new Error(events.code);
  return { events, site: having(site, events) };
};

const wanted: fc.Arbitrary<WantedSettings> = fc.record(
  {
    name: fc.option(fc.string()),
    timezone: fc.constantFrom('Europe/Berlin', 'UTC', 'Nowhere/At-All', 'europe/berlin', ''),
    startOfWeek: fc.option(fc.integer({ min: -9, max: 9 })),
    language: fc.constantFrom('en_US', '', 'xx', null),
    useSmilies: fc.option(fc.boolean()),
    postsPerPage: fc.option(fc.integer({ min: -9, max: 9 })),
    defaultCommentStatus: fc.constantFrom('open' as const, 'closed' as const, null),
    siteLogo: fc.option(fc.integer({ min: 0, max: 9 })),
    email: fc.constantFrom('ada@example.org', 'other@example.org', null),
  },
  { requiredKeys: [] },
);

describe('settings', () => {
  it('are not changed again by the same request', () => {
    fc.assert(
      fc.property(fc.array(wanted, { maxLength: 4 }), wanted, (before, last) => {
        const site = before.reduce<Site>((one, next) => {
          const events = changeSettings(one, next, facts);
          return isRefusal(events) ? one : having(one, events);
        }, started);
        const events = changeSettings(site, last, facts);
        if (isRefusal(events)) return;
        const again = changeSettings(having(site, events), last, facts);
        // Unsetting a setting without a value is refused, unless it has a default.
        expect(isRefusal(again) ? Object.values(last).includes(null) : again.length === 0).toBe(true);
      }),
    );
  });

  it('record only what changes', () => {
    const { events } = change(started, { name: 'Another', startOfWeek: 1, dateFormat: 'F j, Y' });
    expect(events).toEqual([{ type: 'SiteSettingsChanged', data: { name: 'Another' } }]);
  });

  it.each([
    ['timezone', 'Nowhere/At-All', 'UTC'],
    ['timezone', 'europe/berlin', 'UTC'],
    ['timezone', '+05:30', 'UTC'],
    ['timezone', 'Europe/Berlin', 'Europe/Berlin'],
    ['timezone', '', '+00:00'],
    ['language', 'xx', 'en_US'],
    ['language', '', ''],
    ['postsPerPage', 0, 1],
    ['postsPerPage', -1, -1],
    ['postsPerPage', -7, 7],
    ['startOfWeek', -3, 3],
    ['defaultPostFormat', 'anything', 'anything'],
  ] as const)('%s sent as %j is %j', (name, sent, stored) => {
    expect(acceptedValue(name, sent, started[name])).toBe(stored);
  });

  it('have an effective value when unset, and may be set again', () => {
    const { site } = change(started, { name: null, defaultCommentStatus: null });
    expect(site).toMatchObject({ name: '', defaultCommentStatus: 'closed' });
    expect(site.unset).toEqual(expect.arrayContaining(['name', 'defaultCommentStatus']));
    expect(change(site, { name: '' }).site.unset).not.toContain('name');
  });

  it('without a value can only be unset if they have a default', () => {
    expect(changeSettings(started, { siteLogo: null }, facts)).toMatchObject({ code: 'rest_invalid_stored_value' });
    expect(changeSettings(started, { language: null }, facts)).toEqual([]);
    const { site } = change(started, { postsPerPage: null });
    expect([site.postsPerPage, changeSettings(site, { postsPerPage: null }, facts)]).toEqual([10, []]);
  });

  it('record the mail address in an event of its own, with the user it belongs to', () => {
    const { events } = change(started, { email: 'ada@example.org', name: 'Ada' });
    expect(events).toEqual([
      { type: 'SiteSettingsChanged', data: { name: 'Ada' } },
      { type: 'SiteEmailChanged', data: { email: 'ada@example.org', user: 2 } },
    ]);
  });
});

describe('a start', () => {
  it('restores only the settings it is given', () => {
    const { site } = change(started, { name: 'Renamed', description: 'Told', startOfWeek: 4 });
    const events = configureSite(site, settingsOf(site, { name: 'A site' }, started.url));
    expect(events).toEqual([{ type: 'SiteConfigured', data: { name: 'A site' } }]);
    expect(having(site, events)).toMatchObject({ name: 'A site', description: 'Told', startOfWeek: 4 });
  });

  it('keeps settings unset, unless it gives another value', () => {
    const { site } = change(started, { name: null, description: null, defaultCategory: null });
    const same = having(site, configureSite(site, settingsOf(site, {}, started.url)));
    expect(same.unset).toEqual(site.unset);
    const named = having(site, configureSite(site, settingsOf(site, { name: 'Given' }, started.url)));
    expect(named.unset).toEqual(site.unset.filter((name) => name !== 'name'));
  });

  it('keeps an address that was changed since, unless it gives another one', () => {
    const moved = evolveSite(started, { type: 'SiteAddressChanged', data: { url: 'https://www.a.example' } });
    const kept = having(moved, configureSite(moved, { ...settingsOf(moved, {}, started.url), name: 'New' }));
    expect(kept).toMatchObject({ name: 'New', url: 'https://www.a.example', configuredUrl: 'https://a.example' });
    const elsewhere = having(moved, configureSite(moved, settingsOf(moved, { url: 'https://b.example' }, started.url)));
    expect(elsewhere).toMatchObject({ url: 'https://b.example', configuredUrl: 'https://b.example' });
  });
});

it('every setting has a value on a new site', () => {
  expect(settingNames.filter((name) => defaultSite[name] === undefined)).toEqual([]);
});
