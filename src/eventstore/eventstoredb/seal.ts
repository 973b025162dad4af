import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { draw } from '../random.ts';

/** What of an event may have to be erased: the sealed text and its salt (32 hex digits). */
export interface Sealed {
  readonly salt: string;
  readonly text: string;
}

export const KEY_BYTES = 32;
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
/** From so many bytes on a text is worth compressing: appends are limited in size. */
const COMPRESSED_FROM = 4096;

/** Encrypts a sealed text: AES-256-GCM under a key that is used for this event alone; base64. */
export function encrypt({ salt, text }: Sealed, key: Uint8Array, eventId: string): string {
  const bytes = Buffer.from(text);
  const compressed = bytes.length >= COMPRESSED_FROM;
  const body = compressed ? deflateRawSync(bytes) : bytes;
  const plain = Buffer.concat([Buffer.of(compressed ? 1 : 0), Buffer.from(salt, 'hex'), body]);
  const nonce = draw(NONCE_BYTES);
  // A key object saves the time that is otherwise spent on finding out that the key is none.
  const cipher = createCipheriv(ALGORITHM, createSecretKey(key), nonce).setAAD(Buffer.from(eventId));
  const encrypted = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString('base64');
}

/** The sealed text again. Throws when it is not what was encrypted under this key for this event. */
export function decrypt(encrypted: string, key: Uint8Array, eventId: string): Sealed {
  const bytes = Buffer.from(encrypted, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(eventId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(body), decipher.final()]);
  const text = plain.subarray(1 + SALT_BYTES);
  return {
    salt: plain.toString('hex', 1, 1 + SALT_BYTES),
    text: (plain[0] === 1 ? inflateRawSync(text) : text).toString('utf8'),
  };
}

/** Random keys, one behind the other. */
export function newKeys(count: number): Buffer {
  return randomBytes(count * KEY_BYTES);
}

export function newId(): string {
  return randomUUID();
}
