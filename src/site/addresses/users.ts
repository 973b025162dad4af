import { createHash } from 'node:crypto';
import type { UserRow } from '#projections/users/definition.ts';

export function userLink({ slug }: Pick<UserRow, 'slug'>, url: string): string {
  return `${url}/author/${slug}/`;
}

/** Addresses of a user's picture by size. They contain a digest, which does not reveal the mail address or login. */
export function avatars(user: Pictured, url: string): Record<number, string> {
  return Object.fromEntries([24, 48, 96].map((size) => [size, avatarAddress(user, url, size)]));
}

export interface Pictured {
  readonly email: string;
  readonly login: string;
}

export function avatarAddress({ email, login }: Pictured, url: string, size: number): string {
  const digest = createHash('sha256')
    .update((email || login).toLowerCase())
    .digest('hex');
  return `${url}/avatar/${digest}?s=${size}`;
}
