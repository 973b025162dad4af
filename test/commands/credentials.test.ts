import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authenticate, makePassword } from '#commands/credentials.ts';
import { addUser, describeUsers, newPassword, setRole } from '#commands/users.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { openTestNode } from '../support/node.ts';

function user(id: number, given: Partial<UserRow>): UserRow {
  return {
    id,
    roles: ['author'],
    login: `user${id}`,
    displayName: '',
    slug: '',
    email: '',
    url: '',
    description: '',
    firstName: '',
    lastName: '',
    nickname: '',
    preferences: '',
    secret: '',
    registered: '2026-03-01T11:00:00.000Z',
    passwords: [],
    published: 0,
    erased: false,
    disabled: false,
    ...given,
  };
}

function modelOf(...users: UserRow[]): Model {
  const model: Partial<Model> = {
    users: () => users,
    user: (id) => users.find((each) => each.id === id),
    userByName: (name) => {
      const [low, known] = [name.toLowerCase(), users.filter(({ erased }) => !erased)];
      return (
        known.find(({ login }) => login.toLowerCase() === low) ?? known.find(({ email }) => email.toLowerCase() === low)
      );
    },
  };
  return model as Model;
}

const first = makePassword();
const second = makePassword();
const plain = { name: '', appId: '', created: '' };
const ada = user(1, {
  login: 'Ada',
  email: 'ada@example.org',
  passwords: [
    { ...plain, id: 'a', digest: first.digest },
    { ...plain, id: 'b', digest: second.digest },
  ],
});
const model = modelOf(
  ada,
  user(2, { login: 'none' }),
  user(3, { login: 'erased', passwords: [{ ...plain, id: 'c', digest: '' }] }),
);

describe('a new application password', () => {
  it('is 24 letters and digits in groups of four', () =>
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(61)), (stream) => {
        const { password } = makePassword(() => stream.next().value as number);
        expect(password).toMatch(/^(?:[A-Za-z\d]{4} ){5}[A-Za-z\d]{4}$/);
      }),
    ));

  it('differs each time and is stored as a digest of 64 hexadecimal digits', () => {
    expect(first.password).not.toBe(second.password);
    expect(first.digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('signing in', () => {
  const viewer = { id: 1, role: 'author' };

  it('accepts each of the account’s passwords', () => {
    expect(authenticate(model, 'Ada', first.password)).toMatchObject(viewer);
    expect(authenticate(model, 'Ada', second.password)).toEqual({ ...viewer, password: 'b' });
  });

  it('ignores spaces and punctuation in the password', () => {
    expect(authenticate(model, 'Ada', first.password.replaceAll(' ', ''))).toMatchObject(viewer);
    expect(authenticate(model, 'Ada', ` ${first.password.replaceAll(' ', '-')}\n`)).toMatchObject(viewer);
  });

  it('accepts the login in any letter case, or the mail address', () => {
    for (const login of ['ada', 'ADA', ' Ada ', 'Ada@Example.org']) {
      expect(authenticate(model, login, first.password)).toMatchObject(viewer);
    }
  });

  it.each([
    ['another case of the password', 'Ada', first.password.toLowerCase()],
    ['part of it', 'Ada', first.password.slice(0, -1)],
    ['no password', 'Ada', ''],
    ['marks only', 'Ada', '- -'],
    ['an unknown login', 'Eve', first.password],
    ['an account without passwords', 'none', first.password],
    ['an account that was erased', 'erased', ''],
  ])('fails with %s', (_, login, password) => expect(authenticate(model, login, password)).toBeNull());
});

describe('accounts managed by the operator', () => {
  const operator = { viewer: null, correlationId: 'test' };

  it('can be signed in to with every password made for them', async () => {
    const { node } = await openTestNode();
    const { store } = node;
    const input = { login: 'ada', role: 'author', name: ' Ada <b>L.</b>', email: undefined } as const;
    const { value: made } = await store.submit(operator, (session) => addUser(session, input));
    const { value: more } = await store.submit(operator, (session) => newPassword(session, 'ADA'));
    for (const given of [made, more]) {
      const { id, username, password } = given as { id: number; username: string; password: string };
      expect([id, username]).toEqual([1, 'ada']);
      expect(authenticate(store.reader, username, password)).toMatchObject({ id: 1, role: 'author' });
    }
    expect(describeUsers(store.reader)).toEqual([
      {
        id: 1,
        username: 'ada',
        name: 'Ada L.',
        roles: ['author'],
        email: '',
        registered: '2026-03-01T11:00:00.000Z',
        passwords: 2,
        disabled: false,
        until: '',
        published: 0,
      },
    ]);
    await node.close();
  });

  it('get a new role with one event; a duplicate login and an unknown login are refused', async () => {
    const { node } = await openTestNode();
    const { store } = node;
    await store.submit(operator, (session) => addUser(session, { login: 'ada', role: 'author' }));
    const change = () => store.submit(operator, (session) => setRole(session, 'ada', 'editor'));
    expect((await change()).value).toMatchObject({ id: 1, roles: ['editor'] });
    const { position } = node.log.head();
    expect((await change()).position).toBe(position);
    const again = await store.submit(operator, (session) => addUser(session, { login: 'Ada', role: 'author' }));
    expect(again.value).toMatchObject({ code: 'existing_user_login' });
    const nobody = await store.submit(operator, (session) => newPassword(session, 'eve'));
    expect(nobody.value).toMatchObject({ code: 'invalid_username' });
    await node.close();
  });
});
