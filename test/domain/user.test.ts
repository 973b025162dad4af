import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { NewUser, UserFacts } from '#domain/user/commands.ts';
import {
  addUser,
  changeProfile,
  changeRoles,
  disableUser,
  eraseUser,
  issuePassword,
  revokePassword,
  setLastDay,
} from '#domain/user/decide.ts';
import type { UserEvent } from '#domain/user/events.ts';
import { canDeleteUser, canEditUser, canManagePasswords, canSeeAll } from '#domain/user/rights.ts';
import { asWriter, capabilitiesOf, may, refusalToWrite, roles, strongest } from '#domain/user/roles.ts';
import { evolveUser, isClosed, type User } from '#domain/user/state.ts';
import { someOrder } from '../support/erasure-order.ts';

const at = '2026-03-01T11:00:00.000Z';

/** Facts of a site where Grace has the account 1. */
const facts: UserFacts = {
  nextUser: 2,
  loginTaken: (login) => login.toLowerCase() === 'grace',
  slugTaken: (slug, except) => slug === 'grace' && except !== 1,
  emailTaken: (email, except) => email === 'grace@example.org' && except !== 1,
};

function state(...decisions: readonly (readonly UserEvent[] | Refusal)[]): User {
  const events = decisions.flatMap((decision) => (isRefusal(decision) ? [] : decision));
  return events.reduce<User | null>((user, event) => evolveUser(user, event, at), null) as User;
}

const byOperator = { administrators: 2, actor: null };

const added = (fields: Partial<NewUser> = {}) => addUser({ login: 'ada', roles: ['author'], ...fields }, facts);
const code = (decision: readonly UserEvent[] | Refusal) => (isRefusal(decision) ? decision.code : null);

describe('adding a user', () => {
  it('takes slug and name from the login', () =>
    expect(state(added({ login: 'Ada L.' }))).toEqual({
      id: 2,
      roles: ['author'],
      login: 'Ada L.',
      displayName: 'Ada L.',
      slug: 'ada-l',
      email: '',
      url: '',
      description: '',
      firstName: '',
      lastName: '',
      nickname: '',
      preferences: '',
      secret: '',
      registered: at,
      passwords: [],
      disabled: false,
      erased: false,
    }));

  it.each([
    ['a letter with a diacritic', 'Ádám', 'Adam'],
    ['letters that become two', 'Øßæ', 'Osae'],
    ['markup and references', '<b>ada</b>&amp;', 'ada'],
    ['percent escapes', 'a%20da', 'ada'],
    ['surplus spaces', '  ada   b ', 'ada b'],
    ['other punctuation', 'a/d\\a"@x.y-z_1', 'ada@x.y-z_1'],
  ])('makes a plain login of one with %s', (_, login, plain) => expect(state(added({ login })).login).toBe(plain));

  it.each([
    ['without usable characters', '日本', 'empty_user_login'],
    ['of 61 characters', 'x'.repeat(61), 'user_login_too_long'],
    ['taken, in whatever case', 'Grace', 'existing_user_login'],
  ])('is refused for a login that is %s', (_, login, expected) => expect(code(added({ login }))).toBe(expected));

  it('derives the display name from first and last name, unless one is given', () => {
    expect(state(added({ firstName: 'Ada', lastName: 'Lovelace' })).displayName).toBe('Ada Lovelace');
    expect(state(added({ lastName: 'Lovelace' })).displayName).toBe('Lovelace');
    expect(state(added({ firstName: 'Ada', displayName: 'Countess' })).displayName).toBe('Countess');
  });

  it('numbers a slug that is taken', () => expect(state(added({ slug: 'Grace' })).slug).toBe('grace-2'));

  it('keeps slugs within 50 characters', () => {
    expect(state(added({ login: 'x'.repeat(60) })).slug).toBe('x'.repeat(50));
    expect(code(added({ slug: 'x'.repeat(51) }))).toBe('user_nicename_too_long');
  });

  it.each([
    ['invalid', 'ada@example', 'invalid_email'],
    ["another user's", 'grace@example.org', 'existing_user_email'],
  ])('is refused for a mail address that is %s', (_, email, expected) => expect(code(added({ email }))).toBe(expected));
});

