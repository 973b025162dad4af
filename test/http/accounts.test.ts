import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, SITE, type Site, startSite } from '../support/site.ts';
import { makeUser } from './accounts.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const made = (more?: Record<string, unknown>) => makeUser(site, more);

describe('creating a user', () => {
  it('derives name and slug from the login and gives the role subscriber', async () => {
    const { status, user, location } = await made();
    expect([status, location]).toEqual([201, `${BASE}/users/${user.id}`]);
    expect(user).toMatchObject({
      ...{ name: user.username, nickname: user.username, slug: user.username, url: '', locale: 'en_US' },
      ...{ first_name: '', last_name: '', roles: ['subscriber'], link: `${SITE}/author/${user.username}/` },
      ...{ capabilities: { read: true, level_0: true, subscriber: true }, meta: { persisted_preferences: [] } },
    });
    expect(JSON.stringify(user)).not.toContain('scrypt');
  });

  it('stores names as plain text, the description with allowed markup, the URL with a scheme', async () => {
    const { user } = await made({
      ...{ first_name: ' A<b>d</b>a ', last_name: 'Lovelace', nickname: '<i>Countess</i>', url: 'example.org/a b' },
      ...{ description: ' <b>Notes</b> <script>x</script>', slug: 'Ada L.', roles: 'author,contributor,author' },
    });
    expect(user).toMatchObject({
      ...{ name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace', nickname: 'Countess', slug: 'ada-l' },
      ...{ url: 'http://example.org/a%20b', description: ' <b>Notes</b> x', roles: ['author', 'contributor'] },
      extra_capabilities: { author: true, contributor: true },
    });
  });

  it.each([
    ['javascript:alert(1)', ''],
    ['//example.org', '//example.org'],
    ['https://[::1]/a[b]', 'https://[::1]/a%5Bb%5D'],
  ])('stores the URL %s as %s', async (url, stored) => expect((await made({ url })).user.url).toBe(stored));

  it.each([
    [{ username: 'a  b' }, 'rest_user_invalid_username'],
    [{ username: 'ä' }, 'rest_user_invalid_username'],
    [{ email: 'a@b' }, 'rest_invalid_email'],
    [{ email: 7 }, 'rest_invalid_type'],
    [{ password: 'a\\b' }, 'rest_user_invalid_password'],
    [{ password: '0' }, 'rest_user_invalid_password'],
    [{ locale: 'de_DE' }, 'rest_not_in_enum'],
  ])('is refused as invalid for %j', async (sent, code) => {
    const body = { username: 'fine', email: 'fine@example.org', password: 'x', ...sent };
    const { status, body: refused } = await site.call('administrator', 'POST /users', body);
    const [name = ''] = Object.keys(sent);
    expect([status, refused.code, refused.data.details[name].code]).toEqual([400, 'rest_invalid_param', code]);
  });

  it.each([
    [{ username: 'EDITOR' }, 'existing_user_login'],
    [{ email: 'Editor@example.org' }, 'existing_user_email'],
    [{ username: 'x'.repeat(61) }, 'user_login_too_long'],
    [{ slug: 'x'.repeat(51) }, 'user_nicename_too_long'],
    [{ roles: ['king'] }, 'rest_user_invalid_role'],
    [{ id: 3 }, 'rest_user_exists'],
    [{ meta: { persisted_preferences: 'x' } }, 'rest_invalid_type'],
  ])('is refused as taken, too long or unknown for %j', async (sent, code) => {
    const body = { username: 'fine', email: 'fine@example.org', password: 'x', ...sent };
    expect(await site.call('administrator', 'POST /users', body)).toMatchObject({ status: 400, body: { code } });
  });

  it('is limited to administrators', async () => {
    for (const [as, status] of [['editor', 403] as const, ['anonymous', 401] as const]) {
      const answer = await site.call(as, 'POST /users', { username: 'x', email: 'x@example.org', password: 'x' });
      expect(answer).toMatchObject({ status, body: { code: 'rest_cannot_create_user' } });
      expect(answer.headers.get('allow')).toBe('GET');
    }
  });

  it('works several times in one batch', async () => {
    const requests = ['one', 'two'].map((name) => ({
      path: '/cms/v2/users',
      body: { username: `batch-${name}`, email: `${name}@example.org`, password: name },
    }));
    const before = site.position();
    const { body } = await site.call('administrator', 'POST /cms-json/batch/v1', { requests });
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 201]);
    expect(site.position()).toBe(before + 4);
  });
});
