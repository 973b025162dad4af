import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import { type As, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('B');
});
afterAll(() => site.close());

const website = async (as: As, on = site) => (await callPlugin(on, as, 'GET /host-ai-assistant/v1/website')).body.data;

describe('the token of the assistant', () => {
  it('is issued to administrators only, signed, and valid for 15 minutes', async () => {
    const { token } = await website('administrator');
    const [user, until, signature] = token.split('.');
    expect([user, Number(until)]).toEqual(['1', Math.floor(site.clock.now / 1000) + 900]);
    const expected = createHmac('sha256', 'shared with the assistant').update(`${user}.${until}`).digest('hex');
    expect(signature).toBe(expected);
    for (const as of ['subscriber', 'author', 'editor'] as const) expect((await website(as)).token).toBe('');
  });

  it('is empty without a secret, and does not contain it', async () => {
    const plain = await startSite();
    expect((await website('administrator', plain)).token).toBe('');
    await plain.close();
    expect(JSON.stringify(await website('administrator'))).not.toContain('shared with');
  });

  it('is not cacheable', async () => {
    const { headers } = await callPlugin(site, 'administrator', 'GET /host-ai-assistant/v1/website');
    expect(headers.get('cache-control')).toBe('no-cache');
  });
});

describe('the website route', () => {
  it('returns domain, versions, plugins, theme and rights', async () => {
    expect(await website('subscriber')).toMatchObject({
      domain: 'site.example',
      metadata: {
        environment_info: { cms_version: '6.8', is_multisite: false, runtime_version: process.versions.node },
        site_settings: { website_url: 'http://site.example' },
        plugin_info: {
          active_plugins: ['cache', 'host-onboarding', 'host-assistant', 'analytics', 'host-tools', 'builder'],
        },
        theme_info: { active_theme: 'Plain' },
        rest_api_endpoints: { base_rest_uri: 'http://site.example/cms-json' },
        assistant: { mcp_choice: null, allow: { create: true, update: true, delete: false } },
      },
    });
  });
});

describe('the domain', () => {
  it.each([
    ['https://site.example:8443', 'site.example:8443'],
    ['https://site.example/blog', '/blog'],
    ['https://site.example/a/b', '/a/b'],
  ])('of %s is %s', async (SITE_URL, domain) => {
    const own = await startPluginSite('B', {}, { env: { SITE_URL } });
    expect((await website('subscriber', own)).domain).toBe(domain);
    await own.close();
  });
});

describe('toggle-mcp-plugin', () => {
  const toggle = (as: As, body?: unknown) => callPlugin(site, as, 'POST /host-ai-assistant/v1/toggle-mcp-plugin', body);

  it('validates its parameter before permissions', async () => {
    expect((await toggle('anonymous', {})).body.code).toBe('rest_missing_callback_param');
    expect((await toggle('anonymous', { action: 'x' })).body.code).toBe('rest_invalid_param');
    expect((await toggle('anonymous', { action: 'setup' })).status).toBe(401);
  });

  it('appends an event only when the choice changes', async () => {
    const position = site.position();
    for (const action of ['setup', 'setup', 'deny', 'deny']) await toggle('administrator', { action });
    expect(site.position()).toBe(position + 2);
    expect((await website('editor')).metadata.assistant.mcp_choice).toBe(0);
  });
});
