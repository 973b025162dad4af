import * as crypto from 'node:crypto';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountSalt, authenticate, authenticatePerson } from '#commands/credentials.ts';
import { type Site, startSite } from '../support/site.ts';

vi.mock('node:crypto', async (original) => {
  const actual = await original<typeof crypto>();
  const counted = { createHash: vi.fn(actual.createHash), timingSafeEqual: vi.fn(actual.timingSafeEqual) };
  return { ...actual, ...counted, default: { ...actual, ...counted } };
});

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

/** Counts queries, digests and digest comparisons during `look`. */
function workOf(look: () => unknown): Readonly<Record<string, number>> {
  const [get, all] = [vi.spyOn(StatementSync.prototype, 'get'), vi.spyOn(StatementSync.prototype, 'all')];
  vi.mocked(crypto.createHash).mockClear();
  vi.mocked(crypto.timingSafeEqual).mockClear();
  try {
    look();
    return {
      looks: get.mock.calls.length + all.mock.calls.length,
      digests: vi.mocked(crypto.createHash).mock.calls.length,
      comparisons: vi.mocked(crypto.timingSafeEqual).mock.calls.length,
    };
  } finally {
    get.mockRestore();
    all.mockRestore();
  }
}

describe('checking wrong credentials takes the same work', () => {
  const names = ['editor', 'EDITOR', 'editor@example.org', 'subscriber', 'nobody', 'nobody@example.org', ''];
  const model = () => site.node.store.reader;
  // The stand-in for missing accounts is read once, whoever is looked up.
  beforeEach(() => void authenticate(model(), 'editor', ''));

  it('for existing and unknown logins, at the first guess and later', () => {
    const works = names.flatMap((name) => {
      const look = () => authenticate(model(), name, 'wrong wrong wrong');
      return [workOf(look), workOf(look)];
    });
    expect(new Set(works.map((work) => JSON.stringify(work)))).toHaveLength(1);
    expect(works[0]).toEqual({ looks: 2, digests: 1, comparisons: 1 });
  });

  it('on pages with a login form, which derive a salt for every name', () => {
    const works = names.map((login) =>
      workOf(() => {
        const salt = accountSalt(model(), login);
        expect(salt).toHaveLength(22);
        return authenticatePerson(model(), { login, password: 'wrong', digest: `scrypt$${salt}$x` });
      }),
    );
    expect(new Set(works.map((work) => JSON.stringify(work)))).toHaveLength(1);
  });

  it('with any number of accounts', async () => {
    const before = workOf(() => authenticate(model(), 'nobody', 'wrong'));
    for (let i = 0; i < 3; i++) {
      const user = {
        username: `more${i}`,
        email: `more${i}@example.org`,
        password: 'long enough 1',
        roles: ['author'],
      };
      expect((await site.call('administrator', 'POST /users', user)).status).toBe(201);
    }
    authenticate(model(), 'editor', '');
    expect(workOf(() => authenticate(model(), 'nobody', 'wrong'))).toEqual(before);
  });
});
