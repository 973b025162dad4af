import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iconLibrary, maxDrawn } from '#plugins/builder/icons-area.ts';
import { maxStyled } from '#plugins/builder/styles-area.ts';
import { admin } from '../../support/node.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('B');
});
afterAll(() => site.close());

const post = (path: string, body: unknown) => callPlugin(site, 'contributor', `POST /builder/${path}`, body);
const get = async (path: string, of: Site = site) =>
  (await callPlugin(of, 'contributor', `GET /builder/v2/${path}`)).body;

describe('a library of limited size', () => {
  it('accepts icons until it is full, then only replacements, sorting and deletions', async () => {
    const icon = (text: string) => `<svg><title>${text}</title></svg>`;
    const big = icon('x'.repeat(60_000));
    const max = Math.floor(maxDrawn / (big.length + 6));
    await site.node.store.submit(admin, (session) => {
      const saved = Array.from({ length: max }, (_, n) => ({ key: `icon-${n}`.padEnd(7), name: '', icon: big }));
      session.stage(
        iconLibrary.stream,
        saved.map((data) => ({ type: 'IconSaved', data })),
      );
    });
    const save = async (key: string, drawing: string) =>
      (await post('v3/update_icon_library', { key, icon: drawing })).body;
    const answer = await save('one too many', big);
    expect(answer.data).toMatchObject({ status: 400, details: { icon: { code: 'invalid_param' } } });
    expect((await save('icon-0 ', icon('small')))[0].icon).toBe(icon('small'));
    expect(await save('another', big)).toHaveLength(max + 1);
    expect((await post('v3/sort_icon_library', { oldIndex: max })).body[0].key).toBe('another');
    expect((await post('v3/delete_from_icon_library', { key: 'another' })).body).toHaveLength(max);
  });

  it('refuses a name that is longer than the event allows', async () => {
    const style = { block: 'b', slug: 's', name: 'n'.repeat(201), data: 'd', save: 's' };
    expect((await post('v2/update_block_style', style)).status).toBe(400);
  });

  it('accepts styles until it is full', async () => {
    const save = async (slug: string, text: string) =>
      (await post('v2/update_block_style', { block: 'b', slug, data: text, name: 'Big', save: text })).body;
    const [big, max] = ['x'.repeat(256 * 1024), Math.floor(maxStyled / (2 * 256 * 1024 + 10))];
    for (let n = 0; n < max; n++) expect(await save(`s-${n}`, big)).toBe(true);
    expect((await save('one too many', big)).data).toMatchObject({
      ...{ status: 400, details: { data: { code: 'invalid_param' } } },
    });
    expect((await get('design_library')).block_styles[0].styles).toHaveLength(max);
    expect(await save('s-0', '')).toBe(true);
    expect(await save('another', big)).toBe(true);
  });
});

describe('the design library', () => {
  const shown = { description: expect.any(String), category: expect.any(String), plan: 'free' };

  it('lists its designs with URLs, which return their contents', async () => {
    const { v3 } = await get('design_library');
    expect(Object.keys(v3).length).toBeGreaterThan(3);
    for (const [designId, design] of Object.entries(v3)) {
      const template = `http://site.example/cms-json/builder/v2/design/v3/${designId}`;
      expect(design).toEqual({ ...shown, designId, label: expect.any(String), image: expect.any(String), template });
      expect(await get(`design/any-version/${designId}`)).toEqual({
        ...(design as object),
        content: expect.any(String),
      });
    }
  });

  it('is refreshed by any form of the reset parameter', async () => {
    const revision = async (query = '') => (await get(`design_library${query}`)).revision;
    const before = await revision();
    for (const query of ['/reset', '?reset=1', '?reset=reset', '?reset=true']) await revision(query);
    for (const query of ['/reset?reset=', '?reset=', '?reset=0', '?reset=false', '']) await revision(query);
    expect(await revision()).toBe(before + 4);
  });

  it('offers no pages when the operator disables that', async () => {
    const own = await startPluginSite('B', { designDevMode: false });
    const page = await own.make('editor', '/pages', { title: 'Landing', content: 'c', status: 'publish' });
    const on = { devmode: true };
    const { body } = await callPlugin(own, 'contributor', 'POST /builder/v2/design_library_dev_mode', on);
    expect(body).toBe(true);
    expect(Object.keys((await get('design_library', own)).v3)).toContain('hero-1');
    expect((await get(`design/v3/page-${page}`, own)).code).toBe('builder_design_not_found');
    await own.close();
  });
});

