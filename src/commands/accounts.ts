import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { ChangedUser, NewUser } from '#domain/user/commands.ts';
import * as decide from '#domain/user/decide.ts';
import type { UserEvent } from '#domain/user/events.ts';
import { isRole, type Role } from '#domain/user/roles.ts';
import { type User, userStream } from '#domain/user/state.ts';
import { administratorsIn } from './credentials.ts';
import type { Session } from './session.ts';
import { userFacts } from './users.ts';

export interface NewAccount extends Omit<NewUser, 'roles'> {
  /** As sent. */
  readonly roles: readonly string[];
  readonly secret: string;
}

export interface ChangedAccount extends ChangedUser {
  /** As sent; absent: unchanged. */
  readonly roles?: readonly string[];
  /** Digest of the new password; absent: unchanged. */
  readonly secret?: string;
}

/** Creates an account without application passwords. Returns its id. */
export function createAccount(session: Session, { secret, ...fields }: NewAccount): number | Refusal {
  const roles = knownRoles(fields.roles);
  if (isRefusal(roles)) return roles;
  const facts = userFacts(session);
  const id = facts.nextUser;
  const refusal = stage(session, id, decide.addUser({ ...fields, roles }, facts));
  return refusal ?? stage(session, id, decide.setSecret(load(session, id), secret)) ?? id;
}

/** Changes the given fields. `actor`: id of the user who makes the change. */
export function changeAccount(
  session: Session,
  id: number,
  { roles: sent, secret, ...fields }: ChangedAccount & { readonly actor: number },
): Refusal | null {
  const user = load(session, id);
  const profile = decide.changeProfile(user, fields, userFacts(session));
  if (isRefusal(profile)) return profile;
  const roles = sent === undefined ? [] : changeRoles(session, user, { sent, actor: fields.actor });
  if (isRefusal(roles)) return roles;
  const password = secret === undefined ? [] : decide.setSecret(user, secret);
  return stage(session, id, [...profile, ...roles, ...password]);
}

/** Deletes an account. `heir`: id of the user who becomes author of its content; 0: nobody. */
export function deleteAccount(session: Session, id: number, heir: number): Refusal | null {
  const canInherit = (other: number) => session.user(other)?.erased === false;
  const facts = { administrators: administratorsIn(session), canInherit };
  return stage(session, id, decide.deleteUser(load(session, id), heir, facts));
}

function changeRoles(session: Session, user: User, { sent, actor }: { sent: readonly string[]; actor: number }) {
  const roles = knownRoles(sent);
  if (isRefusal(roles)) return roles;
  return decide.changeRoles(user, roles, { administrators: administratorsIn(session), actor });
}

function knownRoles(words: readonly string[]): readonly Role[] | Refusal {
  const unknown = words.find((word) => !isRole(word));
  if (unknown === undefined) return words.filter(isRole);
  return { ...refuse('rest_user_invalid_role', `The role ${unknown} does not exist.`), about: 'input' };
}

function stage(session: Session, id: number, events: readonly UserEvent[] | Refusal): Refusal | null {
  if (isRefusal(events)) return events;
  session.stage(userStream(id), events);
  return null;
}

function load(session: Session, id: number): User {
  const user = session.user(id);
  if (user === undefined) throw new Error(`there is no user ${id}`);
  return user;
}
