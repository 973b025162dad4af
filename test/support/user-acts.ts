import fc from 'fast-check';
import { createAccount, deleteAccount } from '#commands/accounts.ts';
import type { Session } from '#commands/session.ts';

/** A user joins (at first two at once) or leaves; `at` and `heir` pick users, 0 none. The first user stays. */
export type UserAct = { readonly do: 'join' } | { readonly do: 'leave'; readonly at: number; readonly heir: number };

export const leaving: fc.Arbitrary<UserAct> = fc.record({
  do: fc.constant('leave' as const),
  at: fc.nat(3),
  heir: fc.nat(2),
});
export const userAct: fc.Arbitrary<UserAct> = fc.oneof(fc.constant({ do: 'join' as const }), leaving);

export function isUserAct(act: { readonly do: string }): act is UserAct {
  return act.do === 'join' || act.do === 'leave';
}

export function performOnUsers(session: Session, act: UserAct): unknown {
  if (act.do === 'join') {
    const login = `user-${session.next.nextUser}`;
    const id = createAccount(session, { login, roles: ['author'], secret: `scrypt$${login}$` });
    return id === 1 ? performOnUsers(session, act) : id;
  }
  const here = session.users().filter(({ id, login }) => id > 1 && login.startsWith('user-'));
  const user = here[act.at % Math.max(1, here.length)];
  if (user === undefined) return null;
  const others = session.users().filter(({ id }) => id !== user.id);
  return deleteAccount(session, user.id, act.heir === 0 ? 0 : (others[act.heir % others.length]?.id ?? 0));
}

/** The user that a number stands for, preferably not the first; undefined if there is none. */
export function someUser(session: Session, number: number): number | undefined {
  const users = session.users();
  return users[Math.max(Number(users.length > 1), number % Math.max(1, users.length))]?.id;
}
