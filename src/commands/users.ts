import { randomUUID } from 'node:crypto';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { plainLine } from '#domain/term/text.ts';
import type { UserFacts } from '#domain/user/commands.ts';
import * as decide from '#domain/user/decide.ts';
import type { Role } from '#domain/user/roles.ts';
import {
  type ApplicationPassword,
  type PasswordUse,
  type PasswordUses,
  type User,
  userStream,
} from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { type UserRow, users } from '#projections/users/definition.ts';
import { administratorsIn, makePassword, revokePasswords, setDisabled, userNamed } from './credentials.ts';
import type { Session } from './session.ts';

export interface AccountInput {
  readonly login: string;
  readonly role: Role;
  /** Display name. Default: the login. */
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** The last day of the account of an auditor. */
  readonly until?: string | undefined;
}

export interface NewCredentials {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

export interface ListedUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly email: string;
  /** UTC. */
  readonly registered: string;
  readonly passwords: number;
  readonly disabled: boolean;
  /** The last day of the account; '': there is none. */
  readonly until: string;
  readonly published: number;
}

export function addUser(
  session: Session,
  { login, role, name = '', email = '', until = '' }: AccountInput,
): NewCredentials | Refusal {
  const facts = userFacts(session);
  const events = decide.addUser({ login, roles: [role], displayName: plainLine(name), email }, facts);
  if (isRefusal(events)) return events;
  session.stage(userStream(facts.nextUser), events);
  const ends = decide.setLastDay(staged(session, facts.nextUser), until);
  if (isRefusal(ends)) return ends;
  session.stage(userStream(facts.nextUser), ends);
  return issue(session, staged(session, facts.nextUser));
}

/** Makes another application password; existing ones remain valid. */
export function newPassword(session: Session, login: string): NewCredentials | Refusal {
  const user = userNamed(session, login);
  return user === undefined ? unknown(login) : issue(session, user);
}

export function setRole(session: Session, login: string, role: Role): ListedUser | Refusal {
  const user = userNamed(session, login);
  if (user === undefined) return unknown(login);
  const events = decide.changeRoles(user, [role], { administrators: administratorsIn(session), actor: null });
  if (isRefusal(events)) return events;
  session.stage(userStream(user.id), events);
  return listed(staged(session, user.id));
}

/** Sets the last day of the account of an auditor; '': there is none. */
export function endAccount(session: Session, login: string, lastDay: string): ListedUser | Refusal {
  const user = userNamed(session, login);
  if (user === undefined) return unknown(login);
  const events = decide.setLastDay(user, lastDay);
  if (isRefusal(events)) return events;
  session.stage(userStream(user.id), events);
  return listed(staged(session, user.id));
}

export function describeUsers(model: Model): readonly ListedUser[] {
  return model.users().map(listed);
}

/** Makes another application password of an account. Returns its id and, only this once, the password. */
export function issuePassword(
  session: Session,
  user: User,
  { name, appId = '' }: { name: string; appId?: string },
): { readonly id: string; readonly password: string } | Refusal {
  const { password, digest } = makePassword();
  const id = randomUUID();
  const events = decide.issuePassword(user, { id, name, digest, appId });
  if (isRefusal(events)) return events;
  session.stage(userStream(user.id), events);
  return { id, password };
}

function issue(session: Session, user: User): NewCredentials | Refusal {
  const issued = issuePassword(session, user, { name: `Password ${user.passwords.length + 1}` });
  return isRefusal(issued) ? issued : { id: user.id, username: user.login, password: issued.password };
}

function listed(user: UserRow): ListedUser {
  const {
    id,
    login,
    displayName,
    roles,
    email,
    registered,
    passwords,
    disabled,
    lastDay: until = '',
    published,
  } = user;
  const shown = { id, username: login, name: displayName, roles, email, registered };
  return { ...shown, passwords: passwords.length, disabled, until, published };
}

export function revoke(session: Session, login: string, password: string | 'all'): readonly ListedPassword[] | Refusal {
  const user = userNamed(session, login);
  if (user === undefined) return unknown(login);
  const withdrawn = revokePasswords(session, user, password);
  return withdrawn.length === 0 && password !== 'all'
    ? refuse('password_not_found', `${user.login} has no application password ${password}.`)
    : withdrawn.map((one) => listedPassword(one, null));
}

export function listPasswords(
  model: Model,
  login: string,
  uses: Pick<PasswordUses, 'of'>,
): readonly ListedPassword[] | Refusal {
  const user = userNamed(model, login);
  return user === undefined ? unknown(login) : user.passwords.map((one) => listedPassword(one, uses.of(one.id)));
}

/** Disables an account, or enables it again. */
export function disable(session: Session, login: string, disabled: boolean): ListedUser | Refusal {
  const user = userNamed(session, login);
  if (user === undefined) return unknown(login);
  return setDisabled(session, user, disabled) ?? listed(staged(session, user.id));
}

export interface ListedPassword {
  readonly uuid: string;
  readonly name: string;
  /** UTC. */
  readonly created: string;
  /** When it expires; '' for never. */
  readonly until: string;
  readonly lastUsed: string;
  readonly lastAddress: string;
}

function listedPassword(
  { id: uuid, name, created, token }: ApplicationPassword,
  use: PasswordUse | null,
): ListedPassword {
  const lastUsed = use === null ? '' : new Date(use.at).toISOString();
  return { uuid, name, created, until: token?.until ?? '', lastUsed, lastAddress: use?.address ?? '' };
}

function staged(session: Session, id: number): UserRow {
  const user = session.user(id);
  if (user === undefined) throw new Error(`there is no user ${id}`);
  return user;
}

function unknown(login: string): Refusal {
  return refuse('invalid_username', `There is no user with the login or mail address ${login}.`);
}

export function userFacts(session: Session): UserFacts {
  return {
    nextUser: session.next.nextUser,
    loginTaken: (login) => isSame(session.userByName(login)?.login ?? '', login),
    slugTaken: (slug, except) => (session.userBySlug(slug)?.id ?? except) !== except,
    emailTaken(email, except) {
      const found = session.userByName(email);
      // A login may look like another user's mail address.
      const isOwner = found === undefined || isSame(found.email, email);
      const owner = isOwner ? found : session.of(users).byEmail(email);
      return (owner?.id ?? except) !== except;
    },
  };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