describe('a shared design', () => {
  const day = 24 * 60 * 60 * 1000;
  const share = async (custom_php: string) => (await post('v3/generate_hash', { custom_php })).body;
  const visit = (hash: string) => fetch(`http://127.0.0.1:${site.port}/shared-designs/${hash}/`);
  const shown = async (hash: string) => (await visit(hash)).status;

  it('is visible to everybody with its URL, not cacheable, and without scripts', async () => {
    const answer = await visit(await share('team-1'));
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/<h2[^>]*>Who we are<\/h2>/)]);
    const { headers } = answer;
    expect([headers.get('x-robots-tag'), headers.get('cache-control')]).toEqual(['noindex', 'no-store']);
    expect([headers.get('referrer-policy')]).toEqual(['no-referrer']);
    expect(headers.get('content-security-policy')).toContain("script-src 'none'");
  });

  it('may be a page of the site, as long as that is public', async () => {
    const id = await site.make('editor', '/pages', { title: 'Landing', content: '<p>Here</p>', status: 'publish' });
    const hash = await share(`page-${id}`);
    expect(await (await visit(hash)).text()).toContain('<p>Here</p>');
    await site.call('editor', `POST /pages/${id}`, { status: 'draft' });
    expect(await shown(hash)).toBe(404);
    expect(await shown(await share(`page-${id}`))).toBe(404);
  });

  it('is available for seven days, renewed by sharing it again later', async () => {
    const hash = await share('hero-1');
    const position = site.position();
    site.clock.now += 3 * day;
    expect([await share('hero-1'), site.position()]).toEqual([hash, position]);
    site.clock.now += day;
    await share('hero-1');
    expect(site.position()).toBe(position + 1);
    site.clock.now += 6.9 * day;
    expect(await shown(hash)).toBe(200);
    site.clock.now += 0.2 * day;
    expect(await shown(hash)).toBe(404);
  });

  it('is listed with its URL, and revoked by editors', async () => {
    const hash = await share('pricing-1');
    const [one, ...others] = await get('shared_designs');
    expect([one.design, one.link, others]).toEqual(['pricing-1', `http://site.example/shared-designs/${hash}/`, []]);
    const withdraw = (as: 'editor' | 'contributor') =>
      callPlugin(site, as, `DELETE /builder/v2/shared_designs/${hash}`);
    expect((await withdraw('contributor')).status).toBe(403);
    expect((await withdraw('editor')).body).toEqual({ deleted: true });
    expect([await shown(hash), await get('shared_designs')]).toEqual([404, []]);
    expect((await withdraw('editor')).status).toBe(404);
  });

  it('is not created for a text that names no design, and its URL is not in the log', async () => {
    const position = site.position();
    expect(await shown(await share('phpinfo();'))).toBe(404);
    expect(site.position()).toBe(position);
    const hash = await share('features-1');
    expect(JSON.stringify([...site.node.log.read({})])).not.toContain(hash);
  });
});

describe('global styles', () => {
  const front = async () => (await fetch(`http://127.0.0.1:${site.port}/`)).text();

  it('apply to every page, and are changed by administrators only', async () => {
    const { body } = await site.call('administrator', 'GET /themes?status=active');
    const href: string = body[0]._links['cms:user-global-styles'][0].href;
    const path = `POST ${new URL(href).pathname}`;
    const styles = { color: { background: 'linen' }, elements: { link: { color: { text: 'teal' } } } };
    expect((await site.call('editor', path, { styles })).status).toBe(403);
    expect(await front()).not.toContain('linen');
    expect((await site.call('administrator', path, { styles })).status).toBe(200);
    expect(await front()).toContain('body { background-color: linen; }\na { color: teal; }');
    await site.call('administrator', path, { styles: {} });
    expect(await front()).not.toContain('linen');
  });
});

describe('an icon of the library', () => {
  it('is served as a sandboxed image until it is deleted', async () => {
    const { body } = await post('v3/update_icon_library', {
      name: 'Star',
      icon: '<svg><path d="M0 0"/><script>x</script></svg>',
    });
    const { key } = body.find(({ name }: { name: string }) => name === 'Star');
    const show = () => fetch(`http://127.0.0.1:${site.port}/cms-json/builder/v3/icons/${key}`);
    const shown = await show();
    const { headers } = shown;
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['image/svg+xml', 'nosniff']);
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(await shown.text()).toMatch(/^<svg[^>]*><path d="M0 0"/);
    await post('v3/delete_from_icon_library', { key });
    expect((await show()).status).toBe(404);
  });
});
