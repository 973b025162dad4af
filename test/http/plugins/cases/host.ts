import { expect } from 'vitest';
import { callPlugin } from '../../../support/plugins.ts';
import type { Site } from '../../../support/site.ts';
import { admin, type Case, invalid, missing, pageAt, settings, website } from './case.ts';

/** During maintenance, pages open with the bypass code only. */
async function opensWith(code: string, site: Site): Promise<void> {
  const switched = (maintenance_mode: boolean) =>
    admin(site, 'POST /host-tools-plugin/v1/update-settings', { maintenance_mode });
  await switched(true);
  const seen = [(await pageAt(site, '/')).status, (await pageAt(site, `/?bypass_code=${code}`)).status];
  await switched(false);
  expect([...seen, (await pageAt(site, '/')).status]).toEqual([503, 200, 200]);
}

/** Routes of the assistant, of analytics and of the tools. */
export const hostCases: readonly Case[] = [
  {
    route: 'GET /host-ai-assistant/v1/website',
    lowest: 'subscriber',
    stores: false,
    async effect(site) {
      const shown = await website(site);
      expect(shown).toMatchObject({ domain: 'site.example', token: expect.stringMatching(/^1\.\d+\.[\da-f]{64}$/) });
      expect((await callPlugin(site, 'editor', 'GET /host-ai-assistant/v1/website')).body.data.token).toBe('');
    },
  },
  {
    route: 'POST /host-ai-assistant/v1/toggle-mcp-plugin',
    lowest: 'administrator',
    stores: true,
    body: { action: 'deny' },
    args: { action: { type: 'string', enum: ['setup', 'deny'], required: true } },
    missing: { body: {}, answer: missing },
    wrong: { body: { action: 'maybe' }, answer: invalid },
    async effect(site) {
      const { body } = await admin(site, 'POST /host-ai-assistant/v1/toggle-mcp-plugin', { action: 'setup' });
      expect(body).toBeNull();
      expect((await website(site)).metadata.assistant.mcp_choice).toBe(1);
    },
    async seen(site) {
      expect((await website(site)).metadata.assistant.mcp_choice).toBe(1);
    },
  },
  {
    route: 'POST /host-analytics/v1/host-analytics-event',
    lowest: 'administrator',
    stores: true,
    body: { params: { action: 'x' } },
    wrong: { body: { params: 'x' }, answer: invalid },
    async effect(site) {
      const body = { params: { action: 'cms.password_reset', from: 'panel' } };
      const record = async () => (await admin(site, 'POST /host-analytics/v1/host-analytics-event', body)).body.status;
      expect(await record()).toEqual({ status: 'success', id: expect.stringMatching(/^\d+$/) });
      expect(await record()).toEqual([]);
      site.clock.now += 24 * 3600 * 1000;
      expect(await record()).toMatchObject({ status: 'success' });
    },
    async seen(site) {
      expect((await pageAt(site, '/cms-audit/events')).text).toContain('cms.password_reset');
    },
  },
  {
    route: 'GET /host-analytics/v1/host-analytics-experiments',
    lowest: 'administrator',
    stores: true,
    async effect(site) {
      const shown = async () => (await admin(site, 'GET /host-analytics/v1/host-analytics-experiments')).body;
      const first = await shown();
      const value = expect.stringMatching(/^(long|short)$/);
      expect(first).toEqual({
        status: 'success',
        data: { welcome: expect.objectContaining({ key: 'welcome', value }) },
      });
      expect(await shown()).toEqual(first);
    },
    async seen(site) {
      expect((await pageAt(site, '/cms-audit/?what=ExperimentAssigned')).text).toContain('welcome');
    },
  },
  {
    route: 'GET /host-tools-plugin/v1/get-settings',
    lowest: 'administrator',
    stores: true,
    async effect(site) {
      const first = await settings(site);
      expect(first).toMatchObject({ bypass_code: expect.stringMatching(/^[A-Za-z]{16}$/), force_www: false });
      expect(await settings(site)).toEqual(first);
    },
    async seen(site) {
      await opensWith((await settings(site)).bypass_code, site);
    },
  },
  {
    route: 'POST /host-tools-plugin/v1/update-settings',
    lowest: 'administrator',
    stores: true,
    async effect(site) {
      await admin(site, 'POST /host-tools-plugin/v1/update-settings', { optin_mcp: '1', disable_xml_rpc: 'false' });
      expect(await settings(site)).toMatchObject({ optin_mcp: true, disable_xml_rpc: false });
    },
    async seen(site) {
      await opensWith((await settings(site)).bypass_code, site);
    },
  },
  {
    route: 'GET /host-tools-plugin/v1/regenerate-bypass-code',
    lowest: 'administrator',
    stores: true,
    async effect(site) {
      const { bypass_code: before } = await settings(site);
      // A code younger than a minute is kept.
      site.clock.now += 60_000;
      const { body } = await admin(site, 'GET /host-tools-plugin/v1/regenerate-bypass-code');
      expect(body.data.bypass_code).not.toBe(before);
      expect((await settings(site)).bypass_code).toBe(body.data.bypass_code);
    },
    async seen(site) {
      await opensWith((await settings(site)).bypass_code, site);
    },
  },
];
