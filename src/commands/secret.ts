import { randomBytes } from 'node:crypto';

export function makeSecret(): string {
  return randomBytes(32).toString('hex');
}
