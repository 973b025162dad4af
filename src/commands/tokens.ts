import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { assistant } from '#domain/plugins/assistant/area.ts';
import { issueToken } from '#domain/user/decide.ts';
import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import { type ApplicationPassword, isOpen, type User, userStream } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Session } from './session.ts';

/** Tokens with which programs act for users: `<user>.<expiry in seconds since 1970>.<64 hex digits>`. */

const TOKEN = /^(\d{1,15})\.(\d{1,12})\.[\da-f]{64}$/;

export interface WantedToken {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly publishes: boolean;
}

export interface NewToken {
  readonly id: string;
  readonly token: string;
}

/** Makes a token. `signature`: its last part; default: random. */
export function makeToken(session: Session, user: User, wanted: WantedToken, signature?: string): NewToken | Refusal {
  const until = Math.floor(wanted.until / 1000);
  const token = `${user.id}.${until}.${signature ?? randomBytes(32).toString('hex')}`;
  const id = randomUUID();
  const { name, publishes } = wanted;
  const issued = { id, name, publishes, digest: digestOf(token), until: new Date(until * 1000).toISOString() };
  const events = issueToken(user, issued, session.at);
  if (isRefusal(events)) return events;
  session.stage(userStream(user.id), events);
  return { id, token };
}

/** Returns the user that a token identifies, or null. `now`: milliseconds since 1970. */
export function authenticateToken(model: Model, token: string, now: number): Viewer | null {
  const user = holderOf(token, model);
  if (user === undefined || user.disabled || !takesTokens(model)) return null;
  const known = user.passwords.find((one) => one.token !== undefined && isSame(one, token));
  if (known?.token === undefined || !isOpen(known, new Date(now).toISOString())) return null;
  const { until, publishes } = known.token;
  return {
    ...viewerOf(user),
    password: known.id,
    token: { name: known.name, until: Date.parse(until), publishes },
  };
}

export function takesTokens(model: Model): boolean {
  return model.plugin(assistant).choice === 1;
}

/** Derives the last part of a token from a secret, so that the token can be shown again. */
export function signatureOf(user: number, until: number, secret: string): string {
  return createHmac('sha256', secret).update(`${user}.${until}`).digest('hex');
}

export function isSame({ digest }: Pick<ApplicationPassword, 'digest'>, token: string): boolean {
  const given = Buffer.from(digestOf(token));
  return digest.length === given.length && timingSafeEqual(Buffer.from(digest), given);
}

function holderOf(token: string, model: Model): User | undefined {
  const id = TOKEN.exec(token)?.[1];
  return id === undefined ? undefined : model.user(Number(id));
}

/** A fast digest is enough: a token of this many random bits cannot be guessed. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
