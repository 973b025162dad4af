import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setRole } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { reporterOf } from '#process/reporter.ts';
import { openSessionsFile } from '../../../src/node/sessions-file.ts';
import { type As, type Site, startSite } from '../../support/site.ts';

const HOUR = 60 * 60 * 1000;

let site: Site;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sessions-'));
  site = await startSite({ guessLimit: 5, sessions: openSessionsFile(folder, reporterOf()) });
});

afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

type Sent = Readonly<Record<string, string>>;

const passwordOf = (as: As) => Buffer.from(site.authorization(as).slice(6), 'base64').toString().split(':')[1] ?? '';

async function ask(
  path: string,
  { cookie = '', form, headers = {} }: { cookie?: string; form?: Sent; headers?: Sent } = {},
) {
  const response = await fetch(`http://127.0.0.1:${site.port}/cms-audit/${path}`, {
    redirect: 'manual',
    method: form === undefined ? 'GET' : 'POST',
    headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  const cookies = response.headers.getSetCookie();
  const given = cookies.map((line) => line.split(';')[0] ?? '');
  return { status: response.status, headers: response.headers, text: await response.text(), cookies, given };
}

/** Requests the form; returns its hidden fields and its cookie. */
async function formAt(path = '') {
  const { text, given } = await ask(path);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  return { cookie: given[0] ?? '', token: field('token'), to: field('to') };
}

async function logIn(as: As, more: Sent = {}, headers: Sent = {}) {
  const { cookie, token, to } = await formAt();
  return ask('login', { cookie, headers, form: { token, to, login: as, password: passwordOf(as), ...more } });
}

const sessionOf = ({ given }: { readonly given: readonly string[] }) =>
  given.find((one) => one.startsWith('audit=')) ?? '';

describe('logging in at the audit pages', () => {
  it('sets a cookie limited to these pages, hidden from scripts and other sites', async () => {
    const answer = await logIn('administrator');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, './']);
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^audit=[^;]+; Max-Age=28800; Path=\/cms-audit\/; HttpOnly; SameSite=Strict$/),
    ]);
    const page = await ask('', { cookie: sessionOf(answer) });
    expect([page.status, page.text.includes('Log out')]).toEqual([200, true]);
  });

  it('sets a secure cookie with the path of the site when the site uses https', async () => {
    await site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) => {
      const { url: _, ...kept } = session.site();
      session.stage('site', [
        { type: 'SiteAddressChanged', data: { ...kept, url: 'https://site.example/blog' } } as never,
      ]);
    });
    const { cookies } = await ask('');
    expect(cookies[0]).toMatch(/; Path=\/blog\/cms-audit\/; HttpOnly; Secure; SameSite=Strict$/);
  });

  it.each([
    ['things/entry-1?x=1', './things/entry-1?x=1'],
    ['//evil.example', './//evil.example'],
    ['https://evil.example', './https://evil.example'],
    ['..\\\\evil', './'],
    ['../../cms-json', './'],
  ])('redirects to %s only within these pages', async (to, location) => {
    expect((await logIn('administrator', { to })).headers.get('location')).toBe(location);
  });

  it.each([
    ['a wrong password', 'administrator', { password: 'wrong' }, 401],
    ['nobody', 'administrator', { login: 'nobody' }, 401],
    ['an editor', 'editor', {}, 403],
    ['a token of no form', 'administrator', { token: 'form.9999999999999.x.y' }, 403],
    ['no token', 'administrator', { token: '' }, 403],
  ] as const)('is refused with %s', async (_, as, more, status) => {
    const answer = await logIn(as, more);
    expect([answer.status, sessionOf(answer)]).toEqual([status, '']);
    expect(answer.text).toContain('role="alert"');
  });

  it('is refused for forms of other pages', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await logIn('administrator', {}, headers)).status).toBe(403);
    }
    const [one, other] = [await formAt(), await formAt()];
    const form = { token: one.token, to: '', login: 'administrator', password: passwordOf('administrator') };
    expect((await ask('login', { cookie: other.cookie, form })).status).toBe(403);
    expect((await ask('login', { form })).status).toBe(403);
  });

  it('is refused for a while after too many wrong passwords, even with the correct one of the account', async () => {
    await site.call('administrator', 'PUT /users/1', { password: 'correct horse' });
    for (let i = 0; i < 5; i++) expect((await logIn('administrator', { password: `wrong ${i}` })).status).toBe(401);
    const { status, headers } = await logIn('administrator', { password: 'correct horse' });
    expect([status, headers.get('retry-after'), headers.get('x-cms-auth')]).toEqual([429, '180', 'failed']);
    expect((await logIn('administrator')).status).toBe(303);
    site.clock.now += 180_000;
    expect((await logIn('administrator', { password: 'correct horse' })).status).toBe(303);
  });
});

