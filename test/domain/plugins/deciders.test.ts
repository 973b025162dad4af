import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areas } from '#catalogue/areas.ts';
import { extensions } from '#domain/extensions/area.ts';
import { activatePlugin, installTheme, switchTheme } from '#domain/extensions/decide.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { cacheAssets, forgetAssets } from '#domain/page-assets/area.ts';
import { assetKinds, assetVariants } from '#domain/page-assets/slots.ts';
import type { Area } from '#domain/plugins/area.ts';
import { tools } from '#domain/tools/area.ts';
import { addressFor, switchTools } from '#domain/tools/decide.ts';
import { toolNames } from '#domain/tools/events.ts';
import { analytics } from '#plugins/analytics/area.ts';
import { assignVariants, recordAction, recordOnce } from '#plugins/analytics/decide.ts';
import { assistant, setConsent } from '#plugins/assistant/area.ts';
import { cacheCloud } from '#plugins/cache/cloud/area.ts';
import { confirmAlias, expectAlias, setStatus, takeNotes } from '#plugins/cache/cloud/decide.ts';
import { cacheCrawler, toggleCrawler } from '#plugins/cache/crawler.ts';
import { cacheImages } from '#plugins/cache/images/area.ts';
import { failImages, notifyImages } from '#plugins/cache/images/decide.ts';
import { onboarding } from '#plugins/onboarding/area.ts';
import { store, storeTasks } from '#plugins/onboarding/catalogue.ts';
import { chooseWelcome, completeStep, isBannerOpen, setBanner, toggleList } from '#plugins/onboarding/decide.ts';

const at = '2026-03-01T11:00:00.000Z';

/** A document after the given events. */
function folded<S, E extends DomainEvent>(area: Area<S, E>, events: readonly E[], from: S = area.empty, key = ''): S {
  return events.reduce((document, event) => area.evolve(document, event, { key, at }), from);
}

function firstOf<E>([event]: readonly E[]): E {
  if (event === undefined) throw new Error('nothing was decided');
  return event;
}

/** Decides twice, the second time on the outcome of the first. Returns the number of events of each. */
function twice<S, E extends DomainEvent>(area: Area<S, E>, decide: (state: S) => readonly E[], from: S = area.empty) {
  const first = decide(from);
  return [first.length, decide(folded(area, first, from)).length];
}

describe('a command whose effect already exists', () => {
  it('records nothing', () => {
    expect(twice(assistant, (state) => setConsent(state, 0))).toEqual([1, 0]);
    expect(twice(onboarding, (state) => chooseWelcome(state, 'blog'))).toEqual([1, 0]);
    expect(twice(onboarding, (state) => setBanner(state, false, at))).toEqual([1, 0]);
    expect(twice(onboarding, (state) => completeStep(state, storeTasks, 'user'))).toEqual([1, 0]);
    const theme = { slug: 'a', name: 'A', fonts: [] };
    expect(twice(extensions, (state) => installTheme(state, theme))).toEqual([1, 0]);
    expect(twice(extensions, (state) => switchTheme(state, 'a'))).toEqual([1, 0]);
    expect(twice(extensions, (state) => activatePlugin(state, 'shop'))).toEqual([1, 0]);
    expect(twice(cacheCloud, (state) => setStatus(state, 'linked'))).toEqual([1, 0]);
    expect(twice(cacheCloud, (state) => takeNotes(state, 'a', { notices: [], usage: { n: 1 } }))).toEqual([1, 0]);
    expect(twice(tools, (state) => switchTools(state, { force_www: true }))).toEqual([1, 0]);
    const once = { action: 'a', properties: {}, day: '2026-03-01' };
    expect(twice(analytics, (state) => recordAction(state, once, ['a']))).toEqual([1, 0]);
    expect(twice(analytics, (state) => recordOnce(state, once))).toEqual([1, 0]);
    expect(twice(analytics, (state) => assignVariants(state, { f: 'a', g: 'b' }))).toEqual([2, 0]);
  });
});

describe('the areas', () => {
  it('have unique streams, named after them', () => {
    expect(new Set(areas.map(({ stream }) => stream)).size).toBe(areas.length);
    expect(areas.every(({ stream, name }) => stream === `plugin-${name}`)).toBe(true);
  });
});

describe('crawlers', () => {
  it('are unchanged after an even number of toggles', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3)), (ids) => {
        const state = [...ids, ...ids].reduce(
          (s, id) => folded(cacheCrawler, toggleCrawler(s, id), s),
          cacheCrawler.empty,
        );
        expect(state.paused).toEqual([]);
      }),
    );
  });
});

describe('the list of steps', () => {
  it('is unchanged when toggled twice', () => {
    const once = folded(onboarding, toggleList(onboarding.empty));
    expect(once.listVisible).toBe(false);
    expect(folded(onboarding, toggleList(once), once)).toEqual(onboarding.empty);
  });

  it('contains each completed step of the store once, and the overall step with the last one, in any order', () => {
    const steps = ['setup_store', 'add_product', 'add_payment_method', 'add_shipping_method'];
    fc.assert(
      fc.property(fc.shuffledSubarray(steps, { minLength: 4 }), fc.array(fc.constantFrom(...steps)), (order, again) => {
        let state = onboarding.empty;
        for (const step of [...order, ...again]) {
          state = folded(onboarding, completeStep(state, { category: store, step }, 'user'), state);
        }
        expect(state.done).toEqual([...order.map((step) => ({ category: store, step })), storeTasks]);
      }),
    );
  });

  it('keeps the banner hidden for a year', () => {
    const hidden = folded(onboarding, setBanner(onboarding.empty, false, at));
    expect([isBannerOpen(hidden, at), isBannerOpen(hidden, '2027-02-28T11:00:00.000Z')]).toEqual([false, false]);
    expect(isBannerOpen(hidden, '2027-03-01T11:00:00.000Z')).toBe(true);
  });
});

