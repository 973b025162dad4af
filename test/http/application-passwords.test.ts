import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { disable } from '#commands/users.ts';
import { type As, BASE, type Site, startSite } from '../support/site.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const LIST = '/users/3/application-passwords';
const DAY = 24 * 60 * 60 * 1000;

let site: Site;

beforeEach(async () => {
  site = await startSite();
});

afterEach(() => site.close());

const give = async (body: object, as: As = 'administrator') => (await site.call(as, `POST ${LIST}`, body)).body;
const own = async () => (await site.call('author', `GET ${LIST}`)).body as { uuid: string; last_used: string | null }[];
const basic = (login: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
});
const verb = (work: Parameters<Site['node']['store']['submit']>[1]) =>
  site.node.store.submit({ viewer: null, correlationId: 'test' }, work);

describe('application passwords', () => {
  it('authenticate their user, and are shown in plain text only once', async () => {
    const made = await site.call('author', 'POST /users/me/application-passwords', {
      name: '<b>Two</b>  & "x"',
      app_id: '11111111-2222-4333-8444-55555555555a',
    });
    const { uuid, password } = made.body;
    const self = `${BASE}/users/3/application-passwords/${uuid}`;
    expect([made.status, made.headers.get('location')]).toEqual([201, self]);
    expect(made.body).toEqual({
      ...{ uuid: expect.stringMatching(UUID), app_id: '11111111-2222-4333-8444-55555555555a', name: 'Two & "x"' },
      ...{ created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/), last_used: null, last_ip: null },
      password: expect.stringMatching(/^(?:[A-Za-z\d]{4} ){5}[A-Za-z\d]{4}$/),
      _links: { self: [{ href: self, targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } }] },
    });
    const { password: _, ...rest } = made.body;
    expect((await site.call('administrator', `GET ${LIST}/${uuid}`)).body).toEqual(rest);
    expect((await site.call('anonymous', 'GET /users/me', undefined, basic('author', password))).body.id).toBe(3);
    expect((await own()).map((one) => one.uuid)).toEqual([expect.any(String), uuid]);
    expect((await site.call('author', `GET ${LIST}?context=embed`)).body[1]).toEqual({
      ...{ uuid, app_id: rest.app_id, name: rest.name, _links: rest._links },
    });
  });

  it('have names and a number that are limited', async () => {
    const named = (length: number) => site.call('author', `POST ${LIST}`, { name: 'y'.repeat(length) });
    expect([(await named(201)).status, (await named(201)).body.code]).toEqual([400, 'db_insert_error']);
    const { body: first } = await named(200);
    const renamed = await site.call('author', `PUT ${LIST}/${first.uuid}`, { name: 'y'.repeat(9_000_000) });
    expect([renamed.status, renamed.body.code]).toEqual([413, 'rest_text_too_long']);
    while ((await own()).length < 100) await give({ name: 'One more' });
    const over = await site.call('author', `POST ${LIST}`, { name: 'Too many' });
    expect([over.status, over.body.code]).toEqual([400, 'application_password_too_many']);
    await site.call('author', `DELETE ${LIST}/${first.uuid}`);
    expect((await named(1)).status).toBe(201);
  });

  it('never appear in the log', async () => {
    const { body } = await site.call('author', `POST ${LIST}`, { name: 'x' });
    const written = [...site.node.log.read({})].map(({ data, sealed }) => `${data}${sealed}`).join('\n');
    expect(written).not.toContain(body.password);
    expect(written).not.toContain(body.password.replaceAll(' ', ''));
  });

  it('can be renamed, but nothing else changes', async () => {
    const { uuid } = await give({ name: 'One' });
    const { status, body } = await site.call('author', `PUT ${LIST}/${uuid}`, { name: ' Two ' });
    expect([status, body.name, 'password' in body]).toEqual([200, 'Two', false]);
    const before = site.position();
    expect((await site.call('author', `PATCH ${LIST}/${uuid}`, {})).body.name).toBe('Two');
    expect(site.position()).toBe(before);
  });

  it.each([
    [{}, 'rest_missing_callback_param', undefined],
    [{ name: '' }, 'rest_invalid_param', { name: 'rest_too_short' }],
    [{ name: '   ' }, 'rest_invalid_param', { name: 'rest_invalid_pattern' }],
    [{ name: 7 }, 'rest_invalid_param', { name: 'rest_invalid_type' }],
    [
      { name: 'x', app_id: 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE' },
      ...(['rest_invalid_param', { app_id: 'rest_no_matching_schema' }] as const),
    ],
    [{ name: 'x', app_id: 'no uuid' }, 'rest_invalid_param', { app_id: 'rest_no_matching_schema' }],
  ])('are refused for %j', async (sent, code, details) => {
    const { status, body } = await site.call('administrator', `POST ${LIST}`, sent);
    const found = Object.entries(body.data.details ?? {}).map(([name, one]) => [name, (one as { code: string }).code]);
    expect([status, body.code, details === undefined ? undefined : Object.fromEntries(found)]).toEqual([
      400,
      code,
      details,
    ]);
  });

  it('are visible to their user and to administrators only', async () => {
    const { uuid } = await give({ name: 'n' });
    const asked = async (as: As, request: string) =>
      (await site.call(as, request, request.startsWith('P') ? { name: 'x' } : undefined)).body.code;
    for (const as of ['editor', 'anonymous'] as const) {
      expect([
        ...[await asked(as, `GET ${LIST}`), await asked(as, `POST ${LIST}`), await asked(as, `DELETE ${LIST}`)],
        ...[
          await asked(as, `GET ${LIST}/${uuid}`),
          await asked(as, `PUT ${LIST}/x`),
          await asked(as, `DELETE ${LIST}/x`),
        ],
      ]).toEqual([
        ...['rest_cannot_list_application_passwords', 'rest_cannot_create_application_passwords'],
        ...['rest_cannot_delete_application_passwords', 'rest_cannot_read_application_password'],
        ...['rest_cannot_edit_application_password', 'rest_cannot_delete_application_password'],
      ]);
      expect(await asked(as, 'GET /users/99/application-passwords')).toBe('rest_user_invalid_id');
    }
    expect(await asked('anonymous', 'GET /users/me/application-passwords')).toBe('rest_not_logged_in');
    expect(await asked('administrator', `GET ${LIST}/nothing`)).toBe('rest_application_password_not_found');
  });

  it('can be introspected: the one in use is returned', async () => {
    const [first] = await own();
    const { body } = await site.call('author', 'GET /users/me/application-passwords/introspect');
    expect(body.uuid).toBe(first?.uuid);
    expect((await site.call('administrator', `GET ${LIST}/introspect`)).body.code).toBe(
      'rest_cannot_introspect_app_password_for_non_authenticated_user',
    );
  });
});

