import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretDigest } from '#text/secret.ts';
import { type As, BASE, SITE, type Site, startSite } from '../support/site.ts';

const [ADMIN, EDITOR, AUTHOR, , SUBSCRIBER] = [1, 2, 3, 4, 5];

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

let number = 0;
/** Creates a user with the given extra fields; returns the record. */
async function made(more: Record<string, unknown> = {}) {
  number += 1;
  const username = `user${number}`;
  const sent = { username, email: `${username}@example.org`, password: 'pass word', ...more };
  const { status, body, headers } = await site.call('administrator', 'POST /users', sent);
  expect(body).toMatchObject({ username: sent.username });
  return { status, user: body, location: headers.get('location') };
}
const change = (id: number, body: unknown, as: As = 'administrator') => site.call(as, `PUT /users/${id}`, body);
const secretOf = (id: number) => site.node.store.reader.user(id)?.secret ?? '';

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
      ...{ url: 'http://example.org/a%20b', description: '<b>Notes</b> x', roles: ['author', 'contributor'] },
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

describe('the password of a user', () => {
  it('is stored as a salted digest and does not authenticate REST requests', async () => {
    const [{ user: one }, { user: other }] = [await made(), await made()];
    const [, salt = ''] = secretOf(one.id).split('$');
    expect(secretOf(one.id)).toBe(secretDigest('pass word', salt));
    expect(secretOf(one.id)).not.toBe(secretOf(other.id));
    const authorization = `Basic ${Buffer.from(`${one.username}:pass word`).toString('base64')}`;
    expect(await site.call('anonymous', 'GET /users/me', undefined, { headers: { authorization } })).toMatchObject({
      status: 401,
    });
  });

  it('changes when a different one is sent, not when the same is sent', async () => {
    const { user } = await made();
    const [before, position] = [secretOf(user.id), site.position()];
    await change(user.id, { password: 'pass word' });
    expect([secretOf(user.id), site.position()]).toEqual([before, position]);
    await change(user.id, { password: 'another' });
    expect(secretOf(user.id)).not.toBe(before);
  });
});

describe('changing a user', () => {
  it('keeps fields that are not sent, and resets emptied names to the login', async () => {
    const { user } = await made({ name: 'Shown', first_name: 'Ada', nickname: 'Countess' });
    expect((await change(user.id, { last_name: 'King' })).body).toMatchObject({
      ...{ name: 'Shown', first_name: 'Ada', last_name: 'King', nickname: 'Countess' },
    });
    const emptied = await change(user.id, { name: '', nickname: null, email: null, first_name: null });
    const { username } = user;
    expect(emptied.body).toMatchObject({
      name: username,
      nickname: username,
      email: 'nobody@site.invalid',
      first_name: '',
    });
  });

  it('appends no event when nothing differs', async () => {
    const { user } = await made({ name: 'Shown' });
    const before = site.position();
    const { username, email, slug, name, roles } = user;
    expect((await change(user.id, { username, email, slug, name, roles, locale: '' })).status).toBe(200);
    expect(site.position()).toBe(before);
  });

  it.each([
    [{ username: 'other' }, 'rest_user_invalid_argument'],
    [{ email: 'editor@example.org' }, 'rest_user_invalid_email'],
    [{ slug: 'editor' }, 'rest_user_invalid_slug'],
    [{ roles: ['author', 'king'] }, 'rest_user_invalid_role'],
  ])('is refused for %j', async (sent, code) =>
    expect(await change(SUBSCRIBER, sent)).toMatchObject({ status: 400, body: { code } }),
  );

  it('is allowed to the user and to administrators', async () => {
    expect(await change(AUTHOR, { name: 'x' }, 'editor')).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_edit' },
    });
    expect(await change(AUTHOR, { name: 'Author' }, 'author')).toMatchObject({ status: 200, body: { name: 'Author' } });
    expect(await change(99, { name: 'x' })).toMatchObject({ status: 404, body: { code: 'rest_user_invalid_id' } });
    const me = await site.call('subscriber', 'PATCH /users/me', { name: 'Me', description: 'a' });
    expect(me).toMatchObject({ status: 200, body: { id: SUBSCRIBER, name: 'Me' } });
    expect(await site.call('anonymous', 'PATCH /users/me', {})).toMatchObject({ status: 404 });
  });

  it('stores the preferences of the editor, shown in context edit only', async () => {
    const persisted = { _modified: '2026-03-01T11:00:00.000Z', core: { fixedToolbar: true } };
    const meta = { persisted_preferences: persisted };
    expect((await site.call('author', 'PUT /users/me', { meta })).body.meta).toEqual(meta);
    expect((await site.call('author', 'GET /users/me?context=edit')).body.meta).toEqual(meta);
    expect((await site.call('author', 'GET /users/me')).body.meta).toEqual([]);
    for (const [wrong, code] of [
      [7, 'rest_invalid_type'] as const,
      [{ _modified: 'x' }, 'rest_invalid_date'] as const,
    ]) {
      const refused = await site.call('author', 'PUT /users/me', { meta: { persisted_preferences: wrong } });
      expect(refused).toMatchObject({ status: 400, body: { code } });
    }
    const emptied = await site.call('author', 'PUT /users/me', { meta: { persisted_preferences: null } });
    expect(emptied.body.meta).toEqual({ persisted_preferences: [] });
  });
});