describe('the address of a site', () => {
  const urls = fc.constantFrom(
    'http://a.example',
    'https://www.a.example',
    'http://www.a.example:81/x',
    'https://a.example/www.b',
  );
  const switches = fc.record({ force_https: fc.boolean(), force_www: fc.boolean() });

  it('follows from the tools, and is stable when they are applied again', () => {
    fc.assert(
      fc.property(urls, switches, fc.boolean(), (url, wanted, both) => {
        const moved = addressFor({ url, configuredUrl: url }, wanted, both);
        expect(addressFor({ url: moved, configuredUrl: url }, wanted, both)).toBe(moved);
        // Switching the tool off restores the protocol.
        const back = addressFor({ url: moved, configuredUrl: url }, { ...wanted, force_https: false }, false);
        expect(new URL(back).protocol).toBe(new URL(url).protocol);
        if (wanted.force_https) expect(moved).toMatch(/^https:/);
        if (both) expect(new URL(moved).host.startsWith('www.')).toBe(wanted.force_www);
        expect(new URL(moved).pathname).toBe(new URL(url).pathname);
      }),
    );
  });
});

describe('an alias', () => {
  const wait = (since: string) =>
    cacheCloud.evolve(cacheCloud.empty, firstOf(expectAlias('http://b')), { key: '', at: since });

  it('can be confirmed for a day, without effect once it is the site’s address', () => {
    const state = wait(at);
    const facts = { at: '2026-03-02T10:59:59.999Z', current: 'http://b' };
    expect(confirmAlias(state, 'http://b', facts)).toHaveLength(1);
    expect(confirmAlias(state, 'http://b', { ...facts, current: 'http://a' })).toEqual([]);
    expect(confirmAlias(state, 'http://b', { ...facts, at: '2026-03-02T11:00:00.000Z' })).toBeNull();
    expect(confirmAlias(state, 'http://c', facts)).toBeNull();
  });

  it('stops pending after ten days', () => {
    const later = cacheCloud.evolve(wait(at), firstOf(expectAlias('http://c')), {
      key: '',
      at: '2026-03-11T11:00:00.000Z',
    });
    expect(later.pending.map(({ url }) => url)).toEqual(['http://c']);
  });
});

describe('optimised images', () => {
  const bytes = fc.record({ total: fc.nat(1000), saved: fc.nat(1000) });
  const item = fc.record({
    id: fc.integer({ min: 1, max: 5 }),
    digest: fc.string({ minLength: 1 }),
    original: bytes,
    webp: bytes,
    avif: bytes,
  });

  it('add up to the bytes saved by the site, counting each report once', () => {
    fc.assert(
      fc.property(fc.uniqueArray(item, { selector: ({ id }) => id, minLength: 1 }), (items) => {
        const facts = { server: 's', known: () => cacheImages.empty };
        const event = firstOf(notifyImages(items, facts));
        const site = folded(cacheImages, [event], cacheImages.empty, 'site');
        expect(site.reduced).toBe(
          items.reduce((sum, one) => sum + one.original.saved + one.webp.saved + one.avif.saved, 0),
        );
        const known = (id: number) => folded(cacheImages, [event], cacheImages.empty, String(id));
        expect(notifyImages(items, { server: 's', known })).toEqual([]);
        expect(failImages([...items.map(({ id }) => id), 99], { status: -1, known })).toEqual([
          { type: 'ImagesFailed', data: { ids: items.map(({ id }) => id), status: -1 } },
        ]);
      }),
    );
  });
});

describe('page assets', () => {
  it('are all removed with their page', () => {
    const slots = fc.record({ kind: fc.constantFrom(...assetKinds), variant: fc.constantFrom(...assetVariants) });
    fc.assert(
      fc.property(fc.array(slots), (stored) => {
        const events = stored.map((slot) => ({
          type: 'PageAssetStored' as const,
          data: { entry: 1, ...slot, url: 'u', hash: 'h', data: 'd' },
        }));
        const assets = folded(cacheAssets, events);
        expect(folded(cacheAssets, forgetAssets(1, assets), assets)).toEqual({});
      }),
    );
  });
});

describe('tools', () => {
  it('have the last wanted values, and record only changes', () => {
    const wishes = fc.array(fc.dictionary(fc.constantFrom(...toolNames), fc.boolean()));
    fc.assert(
      fc.property(wishes, (wanted) => {
        let state = tools.empty;
        for (const wish of wanted) {
          const events = switchTools(state, wish);
          for (const { data } of events) {
            const changes = Object.entries('changes' in data ? data.changes : {});
            for (const [name, value] of changes) expect(state.switches[name as 'force_www']).toBe(!value);
          }
          state = folded(tools, events, state);
        }
        expect(state.switches).toEqual(Object.assign({}, tools.empty.switches, ...wanted));
      }),
    );
  });
});
