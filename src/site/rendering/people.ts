import type { UserRow } from '#projections/users/definition.ts';
import { escapeAttribute } from '#text/references.ts';
import { avatars } from '../addresses/users.ts';
import type { Here } from './types.ts';

/** The author of the post; undefined once the account is erased. */
export function authorOfPost({ post: { row }, rendering: { model } }: Here): UserRow | undefined {
  const user = row === undefined ? undefined : model.user(row.author);
  return user?.erased === true ? undefined : user;
}

export function avatar(user: UserRow, size: number, url: string, { alt = '', classes = '' } = {}): string {
  const address = (avatars(user, url)[96] ?? '').replace(/\?.*$/, '');
  const source = (width: number) => escapeAttribute(`${address}?s=${width}`);
  const names = `avatar avatar-${size} photo${classes === '' ? '' : ` ${classes}`}`;
  return `<img alt='${escapeAttribute(alt)}' src='${source(size)}' srcset='${source(size * 2)} 2x' class='${names}' height='${size}' width='${size}' />`;
}
