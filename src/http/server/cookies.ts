import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

interface CookieOptions {
  readonly siteUrl: string;
  /** Path below the address of the site; browsers send the cookie to it and to what is below. */
  readonly path: string;
  /** Lifetime; 0 removes the cookie. */
  readonly seconds: number;
  /** `lax`: it is sent when another site links to the page. */
  readonly sameSite?: 'strict' | 'lax';
}

/** A `Set-Cookie` header for pages of the site. Scripts cannot read the cookie. */
export function pageCookie(name: string, value: string, options: CookieOptions): string {
  const { siteUrl, path: below, seconds: maxAge, sameSite = 'strict' } = options;
  const { protocol, pathname } = new URL(siteUrl);
  const path = pathname.replace(/\/+$/, '') + below;
  return stringifySetCookie({ name, value, path, maxAge, httpOnly: true, sameSite, secure: protocol === 'https:' });
}

export function cookiesIn({ headers }: Pick<IncomingMessage, 'headers'>): Readonly<Record<string, string | undefined>> {
  return headers.cookie === undefined ? {} : parseCookie(headers.cookie);
}
