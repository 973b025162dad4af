import { LRUCache } from 'lru-cache';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { anonymous, isAuditor, type Viewer } from '#domain/user/roles.ts';
import { tooManyAttempts, tooManyLogins, wrongPassword } from '../message/attempts.ts';
import type { LoginThrottle } from './login-throttle.ts';

export interface CredentialSource {
  /** Of application passwords. */
  readonly authenticate: (login: string, password: string) => Viewer | null;
  readonly authenticatePerson?: (login: string, password: string) => Promise<Viewer | null>;
  readonly takesPasswords?: () => boolean;
  readonly cacheVersion: (key: string) => number;
  readonly usersKey: string;
}

export interface Identity {
  readonly viewer: Viewer;
  readonly failed: boolean;
  /** Seconds until credentials are checked again; 0: they were checked. */
  readonly wait: number;
}

/** A user with the password that was given. */
export type Person = Viewer & { readonly password: string };

export interface Authenticator {
  /** Identifies the sender of an `Authorization` header. `address`: that of the client, called only if something must be looked up. */
  readonly identify: (header: string | undefined, address: () => string) => Identity;
  /** The same for a login form; bypasses the cache. */
  readonly check: (login: string, password: string, address: string) => Promise<Person | Refusal>;
}

interface AuthenticatorOptions {
  readonly source: CredentialSource;
  readonly loginThrottle: LoginThrottle;
  /** Called for everybody who logs in by a form. */
  readonly onLogin?: ((viewer: Viewer) => unknown) | undefined;
  /** Called for every authenticated request. */
  readonly onUse?: ((viewer: Viewer, address: () => string) => unknown) | undefined;
}

export interface BearerOptions extends Pick<AuthenticatorOptions, 'loginThrottle' | 'onUse'> {
  /** The viewer of a token that is currently valid, else null. */
  readonly authenticateToken: ((token: string) => Viewer | null) | undefined;
}

const BASIC = /^basic +([\w+/=-]+) *$/i;
const MAX_KEPT = 2000;
/** In characters. Longer headers cannot hold a valid password and are not cached. */
const LONGEST = 1024;
/** Login forms that may wait to be checked. */
const MAX_WAITING = 50;
const NOBODY: Identity = { viewer: anonymous, failed: false, wait: 0 };
const failedIdentity: Identity = { viewer: anonymous, failed: true, wait: 0 };
const BEARER = /^bearer +([\w.-]{1,200}) *$/i;

/**
 * Authenticates Basic credentials. With wrong ones the request continues as anonymous (interface behaviour, section 1), unless too
 * many were wrong. An application password is too long to be guessed, so a valid one is accepted however many wrong ones were sent. It
 * is cached until a user changes, except that of an auditor, whose account may end with a day.
 */
export function createAuthenticator({ source, loginThrottle, onUse, onLogin }: AuthenticatorOptions): Authenticator {
  const { authenticate, takesPasswords = () => true } = source;
  const look: Look = (login: string, password: string, address: () => string): Identity => {
    if (!takesPasswords()) return failedIdentity;
    const viewer = authenticate(login, password);
    if (viewer !== null) return { ...NOBODY, viewer };
    const { wait, failed } = loginThrottle.login(address(), login);
    if (wait === 0) failed();
    return { ...failedIdentity, wait };
  };
  const checkNow: Authenticator['check'] = async (login, password, address) => {
    if (source.authenticatePerson === undefined || !takesPasswords()) {
      const { viewer, wait } = look(login, password, () => address);
      return wait > 0 ? tooManyAttempts(wait) : named(viewer);
    }
    const program = authenticate(login, password);
    if (program !== null) return named(program);
    const attempt = loginThrottle.login(address, login);
    if (attempt.wait > 0) return tooManyAttempts(attempt.wait);
    const person = await source.authenticatePerson(login, password);
    if (person === null) attempt.failed();
    else attempt.succeeded();
    return named(person ?? anonymous);
  };
  const checkOne = oneByOne(checkNow);
  const check: Authenticator['check'] = async (...who) => {
    const found = await checkOne(...who);
    if (!isRefusal(found)) onLogin?.(found);
    return found;
  };
  const identify = remembering(look, source);
  if (onUse === undefined) return { identify, check };
  return {
    check,
    identify: (header, address) => {
      const identity = identify(header, address);
      if (identity.viewer !== anonymous) onUse(identity.viewer, address);
      return identity;
    },
  };
}

type Look = (login: string, password: string, address: () => string) => Identity;

/** Checks one login form after the other, so that simultaneous guesses are counted as well. */
function oneByOne(check: Authenticator['check']): Authenticator['check'] {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (...who) => {
    if (waiting >= MAX_WAITING) return tooManyLogins;
    waiting += 1;
    const checked = last.then(() => check(...who));
    last = checked.catch(() => undefined);
    try {
      return await checked;
    } finally {
      waiting -= 1;
    }
  };
}

/** Identifies by Basic credentials, and remembers valid ones until a user changes. */
function remembering(
  look: Look,
  { cacheVersion, usersKey }: Pick<CredentialSource, 'cacheVersion' | 'usersKey'>,
): Authenticator['identify'] {
  const known = new LRUCache<string, Identity>({ max: MAX_KEPT });
  let users = cacheVersion(usersKey);
  return (header, address) => {
    if (header === undefined) return NOBODY;
    const now = cacheVersion(usersKey);
    if (now !== users) {
      known.clear();
      users = now;
    }
    const kept = known.get(header);
    if (kept !== undefined) return kept;
    const credentials = header.length > LONGEST ? null : basicCredentials(header);
    if (credentials === null) return failedIdentity;
    const { login, password } = credentials;
    const identity = look(login, password, address);
    if (!identity.failed && !isAuditor(identity.viewer)) known.set(header, identity);
    return identity;
  };
}

function named({ password, ...viewer }: Viewer): Person | Refusal {
  return password === undefined ? wrongPassword : { ...viewer, password };
}

function basicCredentials(header: string): { readonly login: string; readonly password: string } | null {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? null : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Adds bearer tokens to an authenticator. They are looked up at each request, so that a withdrawal takes effect at once. A valid
 * token is accepted however many wrong ones were sent from its address.
 */
export function withTokens(
  { identify }: Pick<Authenticator, 'identify'>,
  { authenticateToken, loginThrottle, onUse }: BearerOptions,
): Pick<Authenticator, 'identify'> {
  return {
    identify: (header, address) => {
      const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
      if (token === undefined || authenticateToken === undefined) return identify(header, address);
      const viewer = authenticateToken(token);
      if (viewer !== null) {
        onUse?.(viewer, address);
        return { viewer, failed: false, wait: 0 };
      }
      const { wait, failed } = loginThrottle.token(address());
      if (wait === 0) failed();
      return { ...failedIdentity, wait };
    },
  };
}
