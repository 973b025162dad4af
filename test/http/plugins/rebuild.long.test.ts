import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callback, callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

type Act = (site: Site) => Promise<unknown>;

const post =
  (route: string, body: unknown): Act =>
  (site) =>
    callPlugin(site, 'administrator', `POST ${route}`, body);
const get =
  (route: string): Act =>
  (site) =>
    callPlugin(site, 'administrator', `GET ${route}`);
const told =
  (route: string, body: Record<string, unknown>): Act =>
  (site) =>
    callback(site, route, body);
const written =
  (path: string, body: unknown): Act =>
  (site) =>
    site.call('editor', path, body);
const designed =
  (path: string, body: unknown): Act =>
  (site) =>
    site.call('administrator', path, body);
const onboarding = '/host-easy-onboarding/v1';
const link = 'http://site.example/one/';

const report = (data: unknown, status: number) => ({ data, status, server: 'n.optimiser.example' });
const picture =
  (width: number): Act =>
  (site) =>
    uploadBody(site, 'editor', { name: 'a.png', type: 'image/png', bytes: pngOf(width, 2) });

const truth = fc.boolean();
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom('blog', 'shop').map((choice) => post(`${onboarding}/update-welcome-status`, { choice })),
  truth.map((choice) => post(`${onboarding}/update-addons-banner-status`, { choice })),
  fc
    .constantFrom('setup_store', 'add_product', 'add_payment_method', 'add_shipping_method')
    .map((id) => post(`${onboarding}/complete-step`, { step_category_id: 'online_store_setup', step_id: id })),
  fc.constant(post(`${onboarding}/toggle-list-visibility`, {})),
  fc.constant(post(`${onboarding}/activate-plugin`, { plugin: 'shop' })),
  fc
    .constantFrom('wide', 'plain', 'host-ai-theme')
    .map((slug) => post(`${onboarding}/activate-theme`, { theme_slug: slug })),
  fc.constant(post(`${onboarding}/install-ai-theme`, {})),
  fc.nat(2).map((crawler_id) => post('/cache/v1/toggle_crawler_state', { crawler_id })),
  fc.constantFrom('setup', 'deny').map((action) => post('/host-ai-assistant/v1/toggle-mcp-plugin', { action })),
  fc
    .constantFrom('a', 'cms.preview_site')
    .map((action) => post('/host-analytics/v1/host-analytics-event', { params: { action, n: 1 } })),
  fc.constant(get('/host-analytics/v1/host-analytics-experiments')),
  fc.record({ force_www: truth, optin_mcp: truth }).map((body) => post('/host-tools-plugin/v1/update-settings', body)),
  fc.constant(get('/host-tools-plugin/v1/regenerate-bypass-code')),
  fc
    .constantFrom('linked', 'cdn', 'deleted')
    .map((status) => told('/cache/v3/cdn_status', { cloud_activated: status })),
  fc.constantFrom('ccss', 'ucss', 'vpi').map((kind) =>
    told(`/cache/v1/notify_${kind}`, {
      data: [{ request_url: link, queue_k: `desktop ${link}`, [`data_${kind}`]: kind === 'vpi' ? ['x'] : 'x{}' }],
      _carry_on: { usage: { kind } },
      _info: kind,
    }),
  ),
  fc.constantFrom('index', 'single').map((slug) => designed('POST /templates', { slug, content: 'One' })),
  fc
    .tuple(fc.constantFrom('index', 'single', 'index-2', 'single__trashed'), fc.constantFrom('a', 'b'))
    .map(([slug, title]) => designed(`PUT /templates/plain//${slug}`, { title })),
  fc
    .constantFrom('index', 'single')
    .map((slug) => designed(`POST /templates/plain//${slug}/autosaves`, { content: 'x' })),
  fc
    .tuple(fc.constantFrom('index', 'single', 'single__trashed'), truth)
    .map(([slug, force]) => designed(`DELETE /templates/plain//${slug}?force=${force}`, undefined)),
  fc.constantFrom('a', 'b').map((title) => designed('PUT /global-styles/1', { title })),
  fc
    .constantFrom('publish', 'draft')
    .map((status) => written('POST /posts', { title: 'One', slug: 'one', content: 'c', status })),
  fc.nat(12).map((id) => written(`PUT /posts/${id}`, { content: `${id}`, status: 'publish' })),
  fc.nat(12).map((id) => written(`DELETE /posts/${id}?force=true`, undefined)),
  fc.nat(12).map((id) => written(`DELETE /media/${id}?force=true`, undefined)),
  fc.integer({ min: 1, max: 9 }).map(picture),
  fc
    .nat(12)
    .map((id) => told('/cache/v1/notify_img', report({ [id]: { src_size: 9, webp: 'a', webp_reduced: id } }, 6))),
  fc.nat(12).map((id) => told('/cache/v1/notify_img', report([id], -5))),
  fc.constant(told('/cache/v1/notify_img', {})),
  fc
    .constantFrom('http://site.example', 'http://www.site.example')
    .map((alias) => told('/cache/v3/err_domains', { main_domain: 'site.example', alias })),
);

const reads = [
  ...['get-welcome-status', 'get-steps', 'get-tutorials'].map((name) => `${onboarding}/${name}`),
  ...['/cache/v1/cloud', '/cache/v1/tool/check_ip', ...Array.from({ length: 12 }, (_, i) => `/cache/v1/assets/${i}`)],
  ...['/host-ai-assistant/v1/website', '/host-analytics/v1/host-analytics-experiments'],
  ...['/host-tools-plugin/v1/get-settings', '/', '/cache/v1'],
  ...['/cms/v2/templates?context=edit', '/cms/v2/global-styles/1', '/cms/v2/global-styles/1/revisions'],
];

/** Returns all answers of plugins as text. */
async function answers(site: Site): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of reads) texts.push((await callPlugin(site, 'administrator', `GET ${path}`)).text);
  texts.push((await callback(site, '/cache/v3/ping', { funcs: ['gzip'] })).text);
  for (let data = 1; data < 12; data += 1) texts.push((await callback(site, '/cache/v1/check_img', { data })).text);
  return texts;
}

describe('all answers of plugins', () => {
  it('are the same after a rebuild and after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: 25 }), async (sequence) => {
        const site = await startPluginSite('A');
        for (const act of sequence) {
          site.clock.now += 60_000;
          await act(site);
        }
        // Some documents are created by the first request for them.
        await answers(site);
        const before = await answers(site);
        await site.rebuild();
        expect(await answers(site)).toEqual(before);
        await site.restart();
        expect(await answers(site)).toEqual(before);
        await site.close();
      }),
      { numRuns: 12 },
    );
  });
});
