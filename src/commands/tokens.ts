import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { issueToken } from '#domain/user/decide.ts';
import { type ApplicationPassword, type User, userStream } from '#domain/user/state.ts';
import type { Session } from './session.ts';

/** Tokens with which programs act for users: `<user>.<expiry in seconds since 1970>.<64 hex digits>`. */

export interface WantedToken {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly publishes: boolean;
  /** The release in which what is written with it waits. */
  readonly release?: number;
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
  const { name, publishes, release } = wanted;
  const issued = {
    id,
    name,
    publishes,
    ...(release === undefined ? {} : { release }),
    digest: tokenDigest(token),
    until: new Date(until * 1000).toISOString(),
  };
  const events = issueToken(user, issued, session.at);
  if (isRefusal(events)) return events;
  session.stage(userStream(user.id), events);
  return { id, token };
}

export function isSame({ digest }: Pick<ApplicationPassword, 'digest'>, token: string): boolean {
  const given = Buffer.from(tokenDigest(token));
  return digest.length === given.length && timingSafeEqual(Buffer.from(digest), given);
}

/** A fast digest is enough: a token of this many random bits cannot be guessed. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
