import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { callPlugin, sendCallback, signatureOf, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';
import { cacheCases } from './cases/cache.ts';
import { hostCases } from './cases/host.ts';
import { onboardingCases } from './cases/onboarding.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('A');
  await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) });
  await site.make('editor', '/posts', { title: 'P', content: 'c', status: 'publish' });
});
afterAll(() => site.close());

const asset = (data: string) => `[{"request_url":"x","queue_k":"desktop http://site.example/p/",${data}}]`;
const along = { _info: '"x"', _note: '"x"', _success: '"x"', _carry_on: '{"usage":1}' };
const known = ['shop', 'website_setup', 'add_page', 'wide', 'cdn', 'setup', 'http://www.site.example'];

/** Every parameter of every POST with a valid value, as JSON. */
const parameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'update-welcome-status': { choice: '"blog"' },
  'update-addons-banner-status': { choice: 'true' },
  'complete-step': { step_category_id: '"website_setup"', step_id: '"add_page"' },
  'toggle-list-visibility': {},
  'activate-plugin': { plugin: '"shop"' },
  'activate-theme': { theme_slug: '"wide"' },
  'install-ai-theme': {},
  toggle_crawler_state: { crawler_id: '1' },
  notify_img: { data: '[1]', server: '"n.optimiser.example"', status: '-5', ...along },
  notify_ccss: { data: asset('"data_ccss":"x"') },
  notify_ucss: { data: asset('"data_ucss":"x"') },
  notify_vpi: { data: asset('"data_vpi":["x"]') },
  check_img: { data: '1' },
  ip_validate: { hash: '"x"' },
  cms_rest_echo: { cmsapi_ts: '1', cmsapi_signature_b64: '"x"' },
  ping: { funcs: '[]', classes: '[]', consts: '[]' },
  cdn_status: { cloud_activated: '"cdn"' },
  err_domains: { main_domain: '"a"', alias: '"http://www.site.example"' },
  'toggle-mcp-plugin': { action: '"setup"' },
  'host-analytics-event': { params: '{"action":"a"}' },
  'update-settings': { maintenance_mode: 'true', disable_xml_rpc: 'true', enable_llms_txt: 'true', optin_mcp: 'true' },
};

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
/** Odd values as JSON, some of them malformed. */
const odd: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e21', '1e308', '1e999', '-1e999', '9007199254740993'],
  ...[
    '""',
    '" "',
    '"1"',
    '"1e3"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"x\\udfff"',
    '"__proto__"',
    '"constructor"',
  ],
  ...[
    JSON.stringify('x'.repeat(70_000)),
    JSON.stringify('\u{1f600}'.repeat(1001)),
    ...known.map((word) => `"${word}"`),
  ],
  ...['[]', '[[1]]', '["1","2"]', '{}', '{"0":1}', '{"__proto__":{"a":1}}', '{"action":"a","n":1e999,"__proto__":{}}'],
  ...['{"usage":1e999}', '{"usage":{"__proto__":{"a":[]}}}', `{"usage":${nested('[', ']', 400)}}`],
  ...[
    '[{"id":1e999}]',
    '[{"id":1,"src_size":1e999,"ori":1,"ori_reduced":-1}]',
    '{"1":{"src_size":9e15,"ori":"x","ori_reduced":1e308}}',
  ],
  ...[asset('"data_ccss":1e999'), asset('"data_vpi":["%","%ff","\\u0000",1]'), asset('"data_ucss":{"a":1}')],
  ...[nested('[', ']', 510), nested('[', ']', 600), nested('{"a":', '}', 500), '[', '{"a"'],
];

const cases = [...onboardingCases, ...cacheCases, ...hostCases];
const posts = cases.filter(({ route }) => route.startsWith('POST'));
const gets = cases.filter(({ route }) => route.startsWith('GET'));
const nameOf = (route: string) => route.split('/').at(-1) ?? '';

let sent = 0;
async function post({ route, lowest }: (typeof cases)[number], fields: Readonly<Record<string, string>>) {
  site.clock.now += 4000;
  sent += 1;
  const members = Object.entries(fields).map(([name, value]) => `"${name}":${value}`);
  const body = `{${[`"nonce":${sent}`, ...members].join()}}`;
  const path = route.replace('POST ', '');
  if (lowest !== 'signed') return callPlugin(site, 'administrator', route, body);
  return sendCallback(site, path, body, signatureOf(site, path, body));
}

describe('any parameter value', () => {
  it.each(posts)('never causes a 5xx in a body: $route', async (one) => {
    const good = parameters[nameOf(one.route)] ?? {};
    expect(parameters).toHaveProperty([nameOf(one.route)]);
    for (const name of [...Object.keys(good), '_fields']) {
      for (const value of odd) {
        const { status } = await post(one, { ...good, [name]: value });
        expect([name, value, status]).toEqual([name, value, expect.toSatisfy((code: number) => code < 500)]);
      }
    }
  });

  it.each(gets)('never causes a 5xx in a query: $route', async ({ route }) => {
    for (const value of ['', '%00', '%ff', '%ED%A0%80', 'de', 'x'.repeat(8000), '__proto__']) {
      for (const query of [`locale=${value}`, `locale[]=${value}`, `locale[a][b]=${value}`, `_fields=${value}`]) {
        const { status } = await callPlugin(site, 'administrator', `${route}?${query}`);
        expect([query, status]).toEqual([query, expect.toSatisfy((code: number) => code < 500)]);
      }
    }
  });

  it('leaves only valid events in the log', () => {
    const definitions = new Map(codec.definitions.map((definition) => [definition.type, definition]));
    for (const stored of site.node.log.read({})) {
      const { type, data } = codec.decode(stored);
      const read = definitions.get(type)?.schema.safeParse(data);
      expect([stored.position, type, read?.error?.message]).toEqual([stored.position, type, undefined]);
    }
  });

  it('leaves the same state after a rebuild', async () => {
    const shown = async () => {
      const paths = ['/cache/v1/cloud', '/cache/v1/assets/2', '/host-easy-onboarding/v1/get-welcome-status'];
      return Promise.all(paths.map(async (path) => (await callPlugin(site, 'administrator', `GET ${path}`)).text));
    };
    const before = await shown();
    await site.rebuild();
    expect(await shown()).toEqual(before);
  });
});
