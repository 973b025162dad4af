import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback, callPlugin, sendCallback, signatureOf, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('A');
});
afterAll(() => site.close());

const cloud = async () => (await callPlugin(site, 'administrator', 'GET /cache/v1/cloud')).body;
const queues = async () => (await callback(site, '/cache/v3/ping')).body.queues;
const notify = async (data: unknown, status = 6) =>
  (await callback(site, '/cache/v1/notify_img', { data, status, server: 'https://n1.optimiser.example/x' })).body;
const check = async (id: number) => (await callback(site, '/cache/v1/check_img', { data: id })).body.data;

const typesSince = (position: number) => [...site.node.log.read({ from: position + 1 })].map(({ type }) => type);

describe('the queue of page assets', () => {
  it('has two places of each kind for every public entry', async () => {
    const before = await queues();
    const id = await site.make('editor', '/posts', { title: 'Draft', content: 'c' });
    expect(await queues()).toEqual(before);
    await site.call('editor', `PUT /posts/${id}`, { status: 'publish' });
    expect((await queues()).ccss).toBe(before.ccss + 2);
    await site.call('editor', `PUT /posts/${id}`, { status: 'draft' });
    expect(await queues()).toEqual(before);
    await site.call('editor', `PUT /posts/${id}`, { status: 'publish' });
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    expect(await queues()).toEqual(before);
  });

  it('contains an entry again after it is saved', async () => {
    const before = (await queues()).ucss;
    const id = await site.make('editor', '/pages', { title: 'Again', content: 'c', status: 'publish' });
    const link = 'http://site.example/again/';
    const made = (variant: string, css: string) => ({
      request_url: link,
      queue_k: `${variant} ${link}`,
      data_ucss: css,
    });
    const send = async (...data: unknown[]) => (await callback(site, '/cache/v1/notify_ucss', { data })).body.count;
    const unknown = { request_url: link, queue_k: 'desktop elsewhere', data_ucss: 'x{}' };
    const nowhere = { request_url: '', queue_k: `desktop ${link}`, data_ucss: 'x{}' };
    expect(await send(made('desktop', 'a{}'), made('desktop', 'b{}'), made('mobile', ''), unknown, nowhere)).toBe(1);
    expect((await queues()).ucss).toBe(before);
    const assets = (await callPlugin(site, 'administrator', `GET /cache/v1/assets/${id}`)).body;
    expect(assets).toEqual({ 'ucss desktop': expect.objectContaining({ data: 'a{}' }) });
    await site.call('editor', `PUT /pages/${id}`, { content: 'other' });
    expect((await queues()).ucss).toBe(before + 2);
    await site.call('editor', `DELETE /pages/${id}?force=true`);
    expect((await callPlugin(site, 'administrator', `GET /cache/v1/assets/${id}`)).body).toEqual({});
  });

  it('accepts forms, and styles that contain only an error message', async () => {
    const id = await site.make('editor', '/pages', { title: 'Forms', content: 'c', status: 'publish' });
    const link = 'http://site.example/forms/';
    const fields = {
      'data[0][request_url]': link,
      'data[0][queue_k]': `desktop ${link}`,
      'data[0][data_ccss]': '/* too long */',
      'data[1][queue_k]': `mobile ${link}`,
      '_carry_on[usage][used]': '5',
    };
    const text = new URLSearchParams(fields).toString();
    const path = '/cache/v1/notify_ccss';
    const form = 'application/x-www-form-urlencoded';
    const { body } = await sendCallback(site, path, text, signatureOf(site, path, text), form);
    expect(body).toEqual({ _res: 'ok', count: 1 });
    const assets = (await callPlugin(site, 'administrator', `GET /cache/v1/assets/${id}`)).body;
    expect(assets).toEqual({ 'ccss desktop': expect.objectContaining({ data: '/* too long */' }) });
    expect((await cloud()).usage.page_assets).toEqual({ used: '5' });
  });

  it('is limited to 500 places of each kind, in order of arrival', async () => {
    const own = await startPluginSite('A');
    const requests = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        path: '/cms/v2/posts',
        body: { title: `Post ${from + i}`, content: 'c', status: 'publish' },
      }));
    for (let from = 0; from < 252; from += 21) {
      await own.call('editor', 'POST /cms-json/batch/v1', { requests: requests(from, 21) });
    }
    expect((await callback(own, '/cache/v3/ping')).body.queues).toEqual({ ccss: 500, ucss: 500, vpi: 500 });
    const link = 'http://site.example/post-0/';
    const data = [{ request_url: link, queue_k: `mobile ${link}`, data_vpi: ['a%20b'] }];
    expect((await callback(own, '/cache/v1/notify_vpi', { data })).body.count).toBe(1);
    await own.close();
  });
});

