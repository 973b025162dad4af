import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '#catalogue/plugin-settings.ts';
import { pluginReader } from '#commands/plugin-model.ts';
import { showSteps } from '#plugins/onboarding/steps.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import { openShop } from '../../support/shop.ts';
import { BASE, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeEach(async () => {
  site = await startPluginSite('B');
});
afterEach(() => site.close());

const root = '/host-easy-onboarding/v1';
const admin = (request: string, body?: unknown) => callPlugin(site, 'administrator', request, body);

interface Step {
  readonly id: string;
  readonly is_completed: boolean;
  readonly error_message: string;
  readonly primary_button: { readonly url: string };
}

async function categories(): Promise<readonly { id: string; steps: readonly Step[] }[]> {
  return (await admin(`GET ${root}/get-steps`)).body.data.steps;
}

async function done(): Promise<readonly string[]> {
  const steps = (await categories()).flatMap((category) => category.steps);
  return steps.filter(({ is_completed }) => is_completed).map(({ id }) => id);
}

const complete = async (step_id: string) =>
  (await admin(`POST ${root}/complete-step`, { step_category_id: 'online_store_setup', step_id })).body;
const eventsSince = (position: number) => [...site.node.log.read({ from: position + 1 })].map(({ type }) => type);
const last = <T>(list: readonly T[]): T | undefined => list.at(-1);

describe('the onboarding steps', () => {
  it('are completed by the content of the site', async () => {
    expect(await done()).toEqual(['connect_domain']);
    const id = await site.make('editor', '/posts', { title: 'A', content: 'b' });
    expect(await done()).not.toContain('add_post');
    await site.call('editor', `PUT /posts/${id}`, { status: 'publish' });
    expect(await done()).toContain('add_post');
    await site.call('editor', `PUT /posts/${id}`, { title: 'Other' });
    expect(await done()).not.toContain('edit_description');
    await site.call('editor', `PUT /posts/${id}`, { content: 'other' });
    expect(await done()).toContain('edit_description');
    await uploadBody(site, 'author', { name: 'a.txt', type: 'text/plain', bytes: 'words' });
    expect(await done()).not.toContain('image_upload');
    await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) });
    expect(await done()).toContain('image_upload');
  });

  it('are completed by the first published product, but not by unpublished entries', async () => {
    await openShop(site);
    const id = await site.make('editor', '/products', { title: 'Lamp' });
    for (const status of ['private', 'pending']) {
      await site.make('editor', '/pages', { title: status, status });
      await site.make('editor', '/posts', { title: status, status });
    }
    expect(await done()).toEqual(['connect_domain']);
    await site.call('editor', `PUT /products/${id}`, { status: 'publish' });
    expect(await done()).toEqual(['connect_domain', 'add_product']);
  });

  it('are completed when a scheduled page is published', async () => {
    await site.make('editor', '/pages', { title: 'Later', status: 'future', date_gmt: '2026-03-01T12:00:00' });
    expect(await done()).not.toContain('add_page');
    site.clock.now += 2 * 3600 * 1000;
    site.node.start();
    await expect.poll(done).toContain('add_page');
  });

  it('are completed when the site starts under another name', async () => {
    await site.close();
    const env = { SITE_NAME: 'First name' };
    site = await startSite({ env });
    expect(await done()).not.toContain('edit_site_title');
    env.SITE_NAME = 'Second name';
    await site.restart();
    expect(await done()).toContain('edit_site_title');
  });

  it('are completed in the commit that causes it, or not at all', async () => {
    expect(await done()).toEqual(['connect_domain']);
    const before = site.position();
    const publish = { path: '/cms/v2/pages', body: { title: 'A', status: 'publish' } };
    const broken = { path: '/cms/v2/posts/999', body: { title: 'B' } };
    const requests = { validation: 'require-all-validate', requests: [publish, broken] };
    await site.call('editor', 'POST /cms-json/batch/v1', requests);
    expect([site.position(), await done()]).toEqual([before, ['connect_domain']]);
    await site.make('editor', '/pages', { title: 'A', status: 'publish' });
    const written = [...site.node.log.read({ from: before + 1 })];
    expect(written.map(({ type }) => type)).toEqual(['EntryCreated', 'StepCompleted', 'EntryCreated']);
    expect(new Set(written.map(({ commit }) => commit.id)).size).toBe(1);
  });

  it('are completed once', async () => {
    await site.make('editor', '/pages', { title: 'A', status: 'publish' });
    const position = site.position();
    const body = { step_category_id: 'website_setup', step_id: 'add_page' };
    expect((await admin(`POST ${root}/complete-step`, body)).body).toEqual({ data: { saved: false } });
    await site.make('editor', '/pages', { title: 'B', status: 'publish' });
    expect(eventsSince(position)).toEqual(['EntryCreated']);
  });

  it.each([
    'http://localhost:8080',
    'http://intranet',
    'http://192.0.2.1',
    'http://[2001:db8::1]',
    'http://a.localhost',
  ])('do not complete connect_domain for the address %s until that is done manually', async (SITE_URL) => {
    await site.close();
    site = await startPluginSite('B', {}, { env: { SITE_URL } });
    expect(await done()).toEqual([]);
    const search = async () => (await categories())[0]?.steps.find(({ id }) => id === 'search_visibility');
    expect(await search()).toMatchObject({ error_message: 'Connect a domain first.' });
    await admin(`POST ${root}/complete-step`, { step_category_id: 'website_setup', step_id: 'connect_domain' });
    expect([await done(), (await search())?.error_message]).toEqual([['connect_domain'], '']);
  });

  it('contain all properties, and empty buttons once they are completed', async () => {
    const blank = {
      title: '',
      is_skippable: false,
      is_theme_needed: false,
      url: '',
      modal_name: '',
      is_completable: true,
    };
    const [website] = await categories();
    expect(Object.keys(website ?? {})).toEqual(['title', 'id', 'steps']);
    const stepOf = (id: string) => website?.steps.find((step) => step.id === id);
    expect(stepOf('add_page')).toEqual({
      ...{ id: 'add_page', is_completed: false, title: 'Add a page', description: expect.any(String), image_url: '' },
      primary_button: { ...blank, title: 'Write a page', url: `${BASE}/pages`, modal_name: 'add_page' },
      secondary_button: blank,
      error_message: '',
    });
    expect(stepOf('search_visibility')).toMatchObject({
      secondary_button: { ...blank, title: 'Skip', is_skippable: true },
    });
    expect(stepOf('connect_domain')).toMatchObject({
      is_completed: true,
      primary_button: blank,
      secondary_button: blank,
    });
  });

  it('require a domain before search_visibility on preview sites', async () => {
    const search = async () => (await categories())[0]?.steps.find(({ id }) => id === 'search_visibility');
    expect((await search())?.error_message).toBe('');
    await site.close();
    site = await startPluginSite('B', { previewSuffix: '.example' });
    expect((await search())?.error_message).not.toBe('');
  });
});