describe('roles', () => {
  it('accumulate their capabilities, and may be empty', async () => {
    const { user } = await made({ roles: ['contributor'] });
    const { body } = await change(user.id, { roles: ['subscriber', 'editor'] });
    expect(body.capabilities).toMatchObject({ subscriber: true, editor: true, moderate_comments: true });
    expect((await change(user.id, { roles: [] })).body).toMatchObject({ roles: [], capabilities: {} });
  });

  it('give administrators 62 capabilities, but not assign_terms', async () => {
    const { body } = await site.call('administrator', 'GET /users/me?context=edit');
    expect(Object.keys(body.capabilities)).toHaveLength(62);
    expect(body.capabilities).not.toHaveProperty('assign_terms');
  });

  it('are assigned by administrators, who cannot demote themselves', async () => {
    const by = (as: As, id: number, roles: string[]) => change(id, { roles }, as);
    expect(await by('author', AUTHOR, ['author'])).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_edit_roles' },
    });
    expect(await by('administrator', ADMIN, ['editor'])).toMatchObject({
      status: 403,
      body: { code: 'rest_user_invalid_role' },
    });
  });

  it('cannot be taken from the last administrator', async () => {
    expect(await change(ADMIN, { roles: [] })).toMatchObject({ status: 403, body: { code: 'last_administrator' } });
    const { user } = await made({ roles: ['administrator'] });
    expect((await change(user.id, { roles: ['editor'] })).status).toBe(200);
  });

  it('grant nothing when the list is empty', async () => {
    expect((await change(EDITOR, { roles: [] })).status).toBe(200);
    expect(await site.call('editor', 'POST /posts', { title: 'x' })).toMatchObject({ status: 403 });
    expect((await site.call('editor', 'GET /users/me')).body.id).toBe(EDITOR);
    await change(EDITOR, { roles: ['editor'] });
  });
});

describe('an erased account', () => {
  it('can no longer be changed', async () => {
    const { user } = await made();
    const { eraseUser } = await import('#commands/erasure.ts');
    await site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) =>
      eraseUser(session, String(user.id)),
    );
    expect(await change(user.id, { name: 'Back' })).toMatchObject({ status: 403, body: { code: 'rest_cannot_edit' } });
  });
});

describe('deleting a user', () => {
  const remove = (id: number | 'me', query: string, as: As = 'administrator') =>
    site.call(as, `DELETE /users/${id}?${query}`);

  it('closes the account: it is not found, its passwords stop working, its name is free again', async () => {
    const { user } = await made({ roles: ['author'] });
    const passwords = `/users/${user.id}/application-passwords`;
    const { body: issued } = await site.call('administrator', `POST ${passwords}`, { name: 'n' });
    const authorization = `Basic ${Buffer.from(`${user.username}:${issued.password}`).toString('base64')}`;
    const me = () => site.call('anonymous', 'GET /users/me', undefined, { headers: { authorization } });
    expect((await me()).status).toBe(200);
    const { status, headers, body } = await remove(user.id, 'force=true&reassign=0');
    expect([status, headers.get('allow')]).toEqual([200, null]);
    expect(body).toMatchObject({ deleted: true, previous: { id: user.id, username: user.username } });
    expect(body.previous).not.toHaveProperty('_links');
    expect((await me()).status).toBe(401);
    for (const request of [`GET /users/${user.id}`, `DELETE /users/${user.id}?force=true&reassign=0`]) {
      expect(await site.call('administrator', request)).toMatchObject({
        status: 404,
        body: { code: 'rest_user_invalid_id' },
      });
    }
    const { user: again } = await made({ username: user.username, email: user.email });
    expect(again).toMatchObject({ slug: user.slug });
    expect(again.id).not.toBe(user.id);
  });

  it.each([
    ['force=true', 400, 'rest_missing_callback_param'],
    ['force=true&reassign=x', 400, 'rest_invalid_param'],
    ['reassign=2', 501, 'rest_trash_not_supported'],
    [`force=true&reassign=${SUBSCRIBER}`, 400, 'rest_user_invalid_reassign'],
    ['force=true&reassign=987654321', 400, 'rest_user_invalid_reassign'],
  ])('is refused with %s', async (query, status, code) => {
    expect(await remove(SUBSCRIBER, query)).toMatchObject({ status, body: { code } });
  });

  it('is limited to administrators, and refused for the last of them', async () => {
    expect(await remove(SUBSCRIBER, 'force=true&reassign=0', 'editor')).toMatchObject({
      status: 403,
      body: { code: 'rest_user_cannot_delete' },
    });
    expect(await remove('me', 'force=true&reassign=0', 'subscriber')).toMatchObject({ status: 403 });
    expect(await remove('me', 'force=true&reassign=0', 'anonymous')).toMatchObject({ status: 404 });
    expect(await remove('me', 'force=true&reassign=2')).toMatchObject({
      status: 403,
      body: { code: 'last_administrator' },
    });
  });

  it.each(['', 'false', '0'])('reassigns no posts when reassign is %j', async (reassign) => {
    const { user } = await made();
    expect((await remove(user.id, `force=true&reassign=${reassign}`)).status).toBe(200);
  });

  it('leaves personal data in the log that can still be erased by user id', async () => {
    const { user } = await made({ first_name: 'Augusta' });
    await remove(user.id, 'force=true&reassign=0');
    const { eraseUser } = await import('#commands/erasure.ts');
    const order = () =>
      site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) => eraseUser(session, String(user.id)));
    const before = site.position();
    expect((await order()).value).toBe(`user-${user.id}`);
    expect((await order()).value).toBe(`user-${user.id}`);
    expect(site.position()).toBe(before + 1);
  });
});
