import { createHash } from 'node:crypto';
import type { UserRow } from '#projections/users.ts';

/** Where a person finds what the user has written. */
export function userLink({ slug }: Pick<UserRow, 'slug'>, url: string): string {
  return `${url}/author/${slug}/`;
}

/** Addresses of a user's picture, by size. They go by a digest, which tells nobody a mail address or login. */
export function avatars({ email, login }: UserRow, url: string): Record<number, string> {
  const digest = createHash('sha256')
    .update((email || login).toLowerCase())
    .digest('hex');
  return Object.fromEntries([24, 48, 96].map((size) => [size, `${url}/avatar/${digest}?s=${size}`]));
}
