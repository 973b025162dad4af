import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { cacheSecret, callback, callPlugin } from '../../support/plugins.ts';
import type { As, Site } from '../../support/site.ts';

/** One route, as the walk through all of them goes over it. */
export interface Case {
  readonly route: string;
  /** The lowest role that may; `signed`: no role does. */
  readonly lowest: As | 'signed';
  /** A good body, as far as one is needed. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What is answered when a parameter that has to be there is not. */
  readonly missing?: { readonly body: Readonly<Record<string, unknown>>; readonly answer: Refused };
  /** What is answered to a parameter of the wrong type. */
  readonly wrong?: { readonly body: Readonly<Record<string, unknown>>; readonly answer: Refused };
  /** Something real, which another call can see. */
  readonly effect: (site: Site) => Promise<void>;
}

/** Status and code, or what a service is told. */
type Refused = readonly [number, string];

const invalid: Refused = [400, 'rest_invalid_param'];
const noData: Refused = [400, 'data_invalid'];

const admin = (site: Site, request: string, body?: unknown) => callPlugin(site, 'administrator', request, body);
const onboarding = '/host-easy-onboarding/v1';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const signed = (text: string) => createHmac('sha256', cacheSecret).update(text).digest('base64');

async function welcome(site: Site) {
  return (await admin(site, `GET ${onboarding}/get-welcome-status`)).body.data;
}

async function step(site: Site, id: string) {
  const { body } = await admin(site, `GET ${onboarding}/get-steps`);
  return body.data.steps.flatMap((one: { steps: unknown[] }) => one.steps).find((one: { id: string }) => one.id === id);
}

async function website(site: Site) {
  return (await admin(site, 'GET /host-ai-assistant/v1/website')).body.data;
}

async function cloud(site: Site) {
  return (await admin(site, 'GET /cache/v1/cloud')).body;
}

async function settings(site: Site) {
  return (await admin(site, 'GET /host-tools-plugin/v1/get-settings')).body.data;
}

async function queues(site: Site) {
  return (await callback(site, '/cache/v3/ping')).body.queues;
}

/** Publishes a post; answers what a service needs to know of it. */
async function published(site: Site, title: string) {
  const id = await site.make('editor', '/posts', { title, content: 'c', status: 'publish' });
  const { link } = (await site.call('editor', `GET /posts/${id}`)).body;
  return { id, link };
}

function notifiesAssets(kind: 'ccss' | 'ucss' | 'vpi', sent: unknown, kept: unknown): Case {
  const path = `/cache/v1/notify_${kind}`;
  return {
    route: `POST ${path}`,
    lowest: 'signed',
    missing: { body: {}, answer: [200, 'no notified data'] },
    wrong: { body: { data: 7 }, answer: [200, 'no notified data'] },
    async effect(site) {
      const { id, link } = await published(site, `For ${kind}`);
      const before = (await queues(site))[kind];
      const data = [{ request_url: link, queue_k: `desktop ${link}`, [`data_${kind}`]: sent }];
      expect((await callback(site, path, { data })).body).toEqual({ _res: 'ok', count: 1 });
      expect((await queues(site))[kind]).toBe(before - 1);
      const { body } = await admin(site, `GET /cache/v1/assets/${id}`);
      expect(body[`${kind} desktop`]).toEqual({ url: link, hash: expect.stringMatching(/^[\da-f]{64}$/), data: kept });
      expect((await callback(site, path, { data })).body.count).toBe(0);
    },
  };
}

