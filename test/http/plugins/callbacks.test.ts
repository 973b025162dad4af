import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { addressReader } from '#http/server/origin.ts';
import { callPlugin, type Signing, sendCallback, signatureOf, startPluginSite } from '../../support/plugins.ts';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startPluginSite('A');
});
afterAll(() => site.close());

const ping = '/cache/v3/ping';
let counter = 0;
const body = () => JSON.stringify({ nonce: ++counter });

/** Sends a ping with the given signature; returns status and code. */
async function signed(signing: Signing = {}, text = body()) {
  const reply = await sendCallback(site, ping, text, signatureOf(site, ping, text, signing));
  return [reply.status, reply.body.code ?? reply.body._res];
}
const refused = [401, 'rest_forbidden'];
const now = () => Math.floor(site.clock.now / 1000);

describe('a callback of the cache service', () => {
  it('is accepted with a valid signature', async () => {
    expect(await signed()).toEqual([200, 'ok']);
  });

  it.each<Signing>([
    { secret: 'another secret, as long' },
    { method: 'GET' },
    { path: '/cache/v1/check_img' },
    { path: '/cms-json/cache/v3/ping' },
    { body: '{}' },
  ])('is refused when the signature covers something else: %j', async (signing) => {
    expect(await signed(signing)).toEqual(refused);
  });

  it.each([
    '',
    'x',
    't=1',
    'v1=00',
    `t=1,v1=${'0'.repeat(64)}`,
    `t=1,v1=${'0'.repeat(63)}`,
    `v1=${'0'.repeat(64)},t=1`,
  ])('is refused with the signature header %j', async (header) => {
    const reply = await sendCallback(site, ping, body(), header);
    expect([reply.status, reply.body.code]).toEqual(refused);
  });

  it('may be larger than other anonymous requests', async () => {
    const text = JSON.stringify({ nonce: ++counter, padding: 'x'.repeat(200_000) });
    expect(await signed({}, text)).toEqual([200, 'ok']);
  });

  it('may be up to 300 seconds early or late', async () => {
    expect(await signed({ time: now() - 300 })).toEqual([200, 'ok']);
    expect(await signed({ time: now() + 300 })).toEqual([200, 'ok']);
    expect(await signed({ time: now() - 301 })).toEqual(refused);
    expect(await signed({ time: now() + 301 })).toEqual(refused);
  });

  it('is accepted once within the validity of its signature', async () => {
    const text = body();
    const signature = signatureOf(site, ping, text, { time: now() + 300 });
    const status = async () => (await sendCallback(site, ping, text, signature)).status;
    expect([await status(), await status()]).toEqual([200, 401]);
    site.clock.now += 599_000;
    expect(await status()).toBe(401);
    site.clock.now += 2_000;
    expect(await status()).toBe(401);
  });

  it('is accepted once among concurrent copies', async () => {
    const text = body();
    const signature = signatureOf(site, ping, text);
    const replies = await Promise.all(Array.from({ length: 8 }, () => sendCallback(site, ping, text, signature)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is accepted once across a restart if it changed anything', async () => {
    const path = '/cache/v3/cdn_status';
    const text = JSON.stringify({ cloud_activated: 'cdn' });
    const signature = signatureOf(site, path, text);
    expect((await sendCallback(site, path, text, signature)).status).toBe(200);
    const position = site.position();
    await site.restart();
    expect((await sendCallback(site, path, text, signature)).status).toBe(401);
    expect(site.position()).toBe(position);
  });

  it('can be retried unchanged after a failed append', async () => {
    let fails = true;
    const openLog = (path: string): EventStore => {
      const log = openSqliteStore({ path });
      const append: EventStore['append'] = async (...given) => {
        const isCallback = given[0].some(({ actor }) => actor === 0);
        if (isCallback && fails) throw new LogUnavailable('the disk is full');
        return log.append(...given);
      };
      return { ...log, append };
    };
    const faulty = await startPluginSite('A', {}, { openLog });
    const path = '/cache/v3/cdn_status';
    const text = JSON.stringify({ cloud_activated: 'linked' });
    const signature = signatureOf(faulty, path, text);
    const status = async () => (await sendCallback(faulty, path, text, signature)).status;
    expect(await status()).toBe(503);
    fails = false;
    expect([await status(), await status()]).toEqual([200, 401]);
    await faulty.close();
  });

  it('may be a form, whose bytes are signed', async () => {
    const path = '/cache/v3/ping';
    const text = 'funcs[]=gzip&consts[]=__proto__&classes[]=Nothing&funcs[]=v_cms';
    const form = 'application/x-www-form-urlencoded';
    const reply = await sendCallback(site, path, text, signatureOf(site, path, text), form);
    expect(reply.body).toMatchObject({ _res: 'ok', gzip: 'y', Nothing: 'n', v_cms: '6.8' });
    expect(Object.keys(reply.body)).not.toContain('__proto__');
  });

  it('must not have a query, because that is not signed', async () => {
    const text = body();
    const reply = await sendCallback(site, `${ping}?funcs=gzip`, text, signatureOf(site, ping, text));
    expect(reply.status).toBe(401);
  });

  it('is limited to 2 MiB', async () => {
    const of = (length: number) => JSON.stringify({ nonce: `${++counter}`.padEnd(length - 12, ' ') });
    const limit = 2 * 1024 * 1024;
    expect(of(limit)).toHaveLength(limit);
    expect(await signed({}, of(limit))).toEqual([200, 'ok']);
    expect(await signed({}, of(limit + 1))).toEqual([413, 'rest_request_too_large']);
  });

  it('is attributed to nobody, whatever credentials it carries', async () => {
    const path = '/cache/v3/cdn_status';
    const text = JSON.stringify({ cloud_activated: 'anonymous', nonce: ++counter });
    const headers = {
      authorization: site.authorization('administrator'),
      'x-cache-signature': signatureOf(site, path, text),
      'idempotency-key': 'mine',
    };
    const send = async () => (await site.call('anonymous', `POST /cms-json${path}`, text, { headers })).status;
    const before = site.position();
    expect(await send()).toBe(200);
    const written = [...site.node.log.read({ from: before + 1 })];
    expect(written.map(({ type, actor }) => [type, actor])).toEqual([
      ['CloudStatusSet', 0],
      ['RequestAnswered', 0],
    ]);
    expect(await send()).toBe(401);
  });

  it('is not authenticated by a login', async () => {
    const { status, body: answer } = await callPlugin(site, 'administrator', `POST ${ping}`, {});
    expect([status, answer.code]).toEqual(refused);
  });
});

describe('callbacks', () => {
  it('are restricted by the address that a trusted proxy reports', async () => {
    const origins = { addressOf: addressReader(['loopback']) };
    const fenced = await startPluginSite('A', { callbackRanges: ['203.0.113.0/24'] }, { origins });
    const statusFrom = async (address: string) => {
      const text = body();
      const headers = {
        'x-forwarded-for': address,
        'x-cache-signature': signatureOf(fenced, ping, text),
      };
      return (await fenced.call('anonymous', `POST /cms-json${ping}`, text, { headers })).status;
    };
    expect([await statusFrom('203.0.113.7'), await statusFrom('198.51.100.7')]).toEqual([200, 403]);
    await fenced.close();
  });

  it.each(['[]', '["203.0.113.0/24"]'])('are refused without a configured secret, with ranges %s', async (ranges) => {
    const open = await startSite({ env: { PLUGIN_SETTINGS: `{"callbackRanges": ${ranges}}` } });
    const reply = await sendCallback(open, ping, '{}', signatureOf(open, ping, '{}', { secret: '' }));
    expect(reply.status).toBe(401);
    await open.close();
  });

  it.each([
    [
      ['203.0.113.0/24', '2001:db8::/32'],
      [403, 'rest_forbidden'],
    ],
    [
      ['203.0.113.0/24', '127.0.0.0/8'],
      [200, 'ok'],
    ],
  ])('restricted to %j are answered with %j', async (callbackRanges, expected) => {
    const fenced = await startPluginSite('A', { callbackRanges });
    const text = body();
    const reply = await sendCallback(fenced, ping, text, signatureOf(fenced, ping, text));
    expect([reply.status, reply.body.code ?? reply.body._res]).toEqual(expected);
    await fenced.close();
  });
});
