import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { sendByClock } from '../support/hooks.ts';
import { found } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';

const examples = join(import.meta.dirname, '../../examples');
const place = mkdtempSync(join(tmpdir(), 'examples-'));
let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
});
afterAll(async () => {
  await site.close();
  rmSync(place, { recursive: true });
});

const root = () => `http://127.0.0.1:${site.port}/cms-json/`;
const run = (example: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, [join(examples, example), ...args], {
    env: { PATH: process.env['PATH'], ...env },
  });

describe('the example of a static site', () => {
  const folder = join(place, 'public');

  it('writes a page for each published post, and removes it with the post', async () => {
    const id = await site.make('editor', '/posts', { title: 'One & only', content: 'Words', status: 'publish' });
    await site.make('editor', '/posts', { title: 'Draft' });
    mkdirSync(folder);
    writeFileSync(join(folder, 'kept.txt'), 'x');
    const { stdout } = await run('static-site/build.ts', [root(), folder]);
    expect(stdout).toBe(`1 posts in ${folder}\n`);
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'kept.txt', 'one-only.html']);
    const page = readFileSync(join(folder, 'one-only.html'), 'utf8');
    expect(page).toContain('<h1>One &#038; only</h1>');
    expect(page).toContain('<p>Words</p>');
    await site.call('editor', `DELETE /posts/${id}`);
    await run('static-site/build.ts', [root(), folder]);
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'kept.txt']);
  });
});

describe('the example of a network that forgets by tags', () => {
  it('tells it what to forget, again if that failed, and believes nobody else', async () => {
    const told: unknown[] = [];
    const network = createServer(async (request, response) => {
      const { headers, method } = request;
      for await (const _ of request);
      told.push([method, String(headers['surrogate-key']).split(' ').sort(), headers['fastly-key']]);
      response.writeHead(told.length === 1 ? 500 : 200).end();
    });
    network.listen(0, '127.0.0.1');
    await once(network, 'listening');
    const { port: networkPort } = network.address() as AddressInfo;
    const port = await freePort();
    const address = `http://127.0.0.1:${port}/`;
    site.clock.now = Date.now();
    const sending = sendByClock(site);
    const { body: hook } = await site.call('administrator', 'POST /cms-json/webhooks/v1/hooks', { address });
    const purge = spawn(process.execPath, [join(examples, 'purge/purge.ts'), 'fastly', String(port)], {
      env: {
        PATH: process.env['PATH'],
        HOOK_SECRET: hook.secret,
        PURGE_URL: `http://127.0.0.1:${networkPort}/purge`,
        PURGE_HEADERS: '{"Fastly-Key": "k"}',
      },
    });
    onTestFinished(async () => {
      sending.stop();
      purge.kill();
      network.close();
      await site.call('administrator', `DELETE /cms-json/webhooks/v1/hooks/${hook.id}`);
    });
    await once(purge.stdout, 'data');
    expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(401);
    const id = await site.make('editor', '/posts', { title: 'Tagged', status: 'publish' });
    await found(() => told.length === 1);
    await found(() => sending.sleeping() > 0);
    await sending.advance(2000);
    await found(() => told.length === 2);
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    expect(told.slice(0, 2)).toEqual(Array.from({ length: 2 }, () => ['POST', ['all', 'entries', `entry-${id}`], 'k']));
  });
});

describe('the example of a front end', () => {
  it('shows what is public, and what is not to whoever has a preview', async () => {
    const port = await freePort();
    const front = spawn(process.execPath, [join(examples, 'front/front.ts'), root(), String(port)], { stdio: 'pipe' });
    onTestFinished(() => void front.kill());
    await once(front.stdout, 'data');
    const look = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return [answer.status, await answer.text()] as const;
    };
    const post = await site.make('editor', '/posts', { title: 'Seen', slug: 'seen', status: 'publish' });
    const draft = await site.make('editor', '/posts', { title: 'Not yet seen', content: 'Words of a draft' });
    expect((await look('/'))[1]).toContain('href="/seen"');
    expect((await look(`/preview/posts/${draft}`))[0]).toBe(404);
    const ofDraft = (await site.call('editor', 'POST /previews', { item: draft })).body.token;
    expect((await look(`/preview/posts/${draft}?preview=${ofDraft}`))[1]).toContain('Words of a draft');
    const release = (await site.call('editor', 'POST /releases', { name: 'Soon' })).body.id;
    await site.call('editor', `PATCH /posts/${post}?release=${release}`, { title: 'Seen soon' });
    const { token } = (await site.call('editor', 'POST /previews', { release })).body;
    expect((await look(`/?preview=${token}`))[1]).toContain(`href="/seen?preview=${token}">Seen soon`);
    expect((await look(`/seen?preview=${token}`))[1]).toContain('This is a preview.');
    expect((await look('/seen'))[1]).toContain('<h1>Seen</h1>');
    await site.call('editor', `DELETE /posts/${post}?force=true`);
  });
});

