import { type ScryptOptions, scrypt, scryptSync } from 'node:crypto';

/** About a fifth of a second and 16 MiB per attempt. */
const cost: ScryptOptions = { N: 16_384, r: 8, p: 5 };
const length = 32;

/** A slow digest for passwords chosen by people, to impede guessing. It contains its salt. */
export function secretDigest(password: string, salt: string): string {
  return `scrypt$${salt}$${scryptSync(password.normalize('NFC'), salt, length, cost).toString('base64url')}`;
}

/** The same, in a thread of the runtime. */
export function secretDigestLater(password: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, length, cost, (error, key) => {
      if (error === null) resolve(`scrypt$${salt}$${key.toString('base64url')}`);
      else reject(error);
    });
  });
}

/** The salt of a digest; '' if there is none. */
export function saltOf(digest: string): string {
  return digest.split('$')[1] ?? '';
}
