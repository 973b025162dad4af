import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areas } from '#catalogue/areas.ts';
import { pluginEvents } from '#catalogue/events.ts';
import { summaryOf } from '#projections/audit/event-summaries.ts';
import { callback, callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('B');
});
afterAll(() => site.close());

/** Requests an audit page as an administrator. */
async function audit(query: string): Promise<string> {
  const headers = { authorization: site.authorization('administrator') };
  return (await fetch(`http://127.0.0.1:${site.port}/cms-audit/${query}`, { headers })).text();
}

describe('the audit pages', () => {
  it('show every write of a plugin with its author', async () => {
    await callPlugin(site, 'administrator', 'POST /host-ai-assistant/v1/toggle-mcp-plugin', { action: 'deny' });
    await callPlugin(site, 'administrator', 'POST /cache/v1/toggle_crawler_state', { crawler_id: 1 });
    await callback(site, '/cache/v3/cdn_status', { cloud_activated: 'linked' });
    const page = await audit('?type=plugins');
    for (const type of ['AssistantConsentSet', 'CrawlerToggled', 'CloudStatusSet']) expect(page).toContain(type);
    expect(page).toContain('recorded: a crawler of the cache was paused or resumed (crawler 1, active false)');
    expect(page).toMatch(/administrator<\/a>/);
    expect(page).toContain('somebody not logged in');
    expect(await audit('things/plugin-cache-crawler')).toContain('CrawlerToggled');
  });

  it('describe every write of a plugin in words', async () => {
    await callPlugin(site, 'administrator', 'POST /host-tools-plugin/v1/update-settings', { optin_mcp: true });
    await callPlugin(site, 'administrator', 'POST /host-easy-onboarding/v1/install-ai-theme');
    await callback(site, '/cache/v3/cdn_status', { cloud_activated: 'deleted', _carry_on: { usage: { a: [{}, {}] } } });
    const page = await audit('?type=plugins');
    for (const line of [
      'recorded: tools of the site were switched on or off (changes optin mcp true)',
      'recorded: a theme was added to those that the site can use (slug host-ai-theme, name Assistant theme, fonts Inter, Lora)',
      'recorded: the cache cloud reported the status of the site (status none)',
      'recorded: the cache cloud reported the usage of a service (service cdn_status, usage a 2)',
    ]) {
      expect(page).toContain(line);
    }
  });

  it('show no sealed data of plugins', async () => {
    const { body } = await callPlugin(site, 'administrator', 'GET /host-tools-plugin/v1/get-settings');
    const params = { action: 'opened', who: 'somebody' };
    await callPlugin(site, 'administrator', 'POST /host-analytics/v1/host-analytics-event', { params });
    const page = await audit('?type=plugins');
    expect(page).toContain('BypassCodeRegenerated');
    expect(page).not.toContain(body.data.bypass_code);
    expect(page).not.toContain('somebody"');
  });

  it('have a label for each event of a plugin', () => {
    for (const { type } of pluginEvents) expect(summaryOf(type).label).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
    expect(pluginEvents).toHaveLength(areas.reduce((sum, { events }) => sum + events.length, 0));
  });
});