describe('a revoked application password', () => {
  it('is refused from then on, also by cached answers; the others still work', async () => {
    const { uuid, password } = await give({ name: 'n' });
    const asked = async () =>
      (await site.call('anonymous', 'GET /users/me', undefined, basic('author', password))).status;
    expect([await asked(), await asked(), await asked()]).toEqual([200, 200, 200]);
    const gone = await site.call('administrator', `DELETE ${LIST}/${uuid}`);
    expect([gone.status, gone.body.deleted, gone.body.previous.uuid, gone.body.previous._links]).toEqual([
      200,
      true,
      uuid,
      undefined,
    ]);
    expect(await asked()).toBe(401);
    expect((await site.call('author', 'GET /users/me')).status).toBe(200);
    expect((await site.call('administrator', `DELETE ${LIST}/${uuid}`)).status).toBe(404);
  });

  it('ends the feeds opened with it, and no others', async () => {
    const { uuid, password } = await give({ name: 'n' });
    const open = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2/changes`, {
        headers: { accept: 'text/event-stream', ...headers },
      });
    const withdrawn = await open(basic('author', password).headers);
    const other = await open({ authorization: site.authorization('author') });
    await site.call('administrator', `DELETE ${LIST}/${uuid}`);
    expect(await withdrawn.text()).toContain('retry:');
    await site.make('administrator', '/posts', { title: 'after', status: 'publish' });
    const reader = other.body?.getReader();
    let text = '';
    while (!text.includes('event: commit')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
  });

  it('is refused after all passwords were revoked at once', async () => {
    await give({ name: 'n' });
    expect((await site.call('administrator', `DELETE ${LIST}`)).body).toEqual({ deleted: true, count: 2 });
    expect((await site.call('administrator', `DELETE ${LIST}`)).body).toEqual({ deleted: true, count: 0 });
    expect((await site.call('author', 'GET /users/me')).status).toBe(401);
  });
});

describe('a disabled account', () => {
  it('is locked at once, including open feeds, and works again when enabled', async () => {
    const feed = await fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2/changes`, {
      headers: { accept: 'text/event-stream', authorization: site.authorization('author') },
    });
    await verb((session) => disable(session, 'author', true));
    await feed.text();
    const { status, headers } = await site.call('author', 'GET /users/me');
    expect([status, headers.get('x-cms-auth')]).toEqual([401, 'failed']);
    await verb((session) => disable(session, 'author', false));
    expect((await site.call('author', 'GET /users/me')).status).toBe(200);
  });

  it('is never the last one that can manage the site', async () => {
    const { value } = await verb((session) => disable(session, 'administrator', true));
    expect(value).toMatchObject({ code: 'last_administrator' });
  });
});

describe('the last use of a password', () => {
  it('is recorded once a day with the address, without an event', async () => {
    await site.call('author', 'GET /users/me');
    const [first] = await own();
    const head = site.position();
    expect(first).toMatchObject({
      last_used: new Date(site.clock.now).toISOString().slice(0, 19),
      last_ip: '127.0.0.1',
    });
    site.clock.now += DAY - 1;
    await site.call('author', 'GET /users/me');
    expect((await own())[0]?.last_used).toBe(first?.last_used);
    site.clock.now += 1;
    await site.call('author', 'GET /users/me');
    expect((await own())[0]?.last_used).not.toBe(first?.last_used);
    expect(site.position()).toBe(head);
  });
});

describe('an invalid nonce', () => {
  it('is ignored beside a correct password, and refused without one', async () => {
    const headers = { 'x-cms-nonce': 'abcdef0123' };
    expect((await site.call('author', 'GET /users/me', undefined, { headers })).body.slug).toBe('author');
    expect((await site.call('author', 'POST /posts', { title: 'Kept' }, { headers })).status).toBe(201);
    const nobody = await site.call('anonymous', 'GET /posts', undefined, { headers });
    expect([nobody.status, nobody.body.code]).toEqual([403, 'rest_cookie_invalid_nonce']);
  });
});
