import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import * as decide from '#domain/user/decide.ts';
import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import { type ApplicationPassword, isClosed, type User, userStream } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { users } from '#projections/users/definition.ts';
import { saltOf } from '#text/secret.ts';
import type { Session } from './session.ts';

export interface MadePassword {
  readonly password: string;
  readonly digest: string;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const passwordLength = 24;

/** Makes an application password. `random` returns an integer from 0 up to, but excluding, its argument. */
export function makePassword(random: (below: number) => number = randomInt): MadePassword {
  const letters = Array.from({ length: passwordLength }, () => alphabet.charAt(random(alphabet.length))).join('');
  return { password: letters.replace(/.{4}(?=.)/g, '$& '), digest: digestOf(letters) };
}

/**
 * Returns the user that a login or mail address with a password identifies, or null. Takes equally long for unknown names: the passwords
 * of another account are compared then. `now`: milliseconds since 1970.
 */
export function authenticate(model: Model, login: string, password: string, now = Date.now()): Viewer | null {
  const digest = digestOf(significant(password));
  const [named, other] = [userNamed(model, login), model.user(anyone)];
  const user = named ?? other;
  const fitting = user?.passwords.filter((known) => known.token === undefined && isSame(known.digest, digest)) ?? [];
  const [used] = fitting;
  if (named === undefined || used === undefined || isClosedNow(named, model, now)) return null;
  return { ...viewerOf(named), password: used.id };
}

interface GivenCredentials {
  readonly login: string;
  readonly password: string;
  readonly digest: string;
  readonly now?: number;
}

/**
 * Like `authenticate`, for people, who may also use the account password. `digest`: digest of the given password, made with
 * `accountSalt`.
 */
export function authenticatePerson(
  model: Model,
  { login, password, digest, now = Date.now() }: GivenCredentials,
): Viewer | null {
  const user = userNamed(model, login);
  const fits = isSame(user?.secret ?? '', digest);
  const viewer = authenticate(model, login, password, now);
  if (viewer !== null || user === undefined || isClosedNow(user, model, now) || !fits) return viewer;
  return { ...viewerOf(user), password: accountKey(user) };
}

/** Whether nobody may use an account: it is disabled, or its last day is over. `now`: milliseconds since 1970. */
export function isClosedNow(user: User, model: Model, now: number): boolean {
  if (user.lastDay === undefined) return user.disabled;
  return isClosed(user, { zone: model.site().timezone, now });
}

/** Returns the salt of the account password. Unknown names have one as well, so that a log-in always takes equally long. */
export function accountSalt(model: Model, login: string): string {
  return saltOf(userNamed(model, login)?.secret ?? '') || newAccountSalt(login);
}

/** An identifier of the present account password, which reveals nothing about it. */
export function accountKey({ id, secret }: Pick<User, 'id' | 'secret'>): string {
  return `account-${createHmac('sha256', secret).update(String(id)).digest('base64url').slice(0, 22)}`;
}

/** Finds the user with a login, ignoring case; else the user with that mail address. Excludes erased users. */
export function userNamed(model: Model, login: string): User | undefined {
  return model.userByName(login.trim());
}

export function administratorsIn(session: Session): number {
  const administrators = session.of(users).withRole('administrator');
  return administrators.filter(({ disabled }) => !disabled).length;
}

/**
 * A salt for a password chosen by a user. It is the same for a login throughout the process, so that a request that is processed again
 * produces the same digest.
 */
export function newAccountSalt(login: string): string {
  return createHmac('sha256', saltKey).update(login).digest('base64url').slice(0, 22);
}

const saltKey = randomBytes(32);
const anyone = 1;

/** Only letters and digits count, so that a password may be typed with or without its spaces. */
function significant(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}

/** A fast digest is enough, and every request pays for it: 24 random letters cannot be guessed at any speed. */
function digestOf(letters: string): string {
  return createHash('sha256').update(letters).digest('hex');
}

function isSame(known: string, digest: string): boolean {
  return known.length === digest.length && timingSafeEqual(Buffer.from(known), Buffer.from(digest));
}

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
