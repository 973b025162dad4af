import { randomBytes } from 'node:crypto';

/** Makes a secret that texts can be signed with. */
export function makeSecret(): string {
  return randomBytes(32).toString('hex');
}
