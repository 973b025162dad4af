import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someOrder } from '../support/erasure-order.ts';
import { type As, type Site, startSite } from '../support/site.ts';
import { changeUser, makeUser } from './accounts.ts';

const [ADMIN, EDITOR, AUTHOR, , SUBSCRIBER] = [1, 2, 3, 4, 5];

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const made = (more?: Record<string, unknown>) => makeUser(site, more);
const change = (id: number, body: unknown, as?: As) => changeUser(site, id, body, as);

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
      eraseUser(session, String(user.id), someOrder),
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
      site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) =>
        eraseUser(session, String(user.id), someOrder),
      );
    const before = site.position();
    expect((await order()).value).toBe(`user-${user.id}`);
    expect((await order()).value).toBe(`user-${user.id}`);
    expect(site.position()).toBe(before + 1);
  });
});
