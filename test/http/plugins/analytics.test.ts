import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analytics } from '#plugins/analytics/area.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('A');
});
afterAll(() => site.close());

const route = '/host-analytics/v1/host-analytics-event';
const record = (params: unknown) => callPlugin(site, 'administrator', `POST ${route}`, { params });
const lastEvent = () => [...site.node.log.read({ direction: 'backwards', limit: 1 })][0];

describe('host-analytics-event', () => {
  it.each([undefined, {}, { action: '' }, { action: null, from: 'x' }])('records nothing for %j', async (params) => {
    const position = site.position();
    expect((await record(params)).body).toEqual({ status: [] });
    expect(site.position()).toBe(position);
  });

  it('records the sent properties, the address of the site and the correlation id', async () => {
    const headers = { 'x-correlation-id': 'mark-1' };
    const body = { params: { action: 'opened', place: { x: 1 }, siteurl: 'elsewhere' } };
    const { status } = (await site.call('administrator', `POST /cms-json${route}`, body, { headers })).body;
    const event = lastEvent();
    expect(status).toEqual({ status: 'success', id: String(event?.position) });
    expect([event?.type, event?.actor, event?.correlationId]).toEqual(['AnalyticsEventRecorded', 1, 'mark-1']);
    expect(JSON.parse(event?.sealed ?? '')).toEqual({
      properties: { place: { x: 1 }, siteurl: 'http://site.example', directory: '' },
    });
  });

  it('records some actions once per day of the site’s time zone', async () => {
    site.clock.now = Date.parse('2026-03-01T22:30:00Z');
    const counted = async () =>
      (await record({ action: 'cms.preview_site' })).body.status !== undefined && site.position();
    const first = await counted();
    expect(await counted()).toBe(first);
    // Midnight in Berlin.
    site.clock.now += 45 * 60 * 1000;
    expect(await counted()).not.toBe(first);
  });

  it.each([
    ...['cms.preview_site', 'cms.onboarding.enter', 'cms.onboarding.completed', 'cms.connect_domain.shown'],
    ...['cms.connect_domain.enter', 'cms.language_changed', 'cms.password_reset', 'cms.addons_banner.shown'],
  ])('records this action once a day by default: %s', async (action) => {
    site.clock.now += 24 * 60 * 60 * 1000;
    const { status } = (await record({ action })).body;
    expect([status.status, (await record({ action })).body]).toEqual(['success', { status: [] }]);
  });

  it('records every other action each time', async () => {
    const ids = [
      (await record({ action: 'clicked' })).body.status.id,
      (await record({ action: 'clicked' })).body.status.id,
    ];
    expect(Number(ids[1])).toBe(Number(ids[0]) + 1);
  });

  it.each([[], 'x', 7, true, { action: 5 }, { action: {} }, { action: 'x'.repeat(201) }])(
    'accepts only an object with an action as params, not %j',
    async (params) => {
      const position = site.position();
      expect((await record(params)).body).toMatchObject({ code: 'rest_invalid_param', data: { status: 400 } });
      expect(site.position()).toBe(position);
    },
  );

  it('accepts at most 16 KiB', async () => {
    const of = (length: number) => ({ action: 'a', text: 'x'.repeat(length - '{"action":"a","text":""}'.length) });
    expect((await record(of(16_384))).status).toBe(200);
    expect((await record(of(16_385))).body).toMatchObject({ code: 'rest_invalid_param', data: { status: 400 } });
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('records actions of any name: %s', async (action) => {
    expect((await record({ action })).body.status.status).toBe('success');
    const { actions } = site.node.store.reader.plugin(analytics);
    expect(Object.hasOwn(actions, action) && actions[action]).toMatchObject({ count: 1 });
  });
});

describe('host-analytics-experiments', () => {
  const show = async (experiments: unknown) => {
    const own = await startPluginSite('A', { experiments });
    const { body } = await callPlugin(own, 'administrator', 'GET /host-analytics/v1/host-analytics-experiments');
    await own.close();
    return body;
  };

  it('returns an empty map without experiments', async () => {
    expect(await show([])).toEqual({ status: 'success', data: {} });
  });

  it('keeps assigned variants when their weights change', async () => {
    const settled = (weights: readonly number[]) =>
      JSON.stringify({
        experiments: Array.from({ length: 40 }, (_, n) => ({
          flag: `flag${n}`,
          variants: weights.map((weight, key) => ({ key: `${key}`, weight })),
        })),
      });
    const env = { PLUGIN_SETTINGS: settled([1, 1]) };
    const own = await startSite({ env });
    const values = async () => {
      const { body } = await callPlugin(own, 'administrator', 'GET /host-analytics/v1/host-analytics-experiments');
      return Object.values(body.data as Record<string, { value: string }>).map(({ value }) => value);
    };
    const first = await values();
    const position = own.position();
    expect(first.filter((value) => value === '0').length).toSatisfy((count: number) => count > 8 && count < 32);
    env.PLUGIN_SETTINGS = settled([1, 1e6]);
    await own.restart();
    expect([await values(), own.position()]).toEqual([first, position]);
    await own.close();
  });

  it('returns variants with their payloads, by weight', async () => {
    const variants = [
      { key: 'rare', weight: 1e-9 },
      { key: 'usual', weight: 1, payload: [1] },
    ];
    const flags = ['a', 'b', '__proto__'].map((flag) => ({ flag, variants }));
    const { data } = await show(flags);
    expect(Object.keys(data)).toEqual(['a', 'b', '__proto__']);
    expect(data.a).toEqual({ key: 'a', value: 'usual', payload: [1] });
  });
});

describe('the audit page of recorded events', () => {
  it('lists them by day and action, also after a rebuild', async () => {
    const site = await startPluginSite('A');
    const count = (action: string, told: object = {}) =>
      callPlugin(site, 'administrator', `POST ${route}`, { params: { action, ...told } });
    for (const action of ['opened', 'opened', '<b>', 'constructor']) await count(action);
    site.clock.now += 24 * 3600 * 1000;
    await count('closed', { place: 'the <head>', size: { x: 1 } });
    const shown = async () => {
      const headers = { authorization: site.authorization('administrator') };
      return (await fetch(`http://127.0.0.1:${site.port}/cms-audit/events`, { headers })).text();
    };
    const before = await shown();
    expect(before).toContain('opened 2, &lt;b&gt; 1, constructor 1');
    expect(before).toContain('<td>closed</td><td>place: the &lt;head&gt;, size: {&quot;x&quot;:1}, ');
    expect(before.indexOf('closed 1')).toBeLessThan(before.indexOf('opened 2'));
    await site.rebuild();
    expect(await shown()).toBe(before);
    await site.close();
  });
});