describe('notify_img', () => {
  let image: number;
  beforeAll(async () => {
    const { body } = await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(40, 30) });
    image = body.id;
  });

  const done = (id: number) => ({ id, src_size: 1000, ori: 'a', ori_reduced: 100, webp: 'b', webp_reduced: 300 });

  it('adds up savings for existing images, counting each report once', async () => {
    expect(await notify({ [image]: done(image), 999: done(999) })).toEqual({ _res: 'ok', count: 2 });
    const { img_count, optm_summary, img_data } = await check(image);
    expect(optm_summary).toEqual({ reduced: 400, next_post_id: image });
    expect(img_count).toMatchObject({ max_id: image, groups_all: 1, groups_new: 0, groups_done: 1, 'img.6': 1 });
    expect(img_data).toEqual([
      expect.objectContaining({
        id: image,
        optm_status: 6,
        src: 'http://site.example/uploads/2026/03/a.png',
        server_info: expect.objectContaining({ ori_total: 1000, ori_saved: 100, webp_saved: 300, avif_saved: 0 }),
      }),
    ]);
    await notify({ [image]: done(image) });
    expect((await check(image)).optm_summary.reduced).toBe(400);
    await notify({ [image]: { ...done(image), avif: 'c', avif_reduced: 50 } });
    expect((await check(image)).optm_summary.reduced).toBe(850);
  });

  it('records the server of each image if it is an optimiser', async () => {
    const upload = async (name: string) =>
      (await uploadBody(site, 'author', { name, type: 'image/png', bytes: pngOf(4, 4) })).body.id;
    const [there, elsewhere] = [await upload('b.png'), await upload('c.png')];
    const before = site.position();
    const report = {
      [there]: { ...done(there), server: 'n2.optimiser.example' },
      [elsewhere]: { ...done(elsewhere), server: 'https://fakeoptimiser.example' },
    };
    expect(await notify(report)).toEqual({ _res: 'ok', count: 2 });
    const serverOf = async (id: number) => (await check(id)).img_data[0].server_info.server;
    expect([await serverOf(there), await serverOf(elsewhere)]).toEqual([
      'n2.optimiser.example',
      'https://n1.optimiser.example/x',
    ]);
    expect((await check(there)).optm_summary.next_post_id).toBe(elsewhere);
    expect(typesSince(before)).toEqual(['ImagesNotified', 'ImagesNotified', 'RequestAnswered']);
    for (const id of [there, elsewhere]) await site.call('administrator', `DELETE /media/${id}?force=true`);
  });

  it('lets check_img return path and size of the file', async () => {
    const { _cms_attached_file: file, _cms_attachment_metadata: metadata } = await check(image);
    expect([file, metadata]).toEqual(['2026/03/a.png', { width: 40, height: 30, file, sizes: {} }]);
  });

  it('removes the results of failed and of deleted images', async () => {
    expect(await notify([image, 999], -5)).toEqual({ _res: 'ok', count: 2 });
    expect((await check(image)).img_data).toEqual([]);
    await notify({ [image]: done(image) });
    await site.call('administrator', `DELETE /media/${image}?force=true`);
    expect(await check(image)).toMatchObject({ img_data: [], img_count: { groups_all: 0 } });
  });

  it('explains refusals, and accepts calls only every three seconds', async () => {
    const send = async (fields: Record<string, unknown>) => {
      site.clock.now += 3000;
      return (await callback(site, '/cache/v1/notify_img', fields)).body._msg;
    };
    expect(await send({ data: [], server: 'n.optimiser.example', status: 6 })).toBe('no notified data');
    expect(await send({ data: [1], server: 'fakeoptimiser.example', status: 6 })).toBe('no/wrong server');
    expect(await send({ data: 'odd', server: 'n.optimiser.example', status: 6 })).toBe('no notified data');
    for (const status of ['x', 1.5, 1e308, [6]]) {
      expect(await send({ data: [1], server: 'n.optimiser.example', status })).toBe('no status');
    }
    site.clock.now += 2999;
    expect((await notify([1], -1))._msg).toBe('too_often');
    site.clock.now += 1;
    expect((await notify([1], -1))._res).toBe('ok');
  });

  it('takes sizes whose sum is beyond what can be counted', async () => {
    const { body } = await uploadBody(site, 'author', { name: 'vast.png', type: 'image/png', bytes: pngOf(5, 5) });
    const vast = { ...done(body.id), src_size: Number.MAX_SAFE_INTEGER };
    expect(await notify([vast, vast])).toEqual({ _res: 'ok', count: 2 });
  });
});

