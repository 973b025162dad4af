import { beforeEach, describe, expect, it } from 'vitest';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import { createAuthenticator } from '../../src/http/auth.ts';

const admin: Viewer = { id: 1, role: 'administrator' };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

let asked: string[];
let users: number;
let passwords: Map<string, string>;
let whoIs: (header: string | undefined) => Viewer;

beforeEach(() => {
  asked = [];
  users = 1;
  passwords = new Map([['admin', 'se:cret']]);
  whoIs = createAuthenticator({
    authenticate: (login, password) => {
      asked.push(login);
      return passwords.get(login) === password ? admin : null;
    },
    cacheVersion: () => users,
    usersKey: 'users',
  });
});

describe('credentials', () => {
  it('that are right make the user, whatever the case of the scheme', () => {
    expect(whoIs(basic('admin:se:cret'))).toBe(admin);
    expect(whoIs(basic('admin:se:cret').replace('Basic', 'bAsIc '))).toBe(admin);
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic !!!',
    'Bearer abc',
    'Basic \u0000',
    basic('admin:wrong'),
    basic('nobody:se:cret'),
    basic('admin'),
    basic(':'),
    basic(':se:cret'),
    basic('admin:'),
    `Basic ${'A'.repeat(5000)}`,
  ])('%j make nobody', (header) => {
    expect(whoIs(header)).toBe(anonymous);
  });

  it('are checked once, right or wrong, until a user changes', () => {
    for (const header of [basic('admin:se:cret'), basic('admin:wrong'), basic('admin:se:cret'), basic('admin:wrong')])
      whoIs(header);
    expect(asked).toHaveLength(2);
    passwords.set('admin', 'wrong');
    users += 1;
    expect(whoIs(basic('admin:se:cret'))).toBe(anonymous);
    expect(whoIs(basic('admin:wrong'))).toBe(admin);
  });

  it('that are wrong never drive the right ones out', () => {
    whoIs(basic('admin:se:cret'));
    for (let i = 0; i < 5000; i += 1) whoIs(basic(`admin:wrong ${i}`));
    const before = asked.length;
    whoIs(basic('admin:se:cret'));
    expect(asked).toHaveLength(before);
  });
});
