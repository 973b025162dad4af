import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretDigest } from '#text/secret.ts';
import { type As, type Site, startSite } from '../support/site.ts';
import { changeUser, makeUser } from './accounts.ts';

const [, , AUTHOR, , SUBSCRIBER] = [1, 2, 3, 4, 5];

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const made = (more?: Record<string, unknown>) => makeUser(site, more);
const change = (id: number, body: unknown, as?: As) => changeUser(site, id, body, as);
const secretOf = (id: number) => site.node.store.reader.user(id)?.secret ?? '';

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
