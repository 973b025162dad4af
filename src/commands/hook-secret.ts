import { randomBytes } from 'node:crypto';

/** Prefix of secrets (Standard Webhooks); base64 follows. */
export const secretPrefix = 'whsec_';
const secretBytes = 32;

export function makeHookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}
