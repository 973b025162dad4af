import { expect } from 'vitest';
import type { Site } from '../../../support/site.ts';
import { admin, type Case, noData, onboarding, pageAt, website, welcome } from './case.ts';

async function step(site: Site, id: string) {
  const { body } = await admin(site, `GET ${onboarding}/get-steps`);
  return body.data.steps.flatMap((one: { steps: unknown[] }) => one.steps).find((one: { id: string }) => one.id === id);
}

/** Routes of host-easy-onboarding/v1. */
export const onboardingCases: readonly Case[] = [
  {
    route: `GET ${onboarding}/get-welcome-status`,
    lowest: 'administrator',
    stores: false,
    async effect(site) {
      expect(await welcome(site)).toMatchObject({ welcome_cards: [{ id: 'ai' }], addons_banner: false });
      site.clock.now += 8 * 24 * 3600 * 1000;
      expect(await welcome(site)).toMatchObject({ addons_banner: true, list_visible: true });
    },
  },
  {
    route: `POST ${onboarding}/update-welcome-status`,
    lowest: 'administrator',
    stores: true,
    body: { choice: 'blog' },
    missing: { body: {}, answer: noData },
    wrong: { body: { choice: 7 }, answer: noData },
    async effect(site) {
      await admin(site, `POST ${onboarding}/update-welcome-status`, { choice: 'shop' });
      expect(await welcome(site)).toMatchObject({ welcome_choice_done: 'shop' });
    },
    async seen(site) {
      expect((await welcome(site)).welcome_choice_done).toBe('shop');
    },
  },
  {
    route: `POST ${onboarding}/update-addons-banner-status`,
    lowest: 'administrator',
    stores: true,
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
    async seen(site) {
      await admin(site, `POST ${onboarding}/update-addons-banner-status`, { choice: false });
      expect((await welcome(site)).addons_banner).toBe(false);
    },
  },
  {
    route: `GET ${onboarding}/get-steps`,
    lowest: 'administrator',
    // The first request completes the step `connect_domain`.
    stores: true,
    async effect(site) {
      expect((await step(site, 'add_page')).is_completed).toBe(false);
      await site.make('editor', '/pages', { title: 'First page', status: 'publish' });
      const done = await step(site, 'add_page');
      expect(done).toMatchObject({ is_completed: true, primary_button: { title: '', is_completable: true } });
    },
    async seen(site) {
      expect((await pageAt(site, '/cms-audit/?what=StepCompleted')).text).toContain('connect_domain');
    },
  },
  {
    route: `POST ${onboarding}/complete-step`,
    lowest: 'administrator',
    stores: true,
    body: { step_category_id: 'website_setup', step_id: 'add_post' },
    missing: { body: { step_id: 'add_post' }, answer: noData },
    wrong: { body: { step_category_id: ['website_setup'], step_id: 'add_post' }, answer: noData },
    async effect(site) {
      const body = { step_category_id: 'website_setup', step_id: 'search_visibility' };
      expect((await admin(site, `POST ${onboarding}/complete-step`, body)).body).toEqual({ data: { saved: true } });
      expect((await step(site, 'search_visibility')).is_completed).toBe(true);
      expect((await admin(site, `POST ${onboarding}/complete-step`, body)).body).toEqual({ data: { saved: false } });
    },
    async seen(site) {
      expect((await step(site, 'search_visibility')).is_completed).toBe(true);
    },
  },
  {
    route: `POST ${onboarding}/toggle-list-visibility`,
    lowest: 'administrator',
    stores: true,
    async effect(site) {
      const { list_visible: before } = await welcome(site);
      const { body } = await admin(site, `POST ${onboarding}/toggle-list-visibility`);
      expect(body).toEqual({ status: true, new_state: !before });
      expect((await welcome(site)).list_visible).toBe(!before);
    },
    async seen(site) {
      const { list_visible: before } = await welcome(site);
      await admin(site, `POST ${onboarding}/toggle-list-visibility`);
      expect((await welcome(site)).list_visible).toBe(!before);
    },
  },
  {
    route: `POST ${onboarding}/activate-plugin`,
    lowest: 'administrator',
    stores: true,
    body: { plugin: 'shop' },
    missing: { body: {}, answer: noData },
    wrong: { body: { plugin: 7 }, answer: noData },
    async effect(site) {
      await admin(site, `POST ${onboarding}/activate-plugin`, { plugin: 'shop' });
      expect((await website(site)).metadata.plugin_info.active_plugins).toContain('shop');
      expect((await welcome(site)).welcome_cards).toHaveLength(2);
    },
    async seen(site) {
      expect((await site.call('anonymous', 'GET /products')).status).toBe(200);
    },
  },
  {
    route: `POST ${onboarding}/activate-theme`,
    lowest: 'administrator',
    stores: true,
    body: { theme_slug: 'wide' },
    missing: { body: {}, answer: noData },
    wrong: { body: { theme_slug: {} }, answer: noData },
    async effect(site) {
      await admin(site, `POST ${onboarding}/activate-theme`, { theme_slug: 'plain' });
      expect((await website(site)).metadata.theme_info.active_theme).toBe('Plain');
      await admin(site, `POST ${onboarding}/activate-theme`, { theme_slug: 'wide' });
      expect((await website(site)).metadata.theme_info.active_theme).toBe('Wide');
    },
    async seen(site) {
      expect((await pageAt(site, '/')).text).toContain('--width: 60rem');
    },
  },
  {
    route: `POST ${onboarding}/install-ai-theme`,
    lowest: 'administrator',
    stores: true,
    async effect(site) {
      const body = { theme_slug: 'host-ai-theme' };
      await admin(site, `POST ${onboarding}/install-ai-theme`);
      expect((await admin(site, `POST ${onboarding}/install-ai-theme`)).body.code).toBe('data_invalid');
      expect((await admin(site, `POST ${onboarding}/activate-theme`, body)).status).toBe(200);
      expect((await website(site)).metadata.theme_info.active_theme).toBe('Assistant theme');
    },
    async seen(site) {
      expect((await pageAt(site, '/')).text).toContain('--font: Lora');
    },
  },
  {
    route: `GET ${onboarding}/get-tutorials`,
    lowest: 'administrator',
    stores: false,
    async effect(site) {
      const shown = async () => (await admin(site, `GET ${onboarding}/get-tutorials?locale=fr_FR`)).body.data.tutorials;
      expect(await shown()).toEqual([{ id: 'begin', title: 'How to begin', duration: '1:30' }]);
      const tags = [await site.make('editor', '/tags', { name: 'Tutorial' })];
      const content = 'word '.repeat(250);
      await site.make('editor', '/posts', { title: 'Learn this', content, tags, status: 'publish' });
      expect(await shown()).toEqual([{ id: 'learn-this', title: 'Learn this', duration: '1:15' }]);
    },
  },
];
