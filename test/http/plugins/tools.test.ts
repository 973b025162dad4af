import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { performOn } from '#ops/perform.ts';
import { verbs } from '#ops/verbs.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import { type Site, startSite } from '../../support/site.ts';
import { fetchFile, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('A');
  await site.make('editor', '/posts', { title: 'A post', content: 'What is in it.', status: 'publish' });
  await site.make('editor', '/posts', { title: 'Not yet', status: 'draft' });
  await site.make('editor', '/posts', { title: 'Secret', content: 'Hidden words.', password: 'x', status: 'publish' });
  await site.make('editor', '/pages', { title: 'About *us*', status: 'publish' });
});
afterAll(() => site.close());

const off = {
  ...{ maintenance_mode: false, force_https: false, force_www: false, enable_llms_txt: false },
  ...{ disable_authentication_password: false },
};
const update = (changes: Record<string, unknown>) =>
  callPlugin(site, 'administrator', 'POST /host-tools-plugin/v1/update-settings', changes);
const settings = async () =>
  (await callPlugin(site, 'administrator', 'GET /host-tools-plugin/v1/get-settings')).body.data;
const visit = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual', headers });
/** Returns the target of the redirect for a host name. */
const leadsTo = (host: string) =>
  new Promise<string | undefined>((resolve, reject) => {
    const headers = { host, 'x-forwarded-proto': 'https' };
    const sent = request({ host: '127.0.0.1', port: site.port, path: '/a-post/', headers }, (response) => {
      response.resume().on('end', () => resolve(response.headers.location));
    });
    sent.on('error', reject).end();
  });
const url = async () => (await callPlugin(site, 'anonymous', 'GET /?_fields=url')).body.url;

beforeEach(async () => {
  await update(off);
});

