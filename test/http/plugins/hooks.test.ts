import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, sendByClock, startReceiver } from '../../support/hooks.ts';
import { found } from '../../support/patience.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { As, Site } from '../../support/site.ts';

const root = '/webhooks/v1/hooks';
const minute = 60_000;
const hour = 60 * minute;

let site: Site;
let receiver: Receiver;
let sending: ReturnType<typeof sendByClock>;
beforeAll(async () => {
  site = await startPluginSite('A', {}, { env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
});
afterAll(() => site.close());
beforeEach(async () => {
  receiver = await startReceiver();
  sending = sendByClock(site);
});
afterEach(async () => {
  for (const { id } of await list()) await callPlugin(site, 'administrator', `DELETE ${root}/${id}`);
  sending.stop();
  await receiver.close();
});

const call = (request: string, body?: unknown, as: As = 'administrator') => callPlugin(site, as, request, body);
const list = async () => (await call(`GET ${root}`)).body as { id: number }[];
const add = async (fields: object = {}) => (await call(`POST ${root}`, { address: receiver.url, ...fields })).body;
const show = async (id: number) => (await call(`GET ${root}/${id}`)).body;
const publish = (title: string) => site.make('editor', '/posts', { title, status: 'publish' });
const stateIs = async (id: number, state: string) => {
  while ((await show(id)).state !== state);
};

describe('a webhook', () => {
  it('receives the changes that its user may read, signed by Standard Webhooks', async () => {
    const hook = await add({ user: 5 });
    const id = await publish('To be told');
    await site.make('editor', '/posts', { title: 'A draft', status: 'draft' });
    const last = await publish('Told next');
    await found(() => receiver.told().includes(`posts ${last} published`));
    expect(receiver.told()).toEqual([`posts ${id} published`, `posts ${last} published`]);
    const [{ headers, text, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(body).toMatchObject({ type: 'site.changed', data: { site: 'http://site.example', hook: hook.id } });
    expect(body.data.commits[0]?.changes[0]).toMatchObject({ link: 'http://site.example/to-be-told/' });
    const [messageId, time] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
    expect(time).toBe(Math.floor(site.clock.now / 1000));
    expect(headers['webhook-signature']).toBe(new Webhook(hook.secret).sign(messageId, new Date(time * 1000), text));
  });

  it('shows its secret once, accepts a given one, and signs with the previous one for a day', async () => {
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const { id, secret, ...shown } = await add({ secret: given });
    expect(secret).toBe(given);
    expect(await show(id)).toEqual({ id, ...shown, state: 'sending', position: expect.any(Number) });
    const renewed = (await call(`POST ${root}/${id}/secret`)).body.secret;
    await publish('Signed twice');
    await found(() => receiver.received.length === 1);
    const [{ headers, text }] = receiver.received as [(typeof receiver.received)[0]];
    const date = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signatures = [renewed, given].map((one) => new Webhook(one).sign(String(headers['webhook-id']), date, text));
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
    await sending.advance(25 * hour);
    await publish('Signed once');
    await found(() => receiver.received.length === 2);
    expect(String(receiver.received[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('receives only the resources and statuses it is subscribed to', async () => {
    await add({ resources: ['posts', 'media'], statuses: ['publish'] });
    const draft = await site.make('editor', '/posts', { title: 'Not yet', status: 'draft' });
    await site.make('editor', '/pages', { title: 'A page', status: 'publish' });
    await call(`POST /cms/v2/posts/${draft}`, { status: 'publish' });
    await call(`POST /cms/v2/posts/${draft}`, { status: 'draft' });
    await call(`POST /cms/v2/posts/${draft}`, { title: 'Still not' });
    const last = await publish('The last');
    await found(() => receiver.told().includes(`posts ${last} published`));
    expect(receiver.told()).toEqual([
      `posts ${draft} published`,
      `posts ${draft} unpublished`,
      `posts ${last} published`,
    ]);
  });

  it('receives contact messages, with their content only if subscribed and permitted', async () => {
    const form = await site.make('editor', '/pages', { title: 'Write', template: 'contact-form', status: 'publish' });
    const [own, any, none] = [
      await add({ user: 2, resources: ['contact-messages', 'posts'] }),
      await add(),
      await add({ user: 5, resources: ['contact-messages', 'posts'] }),
    ];
    const wrote = { name: 'Ada', email: 'ada@x.example', subject: '', message: 'When may I see it?' };
    await call('POST /contact-forms/v1/messages', { form_id: form, ...wrote }, 'anonymous');
    await publish('After the message');
    const toldTo = ({ id }: { id: number }) =>
      receiver.received.filter(({ body }) => body.data.hook === id).flatMap(({ body }) => body.data.commits);
    const isTold = (hook: { id: number }) => toldTo(hook).some(({ changes }) => changes[0]?.resource === 'posts');
    await found(() => [own, any, none].every(isTold));
    const told = { resource: 'contact-messages', id: 1, what: 'created' };
    const link = 'http://site.example/cms-json/contact-forms/v1/messages/1';
    const full = { ...told, link, message: { form, date: expect.any(String), ...wrote } };
    expect(toldTo(own).flatMap(({ changes }) => changes)).toContainEqual(full);
    expect(toldTo(any).flatMap(({ changes }) => changes)).toContainEqual({ ...told, link });
    expect(JSON.stringify(toldTo(none))).not.toContain('contact-messages');
    await call('DELETE /contact-forms/v1/messages/1', undefined, 'editor');
    site.node.store.hooks.progress.move(own.id, (toldTo(own)[0]?.position ?? 0) - 1);
    const gone = { resource: 'contact-messages', id: 1, what: 'deleted' };
    await found(() => JSON.stringify(toldTo(own)).includes(JSON.stringify(gone)));
    const again = toldTo(own).filter(({ changes }) => changes[0]?.id === 1 && changes[0].resource === told.resource);
    expect(again.slice(1).flatMap(({ changes }) => changes)).toEqual([told, gone]);
  });

  it('receives held comments only with the rights of a moderator', async () => {
    const post = await publish('To be commented on');
    await call('POST /cms/v2/settings', { default_comment_status: 'open' });
    const [own, none] = [await add({ user: 2, resources: ['comments', 'posts'] }), await add({ user: 5 })];
    const held = { post, content: 'Held back', author_name: 'Ada', author_email: 'ada@x.example' };
    const { body } = await call('POST /cms/v2/comments', held, 'contributor');
    expect(body.status).toBe('hold');
    await publish('After the comment');
    const toldTo = ({ id }: { id: number }) =>
      receiver.received
        .filter(({ body: sent }) => sent.data.hook === id)
        .flatMap(({ body: sent }) => sent.data.commits.flatMap(({ changes }) => changes));
    await found(() => [own, none].every((hook) => toldTo(hook).some(({ resource }) => resource === 'posts')));
    expect(toldTo(own)).toContainEqual(expect.objectContaining({ resource: 'comments', id: body.id, what: 'created' }));
    expect(toldTo(none).map(({ resource }) => resource)).not.toContain('comments');
  });

  it('receives everything in order and once, after an hour of failures and a killed sender', async () => {
    const { id, state } = await add();
    expect(state).toBe('sending');
    receiver.answer = () => null;
    const ids: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      ids.push(await publish(`While away ${n}`));
      await found(() => sending.sleeping() > 0);
      if (n === 5) {
        // A killed sender finishes nothing and saves nothing.
        sending.stop();
        sending = sendByClock(site);
      }
      await sending.advance(5 * minute);
    }
    await stateIs(id, 'failing');
    const headers = { authorization: site.authorization('administrator') };
    const health = await fetch(`http://127.0.0.1:${site.port}/cms-audit/health`, { headers });
    expect(await health.text()).toContain('Its receiver does not take messages.');
    expect(await show(id)).toMatchObject({ error: 'unreachable', failing_since: expect.any(String) });
    receiver.answer = (count) => (count === 1 ? 500 : 200);
    await sending.advance(hour);
    ids.push(await publish('Back again'));
    await found(() => sending.sleeping() > 0 || receiver.told().includes(`posts ${ids.at(-1)} published`));
    await sending.advance(hour);
    await found(() => receiver.told().includes(`posts ${ids.at(-1)} published`));
    const accepted = [...new Map(receiver.received.map((one) => [one.headers['webhook-id'], one])).values()];
    const told = accepted.flatMap(({ body }) => body.data.commits.map(({ changes }) => changes[0]?.id));
    expect(told).toEqual(ids);
    await stateIs(id, 'sending');
    expect(sending.seen).toContain(`${id} recovered`);
  });

  it('keeps the id of a message at every attempt, and uses a new one after it was moved back', async () => {
    const { id } = await add();
    receiver.answer = (count) => (count < 2 ? 503 : 200);
    await publish('Tried three times');
    for (let n = 1; n <= 3; n += 1) {
      await found(() => receiver.received.length === n && (n === 3 || sending.sleeping() > 0));
      await sending.advance(hour);
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    site.node.store.hooks.progress.move(id, site.position() - 1);
    await found(() => receiver.received.length === 4);
    expect(receiver.received[3]?.body.data.commits).toEqual(receiver.received[0]?.body.data.commits);
    expect(ids).not.toContain(receiver.received[3]?.headers['webhook-id']);
  });

  it('waits for the time that its receiver requests', async () => {
    await add();
    receiver.answer = (count) => (count === 0 ? 429 : 200);
    await publish('Not so fast');
    await found(() => sending.sleeping() > 0);
    await sending.advance(29 * minute);
    expect(receiver.received).toHaveLength(1);
    await sending.advance(2 * minute);
    await found(() => receiver.received.length === 2);
  });

  it('is tried at once after its address was changed, whatever pause the receiver before had', async () => {
    receiver.answer = () => 429;
    const { id } = await add();
    const first = await publish('Not taken');
    await stateIs(id, 'failing');
    const other = await startReceiver();
    await call(`POST ${root}/${id}`, { address: other.url });
    await found(() => other.told().includes(`posts ${first} published`));
    await stateIs(id, 'sending');
    await other.close();
  });

  it('is stopped when its receiver answers 410, and continues from there when it is enabled again', async () => {
    const { id } = await add();
    receiver.answer = (count) => (count === 0 ? 410 : 200);
    const post = await publish('Gone');
    await stateIs(id, 'stopped');
    expect(await show(id)).toMatchObject({ enabled: false, stopped: { why: 'gone' } });
    expect(sending.seen).toContain(`${id} stopped: gone`);
    await call(`POST ${root}/${id}`, { enabled: true });
    await found(() => receiver.received.length === 2);
    expect(receiver.told()).toEqual([`posts ${post} published`, `posts ${post} published`]);
  });

  it('is stopped after a day of failures, not earlier', async () => {
    const { id } = await add();
    receiver.answer = () => 500;
    await publish('A long day');
    await found(() => sending.sleeping() > 0);
    await sending.advance(23 * hour);
    await found(() => receiver.received.length === 2 && sending.sleeping() > 0);
    expect((await show(id)).state).toBe('failing');
    await sending.advance(hour + minute);
    await stateIs(id, 'stopped');
    expect((await show(id)).stopped.why).toBe('failing');
  });

  it('batches concurrent commits into few messages on one connection', async () => {
    await add();
    const made = await Promise.all(Array.from({ length: 60 }, (_, n) => publish(`Of many ${n}`)));
    await found(() => receiver.commits().length === made.length);
    expect(receiver.received.length).toBeLessThan(made.length);
    expect(receiver.sockets.size).toBe(1);
    const positions = receiver.commits().map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it('is stopped when its user is deleted', async () => {
    const account = { username: 'passing', email: 'p@x.example', password: 'p4ssing by' };
    const user = (await call('POST /cms/v2/users', account)).body.id;
    const { id } = await add({ user });
    await call(`DELETE /cms/v2/users/${user}`, { force: true, reassign: 2 });
    await found(() => sending.seen.includes(`${id} stopped: account`));
    await publish('For nobody');
    expect(await show(id)).toMatchObject({ state: 'stopped', stopped: { why: 'account' } });
    expect(receiver.received).toEqual([]);
  });

  it('is limited to administrators, validated, and unchanged by an equal update', async () => {
    expect((await call(`GET ${root}`, undefined, 'editor')).status).toBe(403);
    expect((await call(`GET ${root}`, undefined, 'anonymous')).status).toBe(401);
    for (const wrong of [
      { address: 'ftp://x.example/' },
      { address: 'http://10.1.2.3/' },
      { address: 'http://user:word@x.example/' },
      { user: 99 },
      { resources: ['stones'] },
      { secret: 'whsec_short' },
    ])
      expect((await call(`POST ${root}`, { address: receiver.url, ...wrong })).body.code).toBe('rest_invalid_param');
    expect((await call(`GET ${root}/99`)).body.code).toBe('rest_hook_not_found');
    const { id } = await add({ enabled: false });
    const position = site.position();
    const same = await call(`POST ${root}/${id}`, { address: receiver.url, resources: [], enabled: false });
    expect([same.body.stopped.why, site.position()]).toEqual(['asked', position]);
  });
});

describe('a webhook whose progress is lost', () => {
  it('sends nothing until its position is set', async () => {
    const { id } = await add();
    sending.stop();
    site.node.store.hooks.progress.forget(id);
    site.node.store.hooks.progress.forget(0);
    sending = sendByClock(site);
    expect(sending.seen).toEqual([`${id} lost`]);
    const post = await publish('For later');
    expect((await show(id)).state).toBe('lost');
    site.node.store.hooks.progress.move(id, site.position() - 1);
    await found(() => receiver.received.length === 1);
    expect(receiver.told()).toEqual([`posts ${post} published`]);
  });
});

// Last: it leaves the log ahead of the clock.
describe('a leap of the clock', () => {
  it('does not keep a webhook that failed meanwhile from being tried again', async () => {
    const { id } = await add();
    receiver.answer = () => 503;
    site.clock.now += 72 * hour;
    const late = await publish('Told late');
    await found(() => receiver.received.length > 0);
    await stateIs(id, 'failing');
    sending.stop();
    receiver.answer = () => 204;
    site.clock.now -= 72 * hour;
    const before = receiver.received.length;
    sending = sendByClock(site);
    await found(() => receiver.received.length > before);
    expect(receiver.told()).toContain(`posts ${late} published`);
    await stateIs(id, 'sending');
  });
});