describe('a session', () => {
  const isOpen = async (cookie: string) => (await ask('', { cookie })).status === 200;
  const submit = (work: Parameters<Site['node']['store']['submit']>[1]) =>
    site.node.store.submit({ viewer: null, correlationId: 'test' }, work);

  it('ends after eight hours', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    site.clock.now += 8 * HOUR - 1;
    expect(await isOpen(cookie)).toBe(true);
    site.clock.now += 1;
    expect(await isOpen(cookie)).toBe(false);
  });

  it('ends for every copy of the cookie when its user logs out, also across a restart', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    expect((await ask('logout', { cookie, form: {}, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect(await isOpen(cookie)).toBe(true);
    const { status, cookies } = await ask('logout', { cookie, form: {} });
    expect([status, cookies[0]]).toEqual([303, expect.stringMatching(/^audit=; Max-Age=0;/)]);
    expect(await isOpen(cookie)).toBe(false);
    await site.close();
    site = await startSite({ sessions: openSessionsFile(folder, reporterOf()) });
    expect(await isOpen(cookie)).toBe(false);
  });

  it('survives a restart of the server', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    await site.restart();
    expect(await isOpen(cookie)).toBe(true);
  });

  it('ends when its user is no longer an administrator', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    await submit((session) => setRole(session, 'editor', 'administrator'));
    const { value } = await submit((session) => setRole(session, 'administrator', 'editor'));
    expect(isRefusal(value)).toBe(false);
    expect(await isOpen(cookie)).toBe(false);
  });

  it('ends when the password that began it is revoked', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    const [password] = site.node.store.reader.user(1)?.passwords ?? [];
    await submit((session) =>
      session.stage('user-1', [{ type: 'UserPasswordRevoked', data: { id: 1, password: password?.id ?? '' } }]),
    );
    expect(await isOpen(cookie)).toBe(false);
  });

  it('ends when password authentication is disabled', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    const { status } = await site.call('administrator', 'POST /cms-json/host-tools-plugin/v1/update-settings', {
      disable_authentication_password: true,
    });
    expect(status).toBe(200);
    expect(await isOpen(cookie)).toBe(false);
  });

  it('authenticates on these pages only', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    const { body } = await site.call('anonymous', 'GET /users/me', undefined, { headers: { cookie } });
    expect(body.code).toBe('rest_not_logged_in');
  });

  it('cannot be forged', async () => {
    const cookie = sessionOf(await logIn('administrator'));
    const forged = [
      cookie.slice(0, -1),
      `${cookie}x`,
      'audit=',
      'audit=session.e30.x',
      cookie.replace('session', 'form'),
    ];
    for (const one of forged) expect(await isOpen(one)).toBe(false);
  });
});

describe('the session secret', () => {
  it('is readable by the server’s user alone, and replaced when damaged', () => {
    const path = join(folder, 'sessions.json');
    const { secret } = openSessionsFile(folder, reporterOf()).record;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openSessionsFile(folder, reporterOf()).record.secret).toBe(secret);
    writeFileSync(path, '{"secret":');
    expect(openSessionsFile(folder, reporterOf()).record.secret).not.toBe(secret);
    expect(readFileSync(path, 'utf8')).toContain('secret');
  });
});