describe('a step', () => {
  it('counts as completed by the content of the site, even without its event', async () => {
    await openShop(site);
    const media = await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) });
    expect(media.status).toBe(201);
    for (const path of ['/posts', '/pages', '/products'])
      await site.make('editor', path, { title: 'A', status: 'publish' });
    const { reader } = site.node.store;
    const forgetful = new Proxy(reader, {
      get: (from, name) => {
        const value = Reflect.get(from, name);
        if (name !== 'plugin') return typeof value === 'function' ? value.bind(from) : value;
        return (area: { empty: unknown; name: string }) =>
          area.name === 'host-onboarding' ? area.empty : from.plugin(area as never);
      },
    });
    const plugins = () => [{ slug: 'shop', name: 'Shop', active: true }];
    const call = { model: pluginReader(forgetful), plugins, settings: () => defaultSettings };
    const { steps } = showSteps(call as never).data;
    const shown = steps.flatMap((one) => one.steps).filter((step) => step.is_completed);
    expect(shown.map(({ id }) => id)).toEqual([
      'add_page',
      'add_post',
      'image_upload',
      'connect_domain',
      'add_product',
    ]);
  });

  it('links to where it is done, and so does every card', async () => {
    await openShop(site);
    const steps = (await categories()).flatMap((one) => one.steps);
    const open = new Map(steps.map(({ id, primary_button }) => [id, primary_button.url]));
    expect(open.get('edit_site_title')).toBe(`${BASE}/settings`);
    expect(open.get('image_upload')).toBe(`${BASE}/media`);
    expect(open.get('add_product')).toBe(`${BASE}/products`);
    expect(open.get('search_visibility')).toBe('http://site.example/sitemap.xml');
    const { status } = await fetch(`http://127.0.0.1:${site.port}/sitemap.xml`);
    expect(status).toBe(200);
    const { welcome_cards } = (await admin(`GET ${root}/get-welcome-status`)).body.data;
    expect(welcome_cards.map(({ link }: { link: string }) => link).sort()).toEqual([
      `${BASE}/products`,
      'http://site.example/cms-json/host-ai-assistant/v1/website',
    ]);
  });
});