describe('the receiver of the static site example', () => {
  it('rebuilds on a message of the site’s hook, and refuses messages with an old or wrong signature', async () => {
    const [folder, port] = [join(place, 'received'), await freePort()];
    const address = `http://127.0.0.1:${port}/`;
    // Receivers refuse messages whose time differs from theirs.
    site.clock.now = Date.now();
    const sending = sendByClock(site);
    onTestFinished(() => sending.stop());
    const hook = { address, resources: ['posts'] };
    const { body: added } = await site.call('administrator', 'POST /cms-json/webhooks/v1/hooks', hook);
    const args = [join(examples, 'static-site/receive.ts'), root(), folder, String(port)];
    const env = { HOOK_SECRET: added.secret };
    const receiver = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void receiver.kill());
    await once(receiver.stdout, 'data');
    const built = () => readdirSync(folder).includes('told.html');
    expect(built()).toBe(false);
    const id = await site.make('editor', '/posts', { title: 'Told', content: 'Words', status: 'publish' });
    await found(built);

    const body = JSON.stringify({ type: 'site.changed', data: {} });
    const send = async (webhook: Webhook, time: Date) => {
      const signature = webhook.sign('msg_1', time, body);
      const seconds = String(Math.floor(time.getTime() / 1000));
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signature };
      return (await fetch(address, { method: 'POST', headers, body })).status;
    };
    const another = new Webhook(Buffer.alloc(24).toString('base64'));
    expect(await send(new Webhook(added.secret), new Date())).toBe(204);
    expect(await send(new Webhook(added.secret), new Date(0))).toBe(401);
    expect(await send(another, new Date())).toBe(401);
    expect((await fetch(address, { method: 'POST', body })).status).toBe(401);
    await site.call('administrator', `DELETE /cms-json/webhooks/v1/hooks/${added.id}`);
    await site.call('editor', `DELETE /posts/${id}?force=true`);
  });
});

describe('the example of a mirror', () => {
  const file = join(place, 'mirror.db');
  const rows = () => {
    const db = new DatabaseSync(file, { readOnly: true });
    const all = db.prepare('SELECT id, slug, title FROM posts ORDER BY id').all();
    db.close();
    return all.map((row) => ({ ...row }));
  };

  it('copies public posts, and resumes where it stopped', async () => {
    const [first, second] = [
      await site.make('editor', '/posts', { title: 'First', status: 'publish' }),
      await site.make('editor', '/posts', { title: 'Second', status: 'publish' }),
    ];
    const { stdout } = await run('mirror/mirror.ts', [root(), file, '--once']);
    expect(stdout).toBe(`at position ${site.position()}\n`);
    const kept = { id: second, slug: 'second', title: 'Second' };
    expect(rows()).toEqual([{ id: first, slug: 'first', title: 'First' }, kept]);
    await site.call('editor', `POST /posts/${first}`, { status: 'private' });
    await site.call('editor', `POST /posts/${second}`, { title: 'Again' });
    await run('mirror/mirror.ts', [root(), file, '--once']);
    expect(rows()).toEqual([{ ...kept, title: 'Again' }]);
  });
});

describe('the example of an editor in a terminal', () => {
  it('saves an edited post, and asks to merge both texts after a concurrent change', async () => {
    const id = await site.make('editor', '/posts', { title: 'Shared', content: 'Old', status: 'publish' });
    const saved = async () => (await site.call('editor', `GET /posts/${id}?context=edit`)).body.content.raw;
    const login = Buffer.from(site.authorization('editor').slice('Basic '.length), 'base64').toString();
    // The first run causes a concurrent change; the second keeps both texts.
    const editor = join(place, 'editor.mjs');
    writeFileSync(
      editor,
      `import { readFileSync, writeFileSync } from 'node:fs';
      const file = process.argv[2];
      const text = readFileSync(file, 'utf8');
      if (text === 'Old') {
        const headers = { authorization: 'Basic ' + btoa(process.env.CMS_LOGIN), 'content-type': 'application/json' };
        await fetch('${root()}cms/v2/posts/${id}', { method: 'POST', headers, body: '{"content":"Theirs"}' });
        writeFileSync(file, 'Mine');
      } else writeFileSync(file, text.replace(/^[<=>]{7}.*\\n/gm, ''));`,
    );
    const env = { CMS_LOGIN: login, EDITOR: `${process.execPath} ${editor}` };
    const { stdout } = await run('terminal-editor/edit.ts', [root(), String(id)], env);
    expect(stdout).toBe('Somebody else has changed the post: put both texts together.\nsaved\n');
    expect(await saved()).toBe('Mine\nTheirs\n');
    const again = await run('terminal-editor/edit.ts', [root(), String(id)], { ...env, EDITOR: 'true' });
    expect(again.stdout).toBe('nothing to save\n');
    const wrong = run('terminal-editor/edit.ts', [root(), '999999'], env);
    await expect(wrong).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Invalid post ID') });
  });
});

it('each example is short, and has a README', () => {
  const linesOf = (file: string) => readFileSync(join(examples, file), 'utf8').split('\n').length;
  const filesIn = (folder: string) =>
    readdirSync(join(examples, folder), { recursive: true, encoding: 'utf8' }).filter((file) => extname(file) !== '');
  for (const name of ['static-site', 'mirror', 'terminal-editor', 'front', 'purge', 'guestbook', 'typed-client']) {
    expect(filesIn(name)).toContain('README.md');
    for (const file of filesIn(name)) expect(linesOf(join(name, file))).toBeLessThanOrEqual(80);
  }
  for (const file of filesIn('astro/src')) expect(linesOf(join('astro/src', file))).toBeLessThanOrEqual(80);
  expect(linesOf('astro/README.md')).toBeLessThanOrEqual(80);
  expect(linesOf('terminal-editor/edit.ts')).toBeLessThanOrEqual(61);
});
