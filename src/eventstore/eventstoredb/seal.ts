import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { draw } from '../random.ts';
import { type Compressed, compress, decompress, inflate } from './compression.ts';

/** The erasable part of an event: the sealed text and its salt (32 hex digits). */
export interface Sealed {
  readonly salt: string;
  readonly text: string;
}

export const KEY_BYTES = 32;
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES + 1 + SALT_BYTES;
const forms = { plain: 0, deflated: 1, zstandard: 2 } as const;

/** Encrypts a sealed text: AES-256-GCM with a key used for this event only. */
export function encrypt({ salt, text }: Sealed, key: Uint8Array, eventId: string): Buffer {
  const { bytes, isCompressed }: Compressed = compress(text);
  const form = isCompressed ? forms.zstandard : forms.plain;
  const plain = Buffer.concat([Buffer.of(form), Buffer.from(salt, 'hex'), bytes]);
  const nonce = draw(NONCE_BYTES);
  // A raw key takes longer: Node would first check whether it is a key object.
  const cipher = createCipheriv(ALGORITHM, createSecretKey(key), nonce).setAAD(Buffer.from(eventId));
  const encrypted = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
}

/** Decrypts a sealed text. Throws when it was not encrypted with this key for this event. */
export function decrypt(bytes: Uint8Array, key: Uint8Array, eventId: string): Sealed {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(eventId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(body), decipher.final()]);
  const text = plain.subarray(1 + SALT_BYTES);
  return { salt: plain.toString('hex', 1, 1 + SALT_BYTES), text: textIn(text, plain[0]).toString('utf8') };
}

function textIn(bytes: Buffer, form: number | undefined): Buffer {
  if (form === forms.zstandard) return decompress(bytes);
  return form === forms.deflated ? inflate(bytes) : bytes;
}

export function newKeys(count: number): Buffer {
  return randomBytes(count * KEY_BYTES);
}

export function newId(): string {
  return randomUUID();
}
