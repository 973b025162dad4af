import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthorizePage, pageOf, wanted } from '../../support/authorize-page.ts';
import { type Site, startSite } from '../../support/site.ts';

const HOUR = 60 * 60 * 1000;

let site: Site;
let page: AuthorizePage;
let id = 0;

// Each comparison with such a password is slow on purpose.
beforeAll(async () => {
  site = await startSite({ guessLimit: 3 });
  page = pageOf(site);
  const ada = { username: 'ada', email: 'ada@example.org', password: 'correct horse', roles: ['author'] };
  id = await site.make('administrator', '/users', ada);
});
afterAll(() => site.close());

describe('the password of an account', () => {
  it('works on pages with a login form, but not in the REST interface', async () => {
    const session = await page.logIn(wanted, 'ADA', 'correct horse');
    expect(session.status).toBe(303);
    expect((await page.ask(wanted, { cookie: session.cookie })).text).toContain('<strong>ada</strong>');
    expect((await page.logIn(wanted, 'ada@example.org', 'correct horse')).status).toBe(303);
    expect((await page.logIn(wanted, 'ada', 'correct  horse')).status).toBe(401);
    const authorization = `Basic ${Buffer.from('ada:correct horse').toString('base64')}`;
    const { body } = await site.call('anonymous', 'GET /users/me', undefined, { headers: { authorization } });
    expect(body.slug).toBeUndefined();
  });

  it('ends the logins made with it when it changes', async () => {
    site.clock.now += HOUR;
    const { cookie } = await page.logIn(wanted, 'ada', 'correct horse');
    expect((await page.ask(wanted, { cookie })).text).toContain('Approve');
    await site.call('administrator', `PUT /users/${id}`, { password: 'another' });
    expect((await page.ask(wanted, { cookie })).text).not.toContain('Approve');
    expect((await page.logIn(wanted, 'ada', 'another')).status).toBe(303);
  });

  it('never matches an unknown account or one without a password', async () => {
    for (const login of ['nobody-here', 'author']) {
      site.clock.now += HOUR;
      expect((await page.logIn(wanted, login, '')).status).toBe(401);
    }
  });

  it('cannot be guessed faster with concurrent guesses', async () => {
    site.clock.now += HOUR;
    const { cookie, token } = await page.ask(wanted);
    const guesses = Array.from({ length: 6 }, (_, i) =>
      page.ask(wanted, { cookie, form: { do: 'login', token, login: 'ada', password: `guess ${i}` } }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});