/** Routes that both deployments have. */
export const commonCases: readonly Case[] = [
  {
    route: `GET ${onboarding}/get-welcome-status`,
    lowest: 'administrator',
    async effect(site) {
      expect(await welcome(site)).toMatchObject({ welcome_cards: [{ id: 'ai' }], addons_banner: false });
      site.clock.now += 8 * 24 * 3600 * 1000;
      expect(await welcome(site)).toMatchObject({ addons_banner: true, list_visible: true });
    },
  },
  {
    route: `POST ${onboarding}/update-welcome-status`,
    lowest: 'administrator',
    body: { choice: 'blog' },
    missing: { body: {}, answer: noData },
    wrong: { body: { choice: 7 }, answer: noData },
    async effect(site) {
      await admin(site, `POST ${onboarding}/update-welcome-status`, { choice: 'shop' });
      expect(await welcome(site)).toMatchObject({ welcome_choice_done: 'shop' });
    },
  },
  {
    route: `POST ${onboarding}/update-addons-banner-status`,
    lowest: 'administrator',
    body: { choice: true },
    missing: { body: {}, answer: noData },
    wrong: { body: { choice: 'true' }, answer: noData },
    async effect(site) {
      site.clock.now += 8 * 24 * 3600 * 1000;
      await admin(site, `POST ${onboarding}/update-addons-banner-status`, { choice: false });
      expect((await welcome(site)).addons_banner).toBe(false);
      site.clock.now += 366 * 24 * 3600 * 1000;
      expect((await welcome(site)).addons_banner).toBe(true);
    },
  },
  {
    route: `GET ${onboarding}/get-steps`,
    lowest: 'administrator',
    async effect(site) {
      expect((await step(site, 'add_page')).is_completed).toBe(false);
      await site.make('editor', '/pages', { title: 'First page', status: 'publish' });
      const done = await step(site, 'add_page');
      expect(done).toMatchObject({ is_completed: true, primary_button: { title: '', is_completable: true } });
    },
  },
  {
    route: `POST ${onboarding}/complete-step`,
    lowest: 'administrator',
    body: { step_category_id: 'website_setup', step_id: 'add_post' },
    missing: { body: { step_id: 'add_post' }, answer: noData },
    wrong: { body: { step_category_id: ['website_setup'], step_id: 'add_post' }, answer: noData },
    async effect(site) {
      const body = { step_category_id: 'website_setup', step_id: 'search_visibility' };
      expect((await admin(site, `POST ${onboarding}/complete-step`, body)).body).toEqual({ data: { saved: true } });
      expect((await step(site, 'search_visibility')).is_completed).toBe(true);
      expect((await admin(site, `POST ${onboarding}/complete-step`, body)).body).toEqual({ data: { saved: false } });
    },
  },
  {
    route: `POST ${onboarding}/toggle-list-visibility`,
    lowest: 'administrator',
    async effect(site) {
      const { list_visible: before } = await welcome(site);
      const { body } = await admin(site, `POST ${onboarding}/toggle-list-visibility`);
      expect(body).toEqual({ status: true, new_state: !before });
      expect((await welcome(site)).list_visible).toBe(!before);
    },
  },
  {
    route: `POST ${onboarding}/activate-plugin`,
    lowest: 'administrator',
    body: { plugin: 'shop' },
    missing: { body: {}, answer: noData },
    wrong: { body: { plugin: 7 }, answer: noData },
    async effect(site) {
      await admin(site, `POST ${onboarding}/activate-plugin`, { plugin: 'shop' });
      expect((await website(site)).metadata.plugin_info.active_plugins).toContain('shop');
      expect((await welcome(site)).welcome_cards).toHaveLength(2);
    },
  },
  {
    route: `POST ${onboarding}/activate-theme`,
    lowest: 'administrator',
    body: { theme_slug: 'wide' },
    missing: { body: {}, answer: noData },
    wrong: { body: { theme_slug: {} }, answer: noData },
    async effect(site) {
      await admin(site, `POST ${onboarding}/activate-theme`, { theme_slug: 'plain' });
      expect((await website(site)).metadata.theme_info.active_theme).toBe('Plain');
      await admin(site, `POST ${onboarding}/activate-theme`, { theme_slug: 'wide' });
      expect((await website(site)).metadata.theme_info.active_theme).toBe('Wide');
    },
  },
  {
    route: `POST ${onboarding}/install-ai-theme`,
    lowest: 'administrator',
    async effect(site) {
      const body = { theme_slug: 'host-ai-theme' };
      await admin(site, `POST ${onboarding}/install-ai-theme`);
      expect((await admin(site, `POST ${onboarding}/install-ai-theme`)).body.code).toBe('data_invalid');
      expect((await admin(site, `POST ${onboarding}/activate-theme`, body)).status).toBe(200);
      expect((await website(site)).metadata.theme_info.active_theme).toBe('Assistant theme');
    },
  },
  {
    route: `GET ${onboarding}/get-tutorials`,
    lowest: 'administrator',
    async effect(site) {
      const shown = async () => (await admin(site, `GET ${onboarding}/get-tutorials?locale=fr_FR`)).body.data.tutorials;
      expect(await shown()).toEqual([{ id: 'begin', title: 'How to begin', duration: '1:30' }]);
      const tags = [await site.make('editor', '/tags', { name: 'Tutorial' })];
      const content = 'word '.repeat(250);
      await site.make('editor', '/posts', { title: 'Learn this', content, tags, status: 'publish' });
      expect(await shown()).toEqual([{ id: 'learn-this', title: 'Learn this', duration: '1:15' }]);
    },
  },
  {
    route: 'POST /cache/v1/toggle_crawler_state',
    lowest: 'administrator',
    wrong: { body: { crawler_id: 'x' }, answer: invalid },
    async effect(site) {
      const toggle = async () => (await admin(site, 'POST /cache/v1/toggle_crawler_state', { crawler_id: 1 })).body;
      expect(await toggle()).toBe(0);
      expect((await cloud(site)).paused_crawlers).toEqual([1]);
      expect(await toggle()).toBe(1);
    },
  },
  {
    route: 'GET /cache/v1/tool/check_ip',
    lowest: 'administrator',
    async effect(site) {
      expect((await admin(site, 'GET /cache/v1/tool/check_ip')).body).toMatch(/not known/);
    },
  },
  {
    route: 'POST /cache/v1/notify_img',
    lowest: 'signed',
    missing: { body: {}, answer: [200, 'no notified data'] },
    async effect(site) {
      site.clock.now += 4000;
      const body = { data: [1], server: 'https://node.optimiser.example', status: -5 };
      expect((await callback(site, '/cache/v1/notify_img', { ...body, server: 'elsewhere' })).body._msg).toBe(
        'no/wrong server',
      );
      expect((await callback(site, '/cache/v1/notify_img', body)).body._msg).toBe('too_often');
      site.clock.now += 4000;
      expect((await callback(site, '/cache/v1/notify_img', body)).body).toEqual({ _res: 'ok', count: 1 });
    },
  },
  notifiesAssets('ccss', 'a{}', 'a{}'),
  notifiesAssets('ucss', 'b{}', 'b{}'),
  notifiesAssets('vpi', ['http%3A%2F%2Fa%2Fb.png'], ['http://a/b.png']),
  {
    route: 'POST /cache/v1/check_img',
    lowest: 'signed',
    body: { data: 1 },
    missing: { body: {}, answer: [200, 'lack_of_params'] },
    wrong: { body: { data: 'x' }, answer: [200, 'lack_of_params'] },
    async effect(site) {
      const { body } = await callback(site, '/cache/v1/check_img', { data: 999 });
      expect(body.data).toMatchObject({ _cms_attached_file: '', _cms_attachment_metadata: '', img_data: [] });
    },
  },
  {
    route: 'POST /cache/v3/ip_validate',
    lowest: 'signed',
    body: { hash: '0001' },
    missing: { body: {}, answer: [200, 'lack_of_params'] },
    wrong: { body: { hash: 'x' }, answer: [200, 'err_hash'] },
    async effect(site) {
      // The key of these sites is K1234567.
      const { body } = await callback(site, '/cache/v3/ip_validate', { hash: sha256('K123') });
      expect(body).toEqual({ _res: 'ok', hash: sha256('2345') });
    },
  },
  {
    route: 'POST /cache/v3/cms_rest_echo',
    lowest: 'signed',
    body: { cmsapi_ts: 1, cmsapi_signature_b64: 'x' },
    missing: { body: {}, answer: [200, 'no_echo_data'] },
    wrong: { body: { cmsapi_ts: 1, cmsapi_signature_b64: 'x' }, answer: [200, 'echo_invalid'] },
    async effect(site) {
      const time = Math.floor(site.clock.now / 1000);
      const ask = (ts: number) =>
        callback(site, '/cache/v3/cms_rest_echo', { cmsapi_ts: ts, cmsapi_signature_b64: signed(`echo:${ts}`) });
      expect((await ask(time)).body).toEqual({ _res: 'ok', signature_b64: signed(`reply:${time}`) });
      expect((await ask(time - 86_401)).body._msg).toBe('echo_expired');
    },
  },
  {
    route: 'POST /cache/v3/ping',
    lowest: 'signed',
    wrong: { body: { funcs: { a: 1 } }, answer: invalid },
    async effect(site) {
      const before = await queues(site);
      await published(site, 'Queued');
      expect(await queues(site)).toEqual({ ccss: before.ccss + 2, ucss: before.ucss + 2, vpi: before.vpi + 2 });
    },
  },
  {
    route: 'POST /cache/v3/cdn_status',
    lowest: 'signed',
    body: { cloud_activated: 'anonymous' },
    missing: { body: {}, answer: [200, 'lack_of_params'] },
    wrong: { body: { cloud_activated: 'x' }, answer: [200, 'lack_of_params'] },
    async effect(site) {
      await callback(site, '/cache/v3/cdn_status', { cloud_activated: 'linked' });
      expect(await cloud(site)).toMatchObject({ status: 'linked' });
    },
  },
  {
    route: 'POST /cache/v3/err_domains',
    lowest: 'signed',
    body: { main_domain: 'a', alias: 'b' },
    missing: { body: { main_domain: 'a' }, answer: [200, 'lack_of_param'] },
    wrong: { body: { main_domain: 'a', alias: 'b' }, answer: [200, 'not_an_alias'] },
    async effect(site) {
      await admin(site, 'POST /host-tools-plugin/v1/update-settings', { force_www: true });
      const { pending } = await cloud(site);
      const body = { main_domain: 'site.example', alias: pending[0].url };
      expect((await callback(site, '/cache/v3/err_domains', body)).body).toEqual({ _res: 'ok' });
      expect((await callback(site, '/cache/v3/err_domains', body)).body._msg).toBe('not_an_alias');
      await admin(site, 'POST /host-tools-plugin/v1/update-settings', { force_www: false });
    },
  },
  {
    route: 'GET /host-ai-assistant/v1/website',
    lowest: 'subscriber',
    async effect(site) {
      const shown = await website(site);
      expect(shown).toMatchObject({ domain: 'site.example', token: expect.stringMatching(/^1\.\d+\.[\da-f]{64}$/) });
      expect((await callPlugin(site, 'editor', 'GET /host-ai-assistant/v1/website')).body.data.token).toBe('');
    },
  },
  {
    route: 'POST /host-ai-assistant/v1/toggle-mcp-plugin',
    lowest: 'administrator',
    body: { action: 'deny' },
    missing: { body: {}, answer: [400, 'rest_missing_callback_param'] },
    wrong: { body: { action: 'maybe' }, answer: invalid },
    async effect(site) {
      const { body } = await admin(site, 'POST /host-ai-assistant/v1/toggle-mcp-plugin', { action: 'setup' });
      expect(body).toBeNull();
      expect((await website(site)).metadata.assistant.mcp_choice).toBe(1);
    },
  },
  {
    route: 'POST /host-analytics/v1/host-analytics-event',
    lowest: 'administrator',
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
  },
  {
    route: 'GET /host-analytics/v1/host-analytics-experiments',
    lowest: 'administrator',
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
  },
  {
    route: 'GET /host-tools-plugin/v1/get-settings',
    lowest: 'administrator',
    async effect(site) {
      const first = await settings(site);
      expect(first).toMatchObject({ bypass_code: expect.stringMatching(/^[A-Za-z]{16}$/), force_www: false });
      expect(await settings(site)).toEqual(first);
    },
  },
  {
    route: 'POST /host-tools-plugin/v1/update-settings',
    lowest: 'administrator',
    async effect(site) {
      await admin(site, 'POST /host-tools-plugin/v1/update-settings', { optin_mcp: '1', disable_xml_rpc: 'false' });
      expect(await settings(site)).toMatchObject({ optin_mcp: true, disable_xml_rpc: false });
    },
  },
  {
    route: 'GET /host-tools-plugin/v1/regenerate-bypass-code',
    lowest: 'administrator',
    async effect(site) {
      const { bypass_code: before } = await settings(site);
      const { body } = await admin(site, 'GET /host-tools-plugin/v1/regenerate-bypass-code');
      expect(body.data.bypass_code).not.toBe(before);
      expect((await settings(site)).bypass_code).toBe(body.data.bypass_code);
    },
  },
];