describe('the shop plugin', () => {
  it('adds its category of steps, and is activated once', async () => {
    expect((await categories()).map(({ id }) => id)).toEqual(['website_setup']);
    expect((await admin(`POST ${root}/activate-plugin`, { plugin: 'shop' })).body).toEqual({ data: '' });
    expect((await categories()).map(({ id }) => id)).toEqual(['website_setup', 'online_store_setup']);
    const again = await admin(`POST ${root}/activate-plugin`, { plugin: 'shop' });
    expect([again.status, again.body.code, again.body.data.errors.plugin]).toEqual([
      400,
      'data_invalid',
      'It is already active.',
    ]);
  });

  it.each([
    ['cache', 'It is already active.'],
    ['theme-blocks', 'It is not installed.'],
    ['none', 'It is not installed.'],
  ])('is the only plugin that can be activated: %s', async (plugin, message) => {
    const { body } = await admin(`POST ${root}/activate-plugin`, { plugin });
    expect(body).toMatchObject({ code: 'data_invalid', data: { status: 400, errors: { plugin: message } } });
  });

  it('records two analytics events, once each, and completes store_tasks', async () => {
    const position = site.position();
    expect(await complete('add_product')).toEqual({ data: { saved: true } });
    await complete('add_payment_method');
    expect(last(eventsSince(position))).toBe('AnalyticsEventRecorded');
    await complete('setup_store');
    await complete('add_shipping_method');
    const counted = eventsSince(position).filter((type) => type === 'AnalyticsEventRecorded');
    expect(counted).toHaveLength(2);
    await admin(`POST ${root}/activate-plugin`, { plugin: 'shop' });
    expect(await done()).toContain('store_tasks');
  });

  it('adds no steps before its activation', async () => {
    const body = { step_category_id: 'website_setup', step_id: 'store_tasks' };
    expect((await admin(`POST ${root}/complete-step`, body)).body.data.errors).toHaveProperty('step_id');
  });
});

describe('tutorials', () => {
  const tutorials = async (query = '') => (await admin(`GET ${root}/get-tutorials${query}`)).body.data.tutorials;

  it('are those of the operator, by the language of the locale, unless the site has its own', async () => {
    const list = (title: string) => [{ id: 'a', title, duration: '0:30' }];
    await site.close();
    site = await startPluginSite('B', { tutorials: { en: list('Begin'), de: list('Anfang') } });
    expect([await tutorials(), await tutorials('?locale=de_AT'), await tutorials('?locale=DE')]).toEqual([
      list('Begin'),
      list('Anfang'),
      list('Anfang'),
    ]);
    expect([await tutorials('?locale=fr'), await tutorials('?locale=')]).toEqual([list('Begin'), list('Begin')]);
  });

  it('are the public posts tagged tutorial, with their reading time', async () => {
    const tags = [await site.make('editor', '/tags', { name: 'tutorial' })];
    const write = (title: string, more: object) => site.make('editor', '/posts', { title, tags, ...more });
    await write('Draft', { status: 'draft' });
    await write('Private', { status: 'private' });
    expect(await tutorials()).toEqual([{ id: 'begin', title: 'How to begin', duration: '1:30' }]);
    await write('Short &amp; sweet', { content: 'word '.repeat(3), status: 'publish' });
    expect(await tutorials()).toEqual([{ id: 'short-sweet', title: 'Short & sweet', duration: '0:01' }]);
  });
});

