import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import * as decide from '#domain/user/decide.ts';
import { type ApplicationPassword, type User, userStream } from '#domain/user/state.ts';
import { administratorsIn } from './credentials.ts';
import type { Session } from './session.ts';

/** Withdraws one application password of an account, or all of them. Returns the withdrawn ones. */
export function revokePasswords(session: Session, user: User, id: string | 'all'): readonly ApplicationPassword[] {
  const withdrawn = user.passwords.filter((password) => id === 'all' || password.id === id);
  session.stage(
    userStream(user.id),
    withdrawn.flatMap((password) => decide.revokePassword(user, password.id)),
  );
  return withdrawn;
}

export function renamePassword(session: Session, user: User, id: string, name: string): void {
  session.stage(userStream(user.id), decide.renamePassword(user, id, name));
}

/** Disables or enables an account. Returns null when that is done. */
export function setDisabled(session: Session, user: User, disabled: boolean): Refusal | null {
  const events = disabled
    ? decide.disableUser(user, { administrators: administratorsIn(session) })
    : decide.enableUser(user);
  if (isRefusal(events)) return events;
  session.stage(userStream(user.id), events);
  return null;
}

export const noSuchPassword = refuse('rest_application_password_not_found', 'Application password not found.');