describe('cdn_status', () => {
  const send = async (status: string) =>
    (await callback(site, '/cache/v3/cdn_status', { cloud_activated: status })).body.cloud_activated;

  it('adds a notice when the cloud drops the site, until the site is in the CDN', async () => {
    expect([await send('linked'), await send('deleted')]).toEqual(['linked', null]);
    expect(await cloud()).toMatchObject({ status: null, cdn: false, notices: [{ level: 'error' }] });
    expect(await send('cdn')).toBe('cdn');
    expect(await cloud()).toMatchObject({ status: 'cdn', cdn: true, notices: [{ level: 'success' }] });
  });

  it('adds the notice once, also for a site never linked', async () => {
    const own = await startPluginSite('B');
    const forget = () => callback(own, '/cache/v3/cdn_status', { cloud_activated: 'deleted' });
    const notices = async () => (await callPlugin(own, 'administrator', 'GET /cache/v1/cloud')).body.notices;
    expect((await forget()).body).toEqual({ _res: 'ok', cloud_activated: null });
    expect(await notices()).toHaveLength(1);
    const position = own.position();
    await forget();
    expect([await notices(), own.position()]).toEqual([[expect.objectContaining({ level: 'error' })], position]);
    await own.close();
  });

  it('appends no event for the same status', async () => {
    await send('anonymous');
    const position = site.position();
    await send('anonymous');
    expect(site.position()).toBe(position);
  });
});

describe('extra data of a callback', () => {
  it('is shown as escaped notices and as usage by service', async () => {
    const along = { _info: '<b>Hello</b>', _carry_on: { usage: { used: 3 } } };
    await callback(site, '/cache/v1/notify_ucss', { data: [{}], ...along });
    await callback(site, '/cache/v3/ping', { _note: 'x' });
    const { notices, usage } = await cloud();
    const told = notices.slice(-2).map(({ level, text, service }: Record<string, string>) => [level, text, service]);
    expect(told).toEqual([
      ['info', '&lt;b&gt;Hello&lt;/b&gt;', 'page_assets'],
      ['note', 'x', 'ping'],
    ]);
    expect(usage).toEqual({ page_assets: { used: 3 } });
  });
});

describe('a notice', () => {
  it('is truncated between characters', async () => {
    await callback(site, '/cache/v3/ping', { _info: '\u{1f600}'.repeat(2001) });
    expect((await cloud()).notices.at(-1).text).toBe(`${'\u{1f600}'.repeat(1999)}…`);
  });
});