describe('changing a user', () => {
  it('records the changed profile', () => {
    const ada = state(added());
    const events = changeProfile(ada, { displayName: 'Ada Lovelace', email: ' ada@example.org ' }, facts);
    expect(state(added(), events)).toMatchObject({
      displayName: 'Ada Lovelace',
      email: 'ada@example.org',
      slug: 'ada',
    });
  });

  it('is refused for the slug or mail address of another', () => {
    const ada = state(added());
    expect(code(changeProfile(ada, { slug: 'grace' }, facts))).toBe('rest_user_invalid_slug');
    expect(code(changeProfile(ada, { email: 'grace@example.org' }, facts))).toBe('rest_user_invalid_email');
  });

  it('appends nothing when nothing changes', () => {
    const ada = state(added({ email: 'ada@example.org' }));
    const { displayName, slug, email, url, description } = ada;
    expect(changeProfile(ada, { displayName, slug, email, url, description }, facts)).toEqual([]);
    expect(changeProfile(ada, { displayName: ' ', slug: '!' }, facts)).toEqual([]);
    expect(changeRoles(ada, ['author', 'author'], byOperator)).toEqual([]);
  });

  it('falls back to the login when the other names are emptied', () => {
    const named = added({ displayName: 'Ada Lovelace', nickname: 'Countess', slug: 'countess' });
    const emptied = changeProfile(state(named), { displayName: '', nickname: '', slug: '' }, facts);
    expect(state(named, emptied)).toMatchObject({ displayName: 'ada', nickname: '', slug: 'ada' });
  });

  it('never changes the login', () => {
    expect(code(changeProfile(state(added()), { login: 'Ada' }, facts))).toBe('rest_user_invalid_argument');
    expect(changeProfile(state(added()), { login: 'ada' }, facts)).toEqual([]);
  });

  it('replaces all roles, each given once', () => {
    const changed = changeRoles(state(added()), ['editor', 'author', 'editor'], byOperator);
    expect(state(added(), changed).roles).toEqual(['editor', 'author']);
    expect(state(added(), changeRoles(state(added()), [], byOperator)).roles).toEqual([]);
  });
});

describe('an administrator', () => {
  const admin = state(added({ roles: ['administrator'] }));
  const last = { administrators: 1, actor: null };

  it('cannot be demoted, disabled or erased as the last one', () => {
    expect(code(changeRoles(admin, ['editor'], last))).toBe('last_administrator');
    expect(code(changeRoles(admin, [], { administrators: 1, actor: admin.id }))).toBe('last_administrator');
    expect(code(disableUser(admin, last))).toBe('last_administrator');
    expect(code(eraseUser(admin, last, someOrder))).toBe('last_administrator');
  });

  it('may get more roles as the last one, and be demoted if there is another', () => {
    expect(code(changeRoles(admin, ['author', 'administrator'], last))).toBeNull();
    expect(code(changeRoles(admin, ['editor'], byOperator))).toBeNull();
  });

  it('cannot give themselves a role that may not edit users', () =>
    expect(code(changeRoles(admin, ['administrator', 'editor'], { administrators: 2, actor: admin.id }))).toBe(
      'rest_user_invalid_role',
    ));
});

