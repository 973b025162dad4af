import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Viewer, viewerOf } from '#domain/user/roles.ts';
import type { User } from '#domain/user/state.ts';
import type { Model } from '#projections/model.ts';

/** Seconds for which the link of an autosave is valid after it was saved. */
const lifetime = 2 * 24 * 60 * 60;

interface Preview {
  readonly entry: number;
  /** When the autosave was saved, UTC. */
  readonly savedGmt: string;
}

/**
 * What a preview link contains instead of a login: who was given it, until when it is valid, and a signature by the credential that the user
 * had logged in with. It is valid for this entry alone, and ends with the credential. Letters, digits and underscores.
 */
export function previewNonce({ entry, savedGmt }: Preview, viewer: Viewer, model: Model): string {
  const user = model.user(viewer.id);
  const key = user?.passwords.find(({ id }) => id === viewer.password)?.digest ?? user?.secret ?? '';
  if (key === '') return '0';
  const until = Math.floor(Date.parse(`${savedGmt}Z`) / 1000) + lifetime;
  const content = `${viewer.id.toString(36)}_${until.toString(36)}`;
  return `${content}_${signatureOf(content, entry, key)}`;
}

/** The user whose preview of an entry a nonce shows; null if it is not, or no longer, valid. `now`: milliseconds since 1970. */
export function previewerOf(
  nonce: string,
  entry: number,
  { model, now }: { model: Model; now: number },
): Viewer | null {
  const [, content = '', id = '', until = '', signature = ''] =
    /^(([0-9a-z]+)_([0-9a-z]+))_([0-9a-f]{32})$/.exec(nonce) ?? [];
  const user = model.user(Number.parseInt(id, 36));
  if (user === undefined || user.disabled || Number.parseInt(until, 36) * 1000 <= now) return null;
  const isValid = keysOf(user).some((key) => isSame(signature, signatureOf(content, entry, key)));
  return isValid ? viewerOf(user) : null;
}

function keysOf({ secret, passwords }: Pick<User, 'secret' | 'passwords'>): readonly string[] {
  return [...passwords.map(({ digest }) => digest), ...(secret === '' ? [] : [secret])];
}

function signatureOf(content: string, entry: number, key: string): string {
  return createHmac('sha256', key).update(`preview ${entry} ${content}`).digest('hex').slice(0, 32);
}

function isSame(some: string, other: string): boolean {
  return some.length === other.length && timingSafeEqual(Buffer.from(some), Buffer.from(other));
}
