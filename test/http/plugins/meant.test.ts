import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';

const ROUTE = 'GET /cms-json/host-tools-plugin/v1/regenerate-bypass-code';

let site: Site;

beforeEach(async () => {
  site = await startPluginSite('A');
  await callPlugin(site, 'administrator', 'GET /host-tools-plugin/v1/get-settings');
});

afterEach(() => site.close());

const ask = (headers: Record<string, string> = {}) => site.call('administrator', ROUTE, undefined, { headers });

describe('a GET that replaces the bypass code', () => {
  it.each([
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    { 'user-agent': 'ExampleSpider/1.0' },
  ])('is refused without effect for %j', async (headers) => {
    const before = site.position();
    const { status, body } = await ask(headers);
    expect([status, body.code, site.position()]).toEqual([403, 'rest_forbidden_prefetch', before]);
  });

  it('replaces it at most once a minute, and returns the current one in between', async () => {
    const code = async () => (await ask({ 'user-agent': 'curl/8.0' })).body.data.bypass_code;
    const first = await code();
    site.clock.now += 59_000;
    const before = site.position();
    expect([await code(), site.position()]).toEqual([first, before]);
    site.clock.now += 1000;
    expect(await code()).not.toBe(first);
  });
});