describe('maintenance mode', () => {
  it('answers pages with 503 and leaves the REST interface open', async () => {
    await update({ maintenance_mode: true });
    for (const path of ['/', '/a-post/', '/a-post/embed/', '/nowhere/']) {
      const page = await visit(path);
      expect([path, page.status, page.headers.get('retry-after')]).toEqual([path, 503, '600']);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(await page.text()).not.toContain('What is in it.');
    }
    expect((await site.call('anonymous', 'GET /posts')).status).toBe(200);
    await update({ maintenance_mode: false });
    expect((await visit('/a-post/')).status).toBe(200);
  });

  it('applies to every page and method, but not to files', async () => {
    const { body: media } = await uploadBody(site, 'author', { name: 'a.txt', type: 'text/plain', bytes: 'words' });
    await update({ maintenance_mode: true, enable_llms_txt: true });
    for (const method of ['GET', 'HEAD', 'POST']) {
      for (const path of [
        '/',
        '/?p=1',
        '/llms.txt',
        '/author/editor/',
        '/?bypass_code[]=x',
        '/%00',
        '/?bypass_code=%ff',
      ]) {
        const page = await fetch(`http://127.0.0.1:${site.port}${path}`, { method });
        expect([method, path, page.status]).toEqual([method, path, 503]);
      }
    }
    expect((await fetchFile(site, media.source_url)).status).toBe(200);
    for (const cookie of ['bypass_code', 'bypass_code=', '=;;bypass_code=x=y', `bypass_code=${'x'.repeat(4000)}`]) {
      expect((await visit('/a-post/', { cookie })).status).toBe(503);
    }
  });

  it('admits administrators, but no other users', async () => {
    await update({ maintenance_mode: true });
    const as = (role: 'administrator' | 'editor') => visit('/a-post/', { authorization: site.authorization(role) });
    expect([(await as('administrator')).status, (await as('editor')).status]).toEqual([200, 503]);
  });

  it('admits visitors with the bypass code, and remembers them until it changes', async () => {
    const { bypass_code: code } = await settings();
    await update({ maintenance_mode: true });
    expect((await visit('/a-post/?bypass_code=')).status).toBe(503);
    expect((await visit(`/a-post/?bypass_code=${code.toLowerCase()}x`)).status).toBe(503);
    const page = await visit(`/a-post/?bypass_code=${code}`);
    expect(page.status).toBe(200);
    const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
    expect(page.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    expect((await visit('/a-post/', { cookie: `other=1; ${cookie}` })).status).toBe(200);
    await callPlugin(site, 'administrator', 'GET /host-tools-plugin/v1/regenerate-bypass-code');
    expect((await visit('/a-post/', { cookie })).status).toBe(503);
  });

  it('does not accept an empty code', async () => {
    const fresh = await startPluginSite('A');
    await callPlugin(fresh, 'administrator', 'POST /host-tools-plugin/v1/update-settings', { maintenance_mode: true });
    const page = await fetch(`http://127.0.0.1:${fresh.port}/?bypass_code=`, { headers: { cookie: 'bypass_code=' } });
    expect(page.status).toBe(503);
    await fresh.close();
  });
});

describe('the address of the site', () => {
  it('changes to https when that is forced, with a redirect of pages', async () => {
    await update({ force_https: true });
    expect(await url()).toBe('https://site.example');
    const page = await visit('/a-post/?x=1');
    expect([page.status, page.headers.get('location')]).toEqual([301, 'https://site.example/a-post/?x=1']);
    expect((await visit('/a-post/', { 'x-forwarded-proto': 'https' })).status).toBe(200);
    expect((await site.call('anonymous', 'GET /posts')).status).toBe(200);
  });

  it('changes back when https is no longer forced, by REST and on the command line', async () => {
    const other = await startPluginSite('A');
    const perform = performOn(other.node.store, verbs, (error) => expect.unreachable(String(error)));
    const force = (state: 'on' | 'off') => perform('tools set', { tool: 'force_https', state });
    const address = async () => (await callPlugin(other, 'anonymous', 'GET /?_fields=url')).body.url;
    await force('on');
    expect(await address()).toBe('https://site.example');
    await force('off');
    expect(await address()).toBe('http://site.example');
    expect((await fetch(`http://127.0.0.1:${other.port}/`, { redirect: 'manual' })).status).toBe(200);
    await other.close();
  });

  it('gains and loses www., with a redirect of pages', async () => {
    await update({ force_www: true });
    expect(await url()).toMatch(/^https?:\/\/www\.site\.example$/);
    expect((await site.call('anonymous', 'GET /posts')).body[0].link).toContain('//www.site.example/');
    expect(await leadsTo('site.example')).toMatch(/^https?:\/\/www\.site\.example\/a-post\/$/);
    expect(await leadsTo('www.site.example')).toBeUndefined();
    await update({ force_www: false });
    expect(await url()).toMatch(/^https?:\/\/site\.example$/);
  });

  it('does not change when the operator disables the redirect', async () => {
    const other = await startPluginSite('A', { wwwRedirect: false });
    const { body } = await callPlugin(other, 'administrator', 'POST /host-tools-plugin/v1/update-settings', {
      force_www: true,
    });
    expect(body.data.force_www).toBe(true);
    expect((await callPlugin(other, 'anonymous', 'GET /?_fields=url')).body.url).toBe('http://site.example');
    await other.close();
  });

  it('does not change on the command line either when the operator disables the redirect', async () => {
    const other = await startPluginSite('A', { wwwRedirect: false });
    const perform = performOn(other.node.store, verbs, (error) => expect.unreachable(String(error)));
    await perform('tools set', { tool: 'force_www', state: 'on' });
    expect((await callPlugin(other, 'anonymous', 'GET /?_fields=url')).body.url).toBe('http://site.example');
    await other.close();
  });

  it.each([
    ['http://localhost:8080', false],
    ['http://127.0.0.1', false],
    ['http://[::1]:8080', false],
    ['http://site.example', true],
    ['https://www.site.example/blog', true],
  ])('can have www. only if it is a host name: %s', async (SITE_URL, eligible) => {
    const other = await startPluginSite('A', {}, { env: { SITE_URL } });
    const { body } = await callPlugin(other, 'administrator', 'GET /host-tools-plugin/v1/get-settings');
    expect(body.data.is_eligible_www_redirect).toBe(eligible);
    await callPlugin(other, 'administrator', 'POST /host-tools-plugin/v1/update-settings', { force_www: true });
    const moved = eligible ? SITE_URL.replace('://site.', '://www.site.') : SITE_URL;
    expect((await callPlugin(other, 'anonymous', 'GET /?_fields=url,home')).body).toEqual({ url: moved, home: moved });
    await callPlugin(other, 'administrator', 'POST /host-tools-plugin/v1/update-settings', { force_www: false });
    const bare = SITE_URL.replace('www.', '');
    expect((await callPlugin(other, 'anonymous', 'GET /?_fields=url')).body.url).toBe(bare);
    await other.close();
  });

  it('is replaced by a new SITE_URL, without redirect loops', async () => {
    const env = { SITE_URL: 'http://first.example' };
    const other = await startSite({ env });
    await callPlugin(other, 'administrator', 'POST /host-tools-plugin/v1/update-settings', { force_https: true });
    const page = () => fetch(`http://127.0.0.1:${other.port}/`, { redirect: 'manual' });
    expect((await page()).headers.get('location')).toBe('https://first.example/');
    env.SITE_URL = 'http://second.example';
    await other.restart();
    expect((await page()).status).toBe(200);
    await other.close();
  });

  it('is kept across a restart with the same settings', async () => {
    await update({ force_https: true, force_www: true });
    await site.restart();
    expect(await url()).toBe('https://www.site.example');
  });
});

describe('llms.txt', () => {
  it('lists public entries, without protected content', async () => {
    expect((await visit('/llms.txt')).status).toBe(404);
    await update({ enable_llms_txt: true });
    const page = await visit('/llms.txt');
    expect(page.headers.get('content-type')).toBe('text/markdown; charset=UTF-8');
    const text = await page.text();
    expect(text).toMatch(/^- \[A post\]\(https?:\/\/(www\.)?site\.example\/a-post\/\): What is in it\.$/m);
    expect(text).toMatch(/^- \[About \\\*us\\\*\]\(/m);
    expect(text).not.toMatch(/Not yet|Hidden words/);
  });
});

describe('with application passwords disabled', () => {
  it('nobody is logged in until the operator enables them again', async () => {
    expect((await update({ disable_authentication_password: true })).status).toBe(200);
    expect((await update({ disable_authentication_password: false })).status).toBe(401);
    expect((await site.call('administrator', 'GET /users/me')).status).toBe(401);
    const perform = performOn(site.node.store, verbs, (error) => expect.unreachable(String(error)));
    await perform('tools set', { tool: 'disable_authentication_password', state: 'off' });
    expect((await site.call('administrator', 'GET /users/me')).status).toBe(200);
  });
});

describe('the tools settings', () => {
  const own = [
    ...['maintenance_mode', 'bypass_code', 'disable_xml_rpc', 'force_https', 'force_www'],
    ...['disable_authentication_password', 'enable_llms_txt', 'optin_mcp'],
  ];
  const beside = ['newest_cms_version', 'current_cms_version', 'runtime_version', 'newest_runtime_version'];

  it('are all off on a new site, whose bypass code is created by the first request', async () => {
    const fresh = await startPluginSite('A');
    const get = async () =>
      (await callPlugin(fresh, 'administrator', 'GET /host-tools-plugin/v1/get-settings')).body.data;
    const { bypass_code, is_eligible_www_redirect, ...shown } = await get();
    expect([bypass_code, is_eligible_www_redirect]).toEqual([expect.stringMatching(/^[A-Za-z]{16}$/), true]);
    expect(Object.entries(shown).filter(([, value]) => value !== false)).toEqual(
      beside.map((name) => [name, expect.any(String)]),
    );
    const position = fresh.position();
    expect((await get()).bypass_code).toBe(bypass_code);
    expect(fresh.position()).toBe(position);
    await fresh.close();
  });

  it('are returned with versions when they are read, and without when they are changed', async () => {
    expect(Object.keys(await settings())).toEqual([...own, ...beside, 'is_eligible_www_redirect']);
    expect(Object.keys((await update({})).body.data)).toEqual(own);
    const made = await callPlugin(site, 'administrator', 'GET /host-tools-plugin/v1/regenerate-bypass-code');
    expect([Object.keys(made.body.data), made.headers.get('cache-control')]).toEqual([own, 'no-cache']);
  });

  it('are accepted as a form and in the query', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const route = 'POST /cms-json/host-tools-plugin/v1/update-settings';
    const form = await site.call('administrator', route, 'optin_mcp=on&disable_xml_rpc=0', { headers });
    expect(form.body.data).toMatchObject({ optin_mcp: true, disable_xml_rpc: false });
    expect((await site.call('administrator', `${route}?optin_mcp=false`)).body.data.optin_mcp).toBe(false);
  });
});

describe('update-settings', () => {
  it('ignores the bypass code, unknown names and empty requests', async () => {
    const before = await settings();
    const position = site.position();
    expect((await update({ bypass_code: 'mine', unknown: true })).body.data.bypass_code).toBe(before.bypass_code);
    expect((await callPlugin(site, 'administrator', 'POST /host-tools-plugin/v1/update-settings')).status).toBe(200);
    expect(site.position()).toBe(position);
  });

  it.each([
    [1, true],
    ['yes', true],
    [[], true],
    ['0', false],
    ['', false],
    ['false', false],
    [0, false],
    [null, false],
  ])('reads %j as %s', async (sent, meant) => {
    expect((await update({ optin_mcp: sent })).body.data.optin_mcp).toBe(meant);
  });

  it('is not cacheable', async () => {
    expect((await update({})).headers.get('cache-control')).toBe('no-cache');
  });
});