describe('the assistant theme', () => {
  it('is installed once, and not when the operator provides it', async () => {
    const install = () => admin(`POST ${root}/install-ai-theme`);
    expect([(await install()).body, (await install()).body.code]).toEqual([{ data: '' }, 'data_invalid']);
    await site.close();
    site = await startPluginSite('B', { themes: [{ slug: 'host-ai-theme', name: 'Own' }] });
    expect((await install()).body.data.errors).toEqual({ theme_slug: 'It is already installed.' });
  });

  it('is used when it is activated; activating it again appends nothing', async () => {
    await admin(`POST ${root}/install-ai-theme`);
    const used = async () =>
      (await admin('GET /host-ai-assistant/v1/website')).body.data.metadata.theme_info.active_theme;
    expect(await used()).toBe('Plain');
    const choose = () => admin(`POST ${root}/activate-theme`, { theme_slug: 'host-ai-theme' });
    await choose();
    expect(await used()).toBe('Assistant theme');
    const position = site.position();
    expect((await choose()).body).toEqual({ data: '' });
    expect(site.position()).toBe(position);
  });
});

describe('welcome choice, add-ons banner and step list', () => {
  it('append an event only when they change', async () => {
    const before = site.position();
    for (const choice of ['blog', 'blog', 'shop']) await admin(`POST ${root}/update-welcome-status`, { choice });
    for (const choice of [false, false]) await admin(`POST ${root}/update-addons-banner-status`, { choice });
    for (let i = 0; i < 2; i += 1) await admin(`POST ${root}/toggle-list-visibility`);
    expect(eventsSince(before)).toEqual([
      ...['WelcomeChoiceMade', 'WelcomeChoiceMade', 'AddonsBannerSet', 'StepListToggled', 'StepListToggled'],
    ]);
    expect((await admin(`GET ${root}/get-welcome-status`)).body.data).toMatchObject({
      welcome_choice_done: 'shop',
      list_visible: true,
    });
  });

  it('are shown with a card for each available plugin', async () => {
    const [card] = (await admin(`GET ${root}/get-welcome-status?locale=de`)).body.data.welcome_cards;
    expect(Object.keys(card)).toEqual(['id', 'image', 'title', 'link', 'description']);
  });
});

describe('invalid data', () => {
  it('is reported by field', async () => {
    const { body } = await admin(`POST ${root}/complete-step`, {});
    expect(Object.keys(body.data.errors)).toEqual(['step_category_id', 'step_id']);
    const long = await admin(`POST ${root}/update-welcome-status`, { choice: 'x'.repeat(1001) });
    expect(long.body.data.errors.choice).toMatch(/longer than 1000/);
  });

  it('is reported for an unknown category, otherwise for the step', async () => {
    const errors = async (step_category_id: string, step_id: string) =>
      Object.keys((await admin(`POST ${root}/complete-step`, { step_category_id, step_id })).body.data.errors);
    expect(await errors('none', 'add_page')).toEqual(['step_category_id']);
    expect(await errors('website_setup', 'setup_store')).toEqual(['step_id']);
    expect(await errors('online_store_setup', 'add_page')).toEqual(['step_id']);
  });

  it.each(['__proto__', 'constructor', 'toString'])('includes names of object members: %s', async (name) => {
    expect((await admin(`POST ${root}/activate-theme`, { theme_slug: name })).body.code).toBe('data_invalid');
    const body = { step_category_id: name, step_id: name };
    expect((await admin(`POST ${root}/complete-step`, body)).body.code).toBe('data_invalid');
    expect((await admin(`GET ${root}/get-tutorials?locale=${name}`)).body.data.tutorials).toHaveLength(1);
  });
});
