import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseAddress } from '#commands/erasure.ts';
import { someOrder } from '../../support/erasure-order.ts';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { As, Site } from '../../support/site.ts';

const root = '/contact-forms/v1/messages';
const good = { name: 'Ada', email: 'ada@example.org', subject: 'Engine', message: 'When may I see it?\n\nAda' };

let site: Site;
let form: number;
beforeEach(async () => {
  site = await startPluginSite('A');
  form = await site.make('editor', '/pages', { title: 'Write us', template: 'contact-form', status: 'publish' });
});
afterEach(() => site.close());

const send = (fields: object = {}) =>
  callPlugin(site, 'anonymous', `POST ${root}`, { form_id: form, ...good, ...fields });
const list = async (as: As = 'editor') => (await callPlugin(site, as, `GET ${root}`)).body;
const page = async (path: string) => (await fetch(`http://127.0.0.1:${site.port}${path}`)).text();
const audit = (path: string) =>
  fetch(`http://127.0.0.1:${site.port}/cms-audit/${path}`, {
    headers: { authorization: site.authorization('administrator') },
  });

/** Submits the form of a page like a browser without scripts. */
async function submit(fields: Readonly<Record<string, string>>): Promise<Response> {
  const markup = await page('/write-us/');
  const action = /<form id="contact-form"[^>]* action="([^"]+)"/.exec(markup)?.[1] ?? '';
  const hidden = /name="form_id" value="(\d+)"/.exec(markup)?.[1] ?? '';
  return fetch(action.replace('http://site.example', `http://127.0.0.1:${site.port}`), {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html,application/xhtml+xml', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form_id: hidden, website: '', ...fields }),
  });
}

describe('a contact form', () => {
  it('stores a submitted message and redirects to a confirmation', async () => {
    const answer = await submit(good);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'http://site.example/write-us/?message=sent#contact-form',
    ]);
    expect(await page('/write-us/?message=sent')).toContain('Thank you. Your message was sent.');
    expect(await page('/write-us/')).not.toContain('Thank you');
    expect(await list()).toEqual([
      expect.objectContaining({ id: 1, form, ...good, author_ip: '127.0.0.1', author_user_agent: 'node' }),
    ]);
  });

  it('is rendered identically by the block of an editor', async () => {
    const { data } = (
      await callPlugin(site, 'contributor', 'POST /theme-blocks/v1/render-contact-form', { formID: form })
    ).body;
    expect(await page('/write-us/')).toContain(data);
  });

  it('names invalid fields, and stores nothing', async () => {
    const { status, body } = await send({ name: ' ', email: 'ada@example', message: 'x'.repeat(10_001) });
    expect([status, body.code, Object.keys(body.data.errors)]).toEqual([
      400,
      'data_invalid',
      ['name', 'message', 'email'],
    ]);
    const answer = await submit({ ...good, email: 'nobody' });
    expect(answer.headers.get('location')).toContain('message=invalid');
    expect((await send({ form_id: 999 })).body.code).toBe('data_invalid');
    expect(await list()).toEqual([]);
  });

  it('silently drops messages with the honeypot field filled', async () => {
    expect((await send({ website: 'http://spam.example' })).body).toEqual({ sent: true });
    expect(await list()).toEqual([]);
  });

  it('ignores duplicates, and accepts five messages per hour and address', async () => {
    for (let times = 0; times < 2; times += 1) expect((await send()).status).toBe(200);
    for (const message of ['b', 'c', 'd', 'e']) expect((await send({ message })).status).toBe(200);
    const { status, body } = await send({ message: 'f' });
    expect([status, body.code, (await list()).length]).toEqual([429, 'rest_too_many_messages', 5]);
    expect((await submit({ ...good, message: 'f' })).headers.get('location')).toContain('message=too-many');
    site.clock.now += 3_600_000;
    expect((await send({ message: 'f' })).status).toBe(200);
  });

  it('accepts nothing once its page has another template', async () => {
    await site.call('editor', `PUT /pages/${form}`, { template: '' });
    expect((await send()).body.code).toBe('data_invalid');
    expect(await page('/write-us/')).not.toContain('id="contact-form"');
  });
});

describe('messages', () => {
  it('are listed newest first, by page and form, for editors only', async () => {
    for (const message of ['one', 'two', 'three']) await send({ message });
    const { body, headers } = await callPlugin(site, 'editor', `GET ${root}?per_page=2&form=${form}`);
    expect(body.map((one: { message: string }) => one.message)).toEqual(['three', 'two']);
    expect([headers.get('x-cms-total'), headers.get('x-cms-totalpages')]).toEqual(['3', '2']);
    expect((await callPlugin(site, 'editor', `GET ${root}?form=999`)).body).toEqual([]);
    expect((await list('author')).code).toBe('rest_forbidden');
    expect((await list('anonymous')).code).toBe('rest_forbidden');
  });

  it('are shown and deleted one by one, and ids are not reused', async () => {
    await send();
    expect((await callPlugin(site, 'editor', `GET ${root}/1`)).body).toMatchObject(good);
    expect((await callPlugin(site, 'editor', `DELETE ${root}/1`)).body).toMatchObject({ deleted: true });
    expect((await callPlugin(site, 'editor', `DELETE ${root}/1`)).status).toBe(404);
    await send({ message: 'again' });
    expect((await list()).map(({ id }: { id: number }) => id)).toEqual([2]);
  });

  it('are on the audit pages, and exported as CSV without formulas', async () => {
    await send({ subject: '=SUM(A1)', name: '<b>Ada</b>' });
    const shown = await (await audit('messages')).text();
    expect(shown).toContain('&lt;b&gt;Ada&lt;/b&gt;');
    const table = await audit('messages.csv');
    expect(table.headers.get('content-type')).toContain('text/csv');
    expect(await table.text()).toContain(`"'=SUM(A1)"`.slice(1, -1));
    expect(await (await audit('?type=ContactMessageReceived')).text()).toContain('<code>ContactMessageReceived</code>');
  });

  it('survive a rebuild, and are erased with the email address of their sender', async () => {
    await send();
    await send({ email: 'Grace@example.org', name: 'Grace', message: 'Stays' });
    const before = await list();
    await site.rebuild();
    expect(await list()).toEqual(before);
    const { store } = site.node;
    await store.submit({ viewer: null, correlationId: 'order' }, (session) =>
      eraseAddress(session, 'ADA@example.org', someOrder),
    );
    await store.erasing.finish();
    const after = await list();
    expect(after[1]).toMatchObject({ id: 1, name: '', email: '', message: '', author_ip: '' });
    expect(after[0]).toEqual(before[0]);
    expect(JSON.stringify([...site.node.log.read({})])).not.toContain('When may I see it');
  });
});
