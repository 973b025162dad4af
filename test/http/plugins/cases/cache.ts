import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { cacheSecret, callback } from '../../../support/plugins.ts';
import type { Site } from '../../../support/site.ts';
import { pngOf, uploadBody } from '../../../support/uploads.ts';
import { admin, type Case, cloud, invalid, pageAt } from './case.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const signed = (text: string) => createHmac('sha256', cacheSecret).update(text).digest('base64');

async function queues(site: Site) {
  return (await callback(site, '/cache/v3/ping')).body.queues;
}

/** Publishes a post; returns its id and link. */
async function published(site: Site, title: string) {
  const id = await site.make('editor', '/posts', { title, content: 'c', status: 'publish' });
  const { link } = (await site.call('editor', `GET /posts/${id}`)).body;
  return { id, link };
}

async function picture(site: Site): Promise<number> {
  const file = { name: 'made.png', type: 'image/png', bytes: pngOf(2, 2) };
  return (await uploadBody(site, 'author', file)).body.id;
}

function notifiesAssets(kind: 'ccss' | 'ucss' | 'vpi', sent: unknown, kept: unknown): Case {
  const path = `/cache/v1/notify_${kind}`;
  return {
    route: `POST ${path}`,
    lowest: 'signed',
    stores: true,
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
      await site.call('editor', `DELETE /posts/${id}?force=true`);
      expect((await admin(site, `GET /cache/v1/assets/${id}`)).text).not.toContain(link);
    },
    async seen(site) {
      const { id, link } = await published(site, `Seen with ${kind}`);
      await site.call('editor', `PUT /posts/${id}`, { content: '<img src="http://a/b.png">' });
      const data = [{ request_url: link, queue_k: `desktop ${link}`, [`data_${kind}`]: sent }];
      await callback(site, path, { data });
      const { text } = await pageAt(site, new URL(link).pathname);
      const wanted = kind === 'vpi' ? 'fetchpriority="high"[^<>]*http://a/b.png' : String(kept);
      expect(text).toMatch(new RegExp(wanted));
    },
  };
}

/** Routes of cache/v1 and cache/v3. */
export const cacheCases: readonly Case[] = [
  {
    route: 'POST /cache/v1/toggle_crawler_state',
    lowest: 'administrator',
    stores: true,
    wrong: { body: { crawler_id: 'x' }, answer: invalid },
    async effect(site) {
      const toggle = async () => (await admin(site, 'POST /cache/v1/toggle_crawler_state', { crawler_id: 1 })).body;
      expect(await toggle()).toBe(0);
      expect((await cloud(site)).paused_crawlers).toEqual([1]);
      expect(await toggle()).toBe(1);
    },
    async seen(site) {
      const toggle = () => admin(site, 'POST /cache/v1/toggle_crawler_state', { crawler_id: 0 });
      const active = async () => (await cloud(site)).crawlers[0].active;
      await toggle();
      expect(await active()).toBe(false);
      await toggle();
      expect(await active()).toBe(true);
    },
  },
  {
    route: 'GET /cache/v1/tool/check_ip',
    lowest: 'administrator',
    stores: false,
    async effect(site) {
      expect((await admin(site, 'GET /cache/v1/tool/check_ip')).body).toMatch(/not known/);
    },
  },
  {
    route: 'POST /cache/v1/notify_img',
    lowest: 'signed',
    stores: true,
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
      const id = await picture(site);
      const images = async () => (await callback(site, '/cache/v1/check_img', { data: id })).body.data.img_data;
      const made = { id, src_size: 100, webp: 'a', webp_reduced: 40 };
      await callback(site, '/cache/v1/notify_img', { ...body, status: 6, data: { [id]: made }, _info: 'Made.' });
      expect(await images()).toEqual([expect.objectContaining({ id, optm_status: 6 })]);
      expect(JSON.stringify((await cloud(site)).notices)).toContain('Made.');
      await callback(site, '/cache/v1/notify_img', { ...body, data: [id], _carry_on: { usage: { used: 1 } } });
      expect(await images()).toEqual([]);
    },
    async seen(site) {
      site.clock.now += 4000;
      const id = await picture(site);
      const data = { [id]: { id, src_size: 9, ori: 'a', ori_reduced: 1 } };
      await callback(site, '/cache/v1/notify_img', { data, server: 'optimiser.example', status: 6 });
      const { body } = await callback(site, '/cache/v1/check_img', { data: id });
      expect(body.data.img_data).toEqual([expect.objectContaining({ id, optm_status: 6 })]);
    },
  },
  notifiesAssets('ccss', 'a{}', 'a{}'),
  notifiesAssets('ucss', 'b{}', 'b{}'),
  notifiesAssets('vpi', ['http%3A%2F%2Fa%2Fb.png'], ['http://a/b.png']),
  {
    route: 'POST /cache/v1/check_img',
    lowest: 'signed',
    stores: false,
    body: { data: 1 },
    missing: { body: {}, answer: [200, 'lack_of_params'] },
    wrong: { body: { data: 'x' }, answer: [200, 'lack_of_params'] },
    async effect(site) {
      const check = async (data: number) => (await callback(site, '/cache/v1/check_img', { data })).body.data;
      const nothing = { _cms_attached_file: '', _cms_attachment_metadata: '', img_data: [] };
      expect(await check(999999)).toMatchObject(nothing);
      const id = await picture(site);
      expect((await check(id))._cms_attachment_metadata).toMatchObject({ width: 2, height: 2 });
      const data = { [id]: { id, src_size: 9, ori: 'a', ori_reduced: 1 } };
      await callback(site, '/cache/v1/notify_img', { data, server: 'optimiser.example', status: 6 });
      expect((await check(id)).img_data).toHaveLength(1);
      await site.call('administrator', `DELETE /media/${id}?force=true`);
      expect(await check(id)).toMatchObject(nothing);
    },
  },
  {
    route: 'POST /cache/v3/ip_validate',
    lowest: 'signed',
    stores: false,
    body: { hash: '0001' },
    missing: { body: {}, answer: [200, 'lack_of_params'] },
    wrong: { body: { hash: 'x' }, answer: [200, 'err_hash'] },
    async effect(site) {
      // The key of these test sites is K1234567.
      const { body } = await callback(site, '/cache/v3/ip_validate', { hash: sha256('K123') });
      expect(body).toEqual({ _res: 'ok', hash: sha256('2345') });
    },
  },
  {
    route: 'POST /cache/v3/cms_rest_echo',
    lowest: 'signed',
    stores: false,
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
    stores: false,
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
    stores: true,
    body: { cloud_activated: 'anonymous' },
    missing: { body: {}, answer: [200, 'lack_of_params'] },
    wrong: { body: { cloud_activated: 'x' }, answer: [200, 'lack_of_params'] },
    async effect(site) {
      await callback(site, '/cache/v3/cdn_status', { cloud_activated: 'linked' });
      expect(await cloud(site)).toMatchObject({ status: 'linked' });
    },
    async seen(site) {
      await callback(site, '/cache/v3/cdn_status', { cloud_activated: 'cdn' });
      expect((await cloud(site)).cdn).toBe(true);
      await callback(site, '/cache/v3/cdn_status', { cloud_activated: 'linked' });
      expect((await cloud(site)).cdn).toBe(false);
    },
  },
  {
    route: 'POST /cache/v3/err_domains',
    lowest: 'signed',
    stores: true,
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
    async seen(site) {
      expect((await cloud(site)).pending.map(({ url }: { url: string }) => url)).not.toContain(
        'http://www.site.example',
      );
    },
  },
];
