import { LRUCache } from 'lru-cache';
import { anonymous, type Viewer } from '#domain/user/roles.ts';

export interface CredentialSource {
  readonly authenticate: (login: string, password: string) => Viewer | null;
  readonly cacheVersion: (key: string) => number;
  /** Stamp key of the users. */
  readonly usersKey: string;
}

/** Tells who sends an `Authorization` header. */
export type Authenticator = (header: string | undefined) => Viewer;

const BASIC = /^basic +([\w+/=-]+) *$/i;
const MOST_KEPT = 2000;
/** Longer ones are nobody's password; they would only cost memory. */
const LONGEST = 1024;

/**
 * Authenticates Basic credentials. Whatever is wrong with them, the request goes on as nobody's (interface
 * behaviour, section 1). Looking a user up costs more than most reads, so results are kept until a user changes; wrong
 * ones in a place of their own, where a flood of them drives nobody out.
 */
export function createAuthenticator({ authenticate, cacheVersion, usersKey }: CredentialSource): Authenticator {
  const known = new LRUCache<string, Viewer>({ max: MOST_KEPT });
  const unknown = new LRUCache<string, true>({ max: MOST_KEPT });
  let users = cacheVersion(usersKey);
  return (header) => {
    if (header === undefined || header.length > LONGEST) return anonymous;
    const now = cacheVersion(usersKey);
    if (now !== users) {
      known.clear();
      unknown.clear();
      users = now;
    }
    const viewer = known.get(header);
    if (viewer !== undefined) return viewer;
    if (unknown.has(header)) return anonymous;
    const credentials = basicCredentials(header);
    const found = credentials === null ? null : authenticate(credentials.login, credentials.password);
    if (found === null) unknown.set(header, true);
    else known.set(header, found);
    return found ?? anonymous;
  };
}

function basicCredentials(header: string): { readonly login: string; readonly password: string } | null {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? null : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