describe('an auditor', () => {
  const hilda = added({ login: 'hilda', roles: ['auditor'] });
  const until = (day: string) => setLastDay(state(hilda), day);
  const viewer = { id: 2, role: 'auditor' } as const;

  it('has no other role, neither from the beginning nor later', () => {
    expect(code(added({ roles: ['auditor', 'editor'] }))).toBe('rest_user_invalid_role');
    expect(code(changeRoles(state(hilda), ['editor', 'auditor'], byOperator))).toBe('rest_user_invalid_role');
    expect(code(changeRoles(state(hilda), ['editor'], byOperator))).toBeNull();
    expect(strongest(['administrator', 'auditor'])).toBe('auditor');
  });

  it('has every right where something is read, and only rights to read where something is written', () => {
    for (const right of ['manage_options', 'edit_users', 'edit_others_posts', 'moderate_comments'] as const) {
      expect([may(viewer, right), may(asWriter(viewer), right)]).toEqual([true, false]);
    }
    expect(may(asWriter(viewer), 'read_private_posts')).toBe(true);
    expect(refusalToWrite(viewer)?.code).toBe('rest_read_only');
    expect(refusalToWrite({ role: 'administrator' })).toBeNull();
    expect(capabilitiesOf(['auditor'])).toEqual([
      ...['read', 'read_private_posts', 'read_private_pages', 'list_users', 'auditor'],
    ]);
  });

  it('sees all of every account but its application passwords, and may change none, not even the own one', () => {
    for (const id of [1, 2]) {
      const account = { id, erased: false };
      expect(canSeeAll(viewer, id)).toBe(true);
      expect([canEditUser(viewer, account), canDeleteUser(viewer, account)]).toEqual([false, false]);
      expect(canManagePasswords(viewer, id)).toBe(false);
    }
  });

  it('may less with a token than without, and writes nothing with it', () => {
    const token = { name: 't', until: 0, publishes: true };
    expect(may({ ...viewer, token }, 'edit_posts')).toBe(true);
    expect(may({ ...viewer, token }, 'manage_options')).toBe(false);
    expect(may(asWriter({ ...viewer, token }), 'edit_posts')).toBe(false);
  });

  it('gets a last day with one event, and loses it with the role', () => {
    expect(until('2026-12-31')).toEqual([{ type: 'UserLastDaySet', data: { id: 2, day: '2026-12-31' } }]);
    const ending = state(hilda, until('2026-12-31'));
    expect(ending.lastDay).toBe('2026-12-31');
    expect(setLastDay(ending, '2026-12-31')).toEqual([]);
    expect(until('')).toEqual([]);
    expect(state(hilda, until('2026-12-31'), setLastDay(ending, ''))).not.toHaveProperty('lastDay');
    const promoted = changeRoles(ending, ['editor'], byOperator);
    expect(state(hilda, until('2026-12-31'), promoted)).not.toHaveProperty('lastDay');
  });

  it.each(roles.filter((role) => role !== 'auditor'))('is the only one whose account ends, not a %s', (role) =>
    expect(code(setLastDay(state(added({ roles: [role] })), '2026-12-31'))).toBe('user_no_auditor'),
  );

  it.each([
    ['Europe/Berlin', '2026-12-31T22:59:59Z', false],
    ['Europe/Berlin', '2026-12-31T23:00:00Z', true],
    ['America/New_York', '2027-01-01T04:59:59Z', false],
    ['America/New_York', '2027-01-01T05:00:00Z', true],
  ])('is closed after the last day in %s: at %s %s', (zone, time, closed) => {
    const ending = state(hilda, until('2026-12-31'));
    expect(isClosed(ending, { zone, now: Date.parse(time) })).toBe(closed);
    expect(isClosed(state(hilda), { zone, now: Date.parse(time) })).toBe(false);
  });
});

describe('application passwords', () => {
  const laptop = { id: 'p1', name: 'Laptop', digest: 'd1' };
  const phone = { id: 'p2', name: 'Phone', digest: 'd2' };
  const ada = state(added(), issuePassword(state(added()), laptop));

  it('can be several per user', () =>
    expect(state(added(), issuePassword(state(added()), laptop), issuePassword(ada, phone)).passwords).toEqual([
      { ...laptop, appId: '', created: at },
      { ...phone, appId: '', created: at },
    ]));

  it('are revoked one by one', () =>
    expect(state(added(), issuePassword(state(added()), laptop), revokePassword(ada, 'p1')).passwords).toEqual([]));

  it('are neither issued nor revoked twice', () => {
    expect(issuePassword(ada, laptop)).toEqual([]);
    expect(revokePassword(ada, 'p2')).toEqual([]);
  });
});
