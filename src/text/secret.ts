import { scryptSync } from 'node:crypto';

/** About a fifth of a second for each guess, and 16 MiB. */
const cost = { N: 16_384, r: 8, p: 5 };
const length = 32;

/** A digest from which a password that a person chose cannot be guessed fast. It begins with its salt. */
export function secretDigest(password: string, salt: string): string {
  return `scrypt$${salt}$${scryptSync(password.normalize('NFC'), salt, length, cost).toString('base64url')}`;
}

/** The salt that a digest was made with; '' where there is none. */
export function saltOf(digest: string): string {
  return digest.split('$')[1] ?? '';
}
