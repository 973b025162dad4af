import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorizationRequestIn } from '#http/authorize/request.ts';
import { APP, type AuthorizePage, pageOf, type Sent, wanted } from '../../support/authorize-page.ts';
import { type As, type Site, startSite } from '../../support/site.ts';

const HOUR = 60 * 60 * 1000;

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const passwordOf = (as: As) => Buffer.from(site.authorization(as).slice(6), 'base64').toString().split(':')[1] ?? '';
const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
const ask = (...given: Parameters<AuthorizePage['ask']>) => pageOf(site).ask(...given);
const logIn = (...given: Parameters<AuthorizePage['logIn']>) => pageOf(site).logIn(...given);

/** Logs in and presses a button of the form that follows. */
async function decide(query: Sent, does: 'approve' | 'refuse', { login = 'author', name = 'Pocket' } = {}) {
  const session = await logIn(query, login, passwordOf('author'));
  const { token } = await ask(query, { cookie: session.cookie });
  return ask(query, { cookie: session.cookie, form: { do: does, token, name } });
}

const whoIs = async (login: string, password: string) =>
  (await site.call('anonymous', 'GET /users/me', undefined, { headers: basic(login, password) })).body.slug;
const passwords = async () => (await site.call('author', 'GET /users/me/application-passwords')).body;

