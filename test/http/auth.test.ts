import { beforeEach, describe, expect, it } from 'vitest';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import { createAuthenticator } from '../../src/http/server/auth.ts';
import { createLoginThrottle } from '../../src/http/server/login-throttle.ts';

const admin: Viewer = { id: 1, role: 'administrator' };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

let asked: string[];
let users: number;
let passwords: Map<string, string>;
let taken: boolean;
let now: number;
let told: unknown[];
let identify: (header: string | undefined, address?: string) => { viewer: Viewer; failed: boolean; wait: number };

beforeEach(() => {
  asked = [];
  users = 1;
  now = 0;
  taken = true;
  told = [];
  passwords = new Map([['admin', 'se:cret']]);
  const loginThrottle = createLoginThrottle({
    limit: 5,
    clock: () => now,
    witness: {
      failed: (kind, about) => told.push({ kind, ...about }),
      refused: (kind) => told.push(`${kind} refused`),
    },
  });
  const source = {
    authenticate: (login: string, password: string) => {
      asked.push(login);
      return passwords.get(login) === password ? admin : null;
    },
    takesPasswords: () => taken,
    cacheVersion: () => users,
    usersKey: 'users',
  };
  const authenticator = createAuthenticator({ source, loginThrottle });
  identify = (header, address = '192.0.2.1') => authenticator.identify(header, () => address);
});

const whoIs = (header: string | undefined, address?: string) => identify(header, address).viewer;

describe('credentials', () => {
  it('authenticate the user when they are correct, in any case of the scheme', () => {
    expect(whoIs(basic('admin:se:cret'))).toBe(admin);
    expect(whoIs(basic('admin:se:cret').replace('Basic', 'bAsIc '))).toBe(admin);
  });

  it('do not count as failed when they are missing', () => {
    expect(identify(undefined)).toEqual({ viewer: anonymous, failed: false, wait: 0 });
  });

  it.each([
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
  ])('%j are anonymous and count as failed', (header) => {
    expect(identify(header)).toEqual({ viewer: anonymous, failed: true, wait: 0 });
  });

  it('are looked up once when correct, until a user changes', () => {
    for (let i = 0; i < 3; i += 1) whoIs(basic('admin:se:cret'));
    expect(asked).toHaveLength(1);
    passwords.set('admin', 'other');
    users += 1;
    expect(whoIs(basic('admin:se:cret'))).toBe(anonymous);
    expect(whoIs(basic('admin:other'))).toBe(admin);
  });

  it('stay cached when correct, however many wrong ones follow', () => {
    whoIs(basic('admin:se:cret'));
    for (let i = 0; i < 5000; i += 1) whoIs(basic(`admin:wrong ${i}`), `198.51.100.${i % 250}`);
    const before = asked.length;
    whoIs(basic('admin:se:cret'));
    expect(asked).toHaveLength(before);
  });
});

describe('guessing', () => {
  const fail = (times: number, address?: string, login = 'admin') => {
    for (let i = 0; i < times; i += 1) identify(basic(`${login}:wrong ${i}`), address);
  };

  it('is refused per address after some wrong passwords for any login, and allowed again later', () => {
    for (let i = 0; i < 5; i += 1) fail(1, undefined, `login ${i}`);
    expect(identify(basic('admin:guess'))).toEqual({ viewer: anonymous, failed: true, wait: 180 });
    now += 179_000;
    expect(identify(basic('admin:guess')).wait).toBe(1);
    now += 1000;
    expect(identify(basic('admin:guess')).wait).toBe(0);
  });

  it('is refused per login from any address, however the login is written', () => {
    for (let i = 0; i < 5; i += 1) fail(1, `198.51.100.${i}`, i % 2 === 0 ? 'admin' : ' ADMIN ');
    expect(identify(basic('admin:guess'), '203.0.113.9').wait).toBe(180);
    expect(identify(basic('other:guess'), '203.0.113.9').wait).toBe(0);
  });

  it('never keeps out a correct password, wherever it comes from', () => {
    for (let i = 0; i < 9; i += 1) fail(1, `198.51.100.${i}`);
    fail(9, '203.0.113.9', 'other');
    expect(whoIs(basic('admin:se:cret'), '203.0.113.9')).toBe(admin);
    users += 1;
    expect(whoIs(basic('admin:se:cret'), '203.0.113.9')).toBe(admin);
    expect(identify(basic('admin:other'), '203.0.113.10').wait).toBeGreaterThan(0);
  });

  it('is limited per IPv6 network, not per address', () => {
    for (let i = 0; i < 5; i += 1) fail(1, `2001:db8:1:2::${i}`, `login ${i}`);
    expect(identify(basic('admin:guess'), '2001:db8:1:2:ffff::1').wait).toBe(180);
    expect(identify(basic('admin:guess'), '2001:db8:1:3::1').wait).toBe(0);
  });

  it('is reported with address and login; further guesses are only counted', () => {
    fail(7);
    expect(told).toEqual([
      ...Array.from({ length: 5 }, () => ({ kind: 'login', address: '192.0.2.1', login: 'admin' })),
      'login refused',
      'login refused',
    ]);
  });

  it('is not counted while password authentication is disabled', () => {
    taken = false;
    for (let i = 0; i < 9; i += 1) expect(identify(basic('admin:se:cret')).wait).toBe(0);
    expect([told, asked]).toEqual([[], []]);
  });
});
