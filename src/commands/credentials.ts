import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import type { User } from '#domain/user/state.ts';
import type { Model } from '#projections/model.ts';
import { saltOf } from '#text/secret.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const passwordLength = 24;

export interface MadePassword {
  readonly password: string;
  readonly digest: string;
}

/** Makes an application password. `random` gives a whole number from 0 up to its argument, that one excluded. */
export function makePassword(random: (below: number) => number = randomInt): MadePassword {
  const letters = Array.from({ length: passwordLength }, () => alphabet.charAt(random(alphabet.length))).join('');
  return { password: letters.replace(/.{4}(?=.)/g, '$& '), digest: digestOf(letters) };
}

/**
 * Who a login or mail address with a password stands for; null when it stands for nobody. Takes as long for names that
 * there are as for others: then another account is looked at.
 */
export function authenticate(model: Model, login: string, password: string): Viewer | null {
  const digest = digestOf(significant(password));
  const [named, other] = [findUser(model, login), model.user(anyone)];
  const user = named ?? other;
  const fitting = user?.passwords.filter((known) => known.token === undefined && isSame(known.digest, digest)) ?? [];
  const [used] = fitting;
  return named === undefined || named.disabled || used === undefined ? null : { ...viewerOf(named), password: used.id };
}

/**
 * The same for people, who may also give the password of the account. `digest`: what that would be, made with
 * `accountSalt`.
 */
export function authenticatePerson(
  model: Model,
  { login, password, digest }: { readonly login: string; readonly password: string; readonly digest: string },
): Viewer | null {
  const user = findUser(model, login);
  const fits = isSame(user?.secret ?? '', digest);
  const viewer = authenticate(model, login, password);
  if (viewer !== null || user === undefined || user.disabled || !fits) return viewer;
  return { ...viewerOf(user), password: accountKey(user) };
}

/** The salt of the password of an account. There is one for every name, so that a log-in takes as long for all. */
export function accountSalt(model: Model, login: string): string {
  return saltOf(findUser(model, login)?.secret ?? '') || newSalt(login);
}

/** Stands for the present password of an account; it tells nothing of that. */
export function accountKey({ id, secret }: Pick<User, 'id' | 'secret'>): string {
  return `account-${createHmac('sha256', secret).update(String(id)).digest('base64url').slice(0, 22)}`;
}

/** The user with a login, upper and lower case alike; else the one with that mail address. None that has been erased. */
export function findUser(model: Model, login: string): User | undefined {
  return model.userByName(login.trim());
}

export function administratorsIn(model: Model): number {
  return model.users().filter(({ roles, disabled }) => roles.includes('administrator') && !disabled).length;
}

/**
 * A salt for a password that a user chose. For a login it is the same as long as the process lasts, so that a request
 * that is looked at again makes the same digest.
 */
export function newSalt(login: string): string {
  return createHmac('sha256', saltKey).update(login).digest('base64url').slice(0, 22);
}

const saltKey = randomBytes(32);
const anyone = 1;

/** Only letters and digits count, so that a password may be typed with or without its blanks. */
function significant(password: string): string {
  return password.replace(/[^a-z\d]/gi, '');
}

/** 24 random letters cannot be guessed however fast one tries, so the digest need not be slow; every request pays for it. */
function digestOf(letters: string): string {
  return createHash('sha256').update(letters).digest('hex');
}

function isSame(known: string, digest: string): boolean {
  return known.length === digest.length && timingSafeEqual(Buffer.from(known), Buffer.from(digest));
}