describe('the page where users grant a program a password', () => {
  it('is listed in the index as the authorization endpoint', async () => {
    const ways = async () => (await site.call('anonymous', 'GET /cms-json')).body.authentication;
    expect(await ways()).toEqual({
      'application-passwords': { endpoints: { authorization: 'http://site.example/authorize-application' } },
    });
  });

  it('asks for a login, then for approval, and passes the password to the program', async () => {
    const before = site.position();
    const first = await ask(wanted);
    expect([first.status, first.text.includes('Pocket'), first.text.includes('Log in')]).toEqual([200, true, true]);
    const session = await logIn(wanted, 'author', passwordOf('author'));
    expect([session.status, session.location.startsWith('./authorize-application?app_name=Pocket')]).toEqual([
      303,
      true,
    ]);
    const consent = await ask(wanted, { cookie: session.cookie });
    expect([consent.status, consent.text.includes('Approve'), consent.text.includes('author')]).toEqual([
      200,
      true,
      true,
    ]);
    expect(site.position()).toBe(before);

    const approved = await ask(wanted, {
      cookie: session.cookie,
      form: { do: 'approve', token: consent.token, name: 'My <b>phone</b>' },
    });
    expect([approved.status, approved.headers.get('cache-control')]).toEqual([303, 'no-store']);
    const target = new URL(approved.location);
    const { step, site_url, user_login, password = '' } = Object.fromEntries(target.searchParams);
    expect([target.protocol, target.host, step, site_url, user_login]).toEqual([
      ...['pocket:', 'signed-in', '2', 'http://site.example', 'author'],
    ]);
    expect(password).toMatch(/^[A-Za-z\d]{24}$/);
    expect(await whoIs('author', password)).toBe('author');
    expect((await passwords()).at(-1)).toMatchObject({ name: 'My phone', app_id: APP });
    expect(site.position()).toBe(before + 1);
  });

  it('accepts an email address as login', async () => {
    const { location } = await decide(wanted, 'approve', { login: 'Author@example.org' });
    expect(new URL(location).searchParams.get('user_login')).toBe('author');
  });

  it('notifies the program of a refusal and creates no password', async () => {
    const before = site.position();
    expect((await decide(wanted, 'refuse')).location).toBe('pocket://signed-in?step=2&success=false');
    const elsewhere = { ...wanted, reject_url: 'https://app.example/no' };
    expect((await decide(elsewhere, 'refuse')).location).toBe('https://app.example/no');
    const { status, text } = await decide({ app_name: 'Pocket' }, 'refuse');
    expect([status, text.includes('got no password')]).toEqual([200, true]);
    expect(site.position()).toBe(before);
  });

  it('shows the password once when the program gives no return URL', async () => {
    const { status, text, headers } = await decide({ app_name: 'Pocket' }, 'approve');
    const shown = /<code class="hash">([^<]*)</.exec(text)?.[1] ?? '';
    expect([status, headers.get('cache-control'), shown.length]).toEqual([200, 'no-store', 29]);
    expect(await whoIs('author', shown)).toBe('author');
  });

  it('requires a name for the password', async () => {
    const before = site.position();
    const { status, text } = await decide(wanted, 'approve', { name: ' ' });
    expect([status, text.includes('needs a name')]).toEqual([400, true]);
    expect(site.position()).toBe(before);
  });

  it('has no scripts, cannot be framed, and submits forms only to the program', async () => {
    const { headers, text, cookies } = await ask({ ...wanted, reject_url: 'https://app.example/no' });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' pocket: https://app.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(cookies).toEqual([
      expect.stringMatching(
        /^authorize-form=[^;]+; Max-Age=3600; Path=\/authorize-application; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  it.each([
    [{ success_url: 'javascript:alert(1)' }, 'of this kind'],
    [{ success_url: 'data:text/html,x' }, 'of this kind'],
    [{ success_url: 'http://app.example/' }, 'secure connection'],
    [{ reject_url: 'http://app.example/' }, 'secure connection'],
    [{ success_url: '/cms-admin/' }, 'absolute'],
    [{ success_url: '//app.example/' }, 'absolute'],
    [{ app_id: 'pocket' }, 'UUID'],
  ])('refuses %o', async (query: Sent, words) => {
    const { status, text, headers } = await ask({ ...wanted, ...query });
    expect([status, text.includes(words), text.includes('<form')]).toEqual([400, true, false]);
    expect(headers.get('content-security-policy')).toContain("form-action 'self';");
  });

  it('allows unencrypted return URLs on the same machine', async () => {
    for (const success_url of ['http://localhost:3000/back', 'http://127.0.0.1/', 'http://[::1]:99/']) {
      expect((await ask({ ...wanted, success_url })).status).toBe(200);
    }
  });

  it.each([
    'https://a;frame-ancestors',
    "https://a'b.example/",
    'https://a,b.example/',
    'chrome://settings',
    'jar:https://a.example/x',
    'mhtml:https://a.example/',
    'ms-msdt:/id',
    'search-ms:query',
    'feed:javascript:alert(1)',
    'feed://a.example/',
    'view-source:https://a.example/',
    'intent://a.example/#Intent;end',
    'mailto:a@b.example',
    'pocket:signed-in',
  ])('refuses to return to %s', async (address) => {
    for (const name of ['success_url', 'reject_url']) {
      const { status, headers } = await ask({ ...wanted, [name]: address });
      expect(status).toBe(400);
      expect(headers.get('content-security-policy')).not.toContain('frame-ancestors https');
    }
  });

  it.each([
    'pocket://signed-in',
    'com.example.pocket:/signed-in',
    'com.example.pocket://x',
    'https://xn--bcher-kva.example:8/',
  ])('returns to %s', async (success_url) => {
    expect((await ask({ ...wanted, success_url })).status).toBe(200);
  });

  it('cannot be framed', async () => {
    const { headers } = await ask(wanted);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-security-policy')).toMatch(/^[^;]*; frame-ancestors 'none'/);
  });

  it('takes one decision for each login', async () => {
    const session = await logIn(wanted, 'author', passwordOf('author'));
    const { token } = await ask(wanted, { cookie: session.cookie });
    const form = { do: 'approve', name: 'once', token };
    const answers = await Promise.all([1, 2, 3].map(() => ask(wanted, { cookie: session.cookie, form })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
    const made = (await passwords()).filter(({ name }: { name: string }) => name === 'once');
    expect(made).toHaveLength(1);
  });

  it('takes no token of another form', async () => {
    const audit = await fetch(`http://127.0.0.1:${site.port}/cms-audit/login`);
    const token = /name="token" value="([^"]*)"/.exec(await audit.text())?.[1] ?? '';
    const form = { do: 'login', token, login: 'author', password: passwordOf('author') };
    expect(token).not.toBe('');
    expect((await ask(wanted, { cookie: `authorize-form=${token}`, form })).status).toBe(403);
  });

  it('refuses forged, cross-site and expired forms', async () => {
    const session = await logIn(wanted, 'author', passwordOf('author'));
    const { token } = await ask(wanted, { cookie: session.cookie });
    const form = { do: 'approve', name: 'x', token };
    const before = site.position();
    const refused = [
      await ask(wanted, { cookie: session.cookie, form: { ...form, token: 'form.1.x' } }),
      await ask(wanted, { cookie: session.cookie.replace(/authorize-form=[^;]*/, ''), form }),
      await ask(wanted, { cookie: session.cookie, form, headers: { 'sec-fetch-site': 'cross-site' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    site.clock.now += 2 * HOUR;
    expect((await ask(wanted, { cookie: session.cookie, form })).status).toBe(403);
    expect(site.position()).toBe(before);
  });

  it('forgets the login after ten minutes and after the decision', async () => {
    const session = await logIn(wanted, 'author', passwordOf('author'));
    site.clock.now += HOUR / 6 + 1000;
    const { token } = await ask(wanted, { cookie: session.cookie });
    const { status } = await ask(wanted, { cookie: session.cookie, form: { do: 'approve', name: 'x', token } });
    expect(status).toBe(401);
    const { cookies } = await decide(wanted, 'refuse');
    expect(cookies).toEqual([expect.stringMatching(/^authorize=; Max-Age=0;/)]);
  });

  it('does not log in at the audit pages', async () => {
    const { cookie } = await logIn(wanted, 'administrator', passwordOf('administrator'));
    const session = /authorize=([^;]*)/.exec(cookie)?.[1] ?? '';
    const audit = await fetch(`http://127.0.0.1:${site.port}/cms-audit/`, { headers: { cookie: `audit=${session}` } });
    expect(audit.status).toBe(401);
  });
});

describe('the return URL of a program', () => {
  it('never has a scheme that browsers execute, nor leaves the machine unencrypted', () => {
    const text = fc.string({ unit: fc.constantFrom(...'javscript:data/\\ \t\n@.%0aHTP?#[]x'), maxLength: 40 });
    const begun = fc.tuple(fc.constantFrom('', 'javascript:', 'http:', 'https://', 'x:', ' JAVA\nscript:'), text);
    const whole = fc
      .tuple(fc.constantFrom('http', 'https'), fc.domain(), text)
      .map(([scheme, host, path]) => `${scheme}://${host}/${path}`);
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          begun.map(([a, b]) => a + b),
          whole,
        ),
        (success) => {
          const wish = authorizationRequestIn(new URLSearchParams({ success_url: success }));
          if (typeof wish === 'string' || wish.success === null) return;
          const { protocol, hostname, href } = wish.success;
          expect(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:']).not.toContain(protocol);
          if (protocol === 'http:') expect(hostname).toMatch(/^(?:localhost|127\.[\d.]+|\[::1\])$/);
          expect(href).not.toMatch(/[\r\n]/);
        },
      ),
    );
  });
});
