import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback, callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { cacheCases } from './cases/cache.ts';
import { hostCases } from './cases/host.ts';
import { onboardingCases } from './cases/onboarding.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('B');
});
afterAll(() => site.close());

const cases = [...onboardingCases, ...cacheCases, ...hostCases];
const names = [
  ...['choice', 'step_category_id', 'step_id', 'plugin', 'theme_slug', 'locale', 'crawler_id', 'data', 'server'],
  ...['status', 'hash', 'cmsapi_ts', 'cmsapi_signature_b64', 'funcs', 'cloud_activated', 'main_domain', 'alias'],
  ...['action', 'params', '_info', '_carry_on', 'force_www', 'optin_mcp', '__proto__'],
];
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1e308, true, 'shop', 'website_setup', 'optimiser.example', 6),
  fc.string({ unit: 'binary' }),
  fc.array(
    fc.oneof(fc.integer(), fc.dictionary(fc.constantFrom('id', 'request_url', 'queue_k', '__proto__'), fc.anything())),
  ),
  fc.jsonValue(),
);
const bodies = fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 5 });

describe('odd input', () => {
  it('never causes a 5xx on any plugin route', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases), bodies, async ({ route, lowest }, body) => {
        site.clock.now += 4000;
        const [method, path = ''] = route.split(' ');
        const { status, text } =
          lowest === 'signed'
            ? await callback(site, path, body)
            : await callPlugin(site, 'administrator', route, method === 'GET' ? undefined : JSON.stringify(body));
        expect([status, text]).toEqual([expect.toSatisfy((code: number) => code < 500), expect.any(String)]);
        if (body['force_www'] !== undefined) await callPlugin(site, 'administrator', 'GET /');
      }),
      { numRuns: 300 },
    );
  });

  it('leaves the same state after a rebuild', async () => {
    const shown = async () => (await callPlugin(site, 'administrator', 'GET /cache/v1/cloud')).text;
    const before = await shown();
    await site.rebuild();
    expect(await shown()).toBe(before);
  });
});
