import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { accountKey, isClosedNow } from '#commands/credentials.ts';
import { tools } from '#domain/tools/area.ts';
import { may, type Right, type Viewer, viewerOf } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';

export interface SessionRecord {
  readonly secret: string;
  /** Ended sessions by id, each with its original expiry in milliseconds since 1970. */
  readonly ended: readonly (readonly [id: string, expires: number])[];
}

export interface SessionKeeper {
  readonly record: SessionRecord;
  readonly save: (record: SessionRecord) => void;
}

export interface LoginSessionParts {
  readonly keeper: SessionKeeper;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly newId: () => string;
}

export interface SessionKind {
  /** Sessions of one kind are not valid for another. */
  readonly kind: string;
  /** The right required for a session; null: every account has it. */
  readonly right: Right | null;
  /** Lifetime of a session in milliseconds. */
  readonly length: number;
}

/** Logins to pages of one kind. A session exists only in its signed cookie and is checked against the account at each use. */
export interface Sessions {
  /** Lifetime of a session, and of the token in a form. */
  readonly seconds: { readonly session: number; readonly form: number };
  readonly begin: (viewer: Viewer & { readonly password: string }) => string;
  /** The viewer of a session cookie; null if it is not a valid session. */
  readonly viewerOf: (cookie: string | undefined, model: Model) => Viewer | null;
  readonly end: (cookie: string | undefined) => void;
  /** A token that only a form of this kind can send back: `known` while it is valid, else a new one. */
  readonly formToken: (known: string | undefined) => string;
  readonly isFormToken: (token: string) => boolean;
}

interface Content {
  readonly id: string;
  readonly user: number;
  readonly password: string;
  readonly expires: number;
}

interface CookieOptions {
  readonly siteUrl: string;
  /** Path below the address of the site; browsers send the cookie to it and to what is below. */
  readonly path: string;
  /** Lifetime; 0 removes the cookie. */
  readonly seconds: number;
  /** `lax`: it is sent when another site links to the page. */
  readonly sameSite?: 'strict' | 'lax';
}

/** Lifetime of the token in a form, in milliseconds. */
const formLength = 60 * 60 * 1000;

/** Returns a function that opens the sessions of a kind. All kinds share one record of ended sessions. */
export function createSessions(parts: LoginSessionParts): (kind: SessionKind) => Sessions {
  const ended = new Map(parts.keeper.record.ended);
  return (kind) => sessionsOf(kind, { ...parts, ended });
}

function sessionsOf(
  { kind, right, length }: SessionKind,
  { keeper, clock, newId, ended }: LoginSessionParts & { readonly ended: Map<string, number> },
): Sessions {
  const { secret } = keeper.record;
  const formKind = `${kind}-form`;
  const sign = (kind: string, content: string) => `${kind}.${content}.${signatureOf(`${kind}.${content}`, secret)}`;
  const read = (kind: string, text: string | undefined): string | null => {
    const [, signed = '', signature = ''] = /^(.*)\.([^.]*)$/.exec(text ?? '') ?? [];
    const isOurs = signed.startsWith(`${kind}.`) && isSame(signature, signatureOf(signed, secret));
    return isOurs ? signed.slice(kind.length + 1) : null;
  };
  const contentOf = (cookie: string | undefined): Content | null => {
    const text = read(kind, cookie);
    const content = text === null ? null : (JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Content);
    return content === null || content.expires <= clock() || ended.has(content.id) ? null : content;
  };
  const isFormToken = (token: string) => Number(read(formKind, token)?.split('.')[0] ?? 0) > clock();
  return {
    seconds: { session: length / 1000, form: formLength / 1000 },
    begin: ({ id: user, password }) => {
      const content: Content = { id: newId(), user, password, expires: clock() + length };
      return sign(kind, Buffer.from(JSON.stringify(content)).toString('base64url'));
    },
    viewerOf: (cookie, model) => {
      const content = contentOf(cookie);
      return content === null ? null : viewerNow(content, { model, right, now: clock() });
    },
    end: (cookie) => {
      const content = contentOf(cookie);
      if (content === null) return;
      for (const [id, expires] of ended) if (expires <= clock()) ended.delete(id);
      ended.set(content.id, content.expires);
      keeper.save({ secret, ended: [...ended] });
    },
    formToken: (known) =>
      known !== undefined && isFormToken(known) ? known : sign(formKind, `${clock() + formLength}.${newId()}`),
    isFormToken,
  };
}

interface Checked {
  readonly model: Model;
  readonly right: Right | null;
  readonly now: number;
}

function viewerNow({ user: id, password }: Content, { model, right, now }: Checked): Viewer | null {
  if (model.plugin(tools).switches.disable_authentication_password) return null;
  const user = model.user(id);
  if (user === undefined || user.erased || isClosedNow(user, model, now)) return null;
  const opens = password === accountKey(user) || user.passwords.some((known) => known.id === password);
  const viewer = { ...viewerOf(user), password };
  return opens && (right === null || may(viewer, right)) ? viewer : null;
}

function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function isSame(sent: string, own: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(own)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A `Set-Cookie` header for pages of the site. Scripts cannot read the cookie. */
export function pageCookie(name: string, value: string, options: CookieOptions): string {
  const { siteUrl, path: below, seconds: maxAge, sameSite = 'strict' } = options;
  const { protocol, pathname } = new URL(siteUrl);
  const path = pathname.replace(/(?<!\/)\/+$/, '') + below;
  return stringifySetCookie({ name, value, path, maxAge, httpOnly: true, sameSite, secure: protocol === 'https:' });
}

export function cookiesIn({ headers }: Pick<IncomingMessage, 'headers'>): Readonly<Record<string, string | undefined>> {
  return headers.cookie === undefined ? {} : parseCookie(headers.cookie);
}