describe('ping', () => {
  it('returns its fixed members, whatever is requested', async () => {
    const fixed = ['_res', 'v_cache', 'v_cache_db', 'v_runtime', 'v_cms', 'home_url', 'site_url', 'queues'];
    const { body: plain } = await callback(site, '/cache/v3/ping');
    expect(Object.keys(plain)).toEqual(fixed);
    const odd = ['__proto__', 'constructor', 'prototype', 'toString', 'hmac'];
    const { body } = await callback(site, '/cache/v3/ping', { funcs: fixed, classes: odd, consts: ['webp'] });
    expect(body).toEqual({ ...plain, toString: 'n', hmac: 'y', webp: 'y' });
  });

  it('accepts at most 100 names of at most 64 characters', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `name${i}`);
    const asked = async (fields: Record<string, unknown>) => callback(site, '/cache/v3/ping', fields);
    const { body } = await asked({ funcs: names(60), consts: names(100).slice(50) });
    expect(Object.keys(body).filter((name) => name.startsWith('name'))).toHaveLength(90);
    expect((await asked({ funcs: names(101) })).body.code).toBe('rest_invalid_param');
    expect((await asked({ classes: ['x'.repeat(65)] })).body.code).toBe('rest_invalid_param');
    expect((await asked({ classes: ['x'.repeat(64)] })).status).toBe(200);
  });
});

describe('err_domains', () => {
  it('accepts only addresses that have been pending for less than a day', async () => {
    const www = { force_www: true };
    await callPlugin(site, 'administrator', 'POST /host-tools-plugin/v1/update-settings', www);
    const body = { main_domain: 'site.example', alias: 'http://www.site.example' };
    site.clock.now += 24 * 3600 * 1000;
    expect((await callback(site, '/cache/v3/err_domains', body)).body._msg).toBe('not_an_alias');
  });

  it('accepts former addresses of the site, and forgets them after ten days', async () => {
    const own = await startPluginSite('A');
    const update = (changes: object) =>
      callPlugin(own, 'administrator', 'POST /host-tools-plugin/v1/update-settings', changes);
    await update({ force_www: true });
    await update({ force_www: false });
    const body = { main_domain: 'site.example', alias: 'http://www.site.example' };
    const ask = async () => (await callback(own, '/cache/v3/err_domains', body)).body;
    expect([await ask(), await ask()]).toEqual([{ _res: 'ok' }, { _res: 'ok' }]);
    const pending = async () =>
      (await callPlugin(own, 'administrator', 'GET /cache/v1/cloud')).body.pending.map(
        ({ url }: { url: string }) => url,
      );
    expect(await pending()).toEqual(['http://www.site.example', 'http://site.example']);
    own.clock.now += 10 * 24 * 3600 * 1000;
    expect(await pending()).toEqual([]);
    await own.close();
  });
});

describe('toggle_crawler_state', () => {
  it.each([
    [{}, null],
    [{ crawler_id: '7' }, 0],
    [{ crawler_id: 7 }, 1],
  ])('answers %j with %j', async (body, answer) => {
    expect((await callPlugin(site, 'administrator', 'POST /cache/v1/toggle_crawler_state', body)).body).toBe(answer);
  });
});

describe('a crawler id', () => {
  it.each(['x', '-1', -1, 1.5, '', ' 1', '1e3', true, [1], [[1]], { 0: 1 }, '1'.repeat(16)])(
    'must consist of digits, not %j',
    async (crawler_id) => {
      const position = site.position();
      const { body } = await callPlugin(site, 'administrator', 'POST /cache/v1/toggle_crawler_state', { crawler_id });
      expect([body.code, Object.keys(body.data.params)]).toEqual(['rest_invalid_param', ['crawler_id']]);
      expect(site.position()).toBe(position);
    },
  );
});

describe('check_ip', () => {
  it('returns the host of the site when that is an IP address', async () => {
    const own = await startPluginSite('A', {}, { env: { SITE_URL: 'http://203.0.113.9:8080' } });
    expect((await callPlugin(own, 'administrator', 'GET /cache/v1/tool/check_ip')).body).toBe('203.0.113.9');
    await own.close();
  });

  it('returns the address configured by the operator', async () => {
    const own = await startPluginSite('A', { publicIp: '203.0.113.7' });
    expect((await callPlugin(own, 'administrator', 'GET /cache/v1/tool/check_ip')).body).toBe('203.0.113.7');
    await own.close();
  });
});
