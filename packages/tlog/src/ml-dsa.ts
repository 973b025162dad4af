import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { type LogCheckpoint, parseCheckpoint } from './checkpoint.ts';
import type { Cosignature } from './cosignature.ts';
import {
  BadNote,
  encodeSecret,
  keyId,
  type Note,
  type SignerKey,
  secretIn,
  signatureLine,
  type VerifierKey,
} from './note.ts';

/** Cosignatures of ML-DSA-44 (C2SP tlog-cosignature), which quantum computers cannot forge. */

/** Signature type (C2SP tlog-cosignature). */
export const ML_DSA_44 = 6;
/** Bytes before the 32 of a seed, and before the 1312 of a public key, in DER. */
const SEED_PREFIX = Buffer.from('3034020100300b060960864801650304031104228020', 'hex');
const PUBLIC_PREFIX = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');
const SEED_BYTES = 32;
/** What is before the seed in a private key that contains it and more. */
const SEED_MARK = Buffer.from('0420', 'hex');
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 2420;
const LABEL = Buffer.from('subtree/v1\n\0');

/** A signer, and the seed that its key follows from. */
export interface SeededSigner extends SignerKey {
  readonly seed: Uint8Array;
}

/** Makes a key. `name` must not have spaces or `+`. */
export function newMlDsaSigner(name: string): SeededSigner {
  const { privateKey } = generateKeyPairSync('ml-dsa-44');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const begin = der.indexOf(SEED_MARK) + SEED_MARK.length;
  return signerOf(name, der.subarray(begin, begin + SEED_BYTES));
}

/** The secret of a key as text: `PRIVATE+KEY+<name>+<id>+<base64 of type and seed>`. */
export function encodeMlDsaSigner({ name, id, seed }: SeededSigner): string {
  return encodeSecret({ name, id }, ML_DSA_44, seed);
}

/** Throws `BadNote`. */
export function parseMlDsaSigner(text: string): SeededSigner {
  const { name, id, type, secret } = secretIn(text);
  if (type !== ML_DSA_44 || secret.length !== SEED_BYTES) throw new BadNote('this is no key of ML-DSA-44');
  const key = signerOf(name, secret);
  if (key.id !== id) throw new BadNote('the key does not fit its name');
  return key;
}

/** The line to add to a checkpoint. `time`: seconds since 1970. */
export function signWithMlDsa(checkpoint: LogCheckpoint, { name, id, privateKey }: SignerKey, time: number): string {
  const signature = sign(null, messageOf(checkpoint, name, time), privateKey);
  return signatureLine({ name, id, bytes: Buffer.concat([uint64(time), signature]) });
}

/**
 * The signatures of keys among `trusted`. Those of other keys are ignored. Throws `BadNote` when one that claims to be of a trusted key is
 * false, or two are of the same key.
 */
export function verifiedMlDsa<K extends VerifierKey>(note: Note, trusted: readonly K[]): Cosignature<K>[] {
  const found: Cosignature<K>[] = [];
  for (const { name, id, bytes } of note.signatures) {
    const key = trusted.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    if (found.some((one) => one.key === key)) throw new BadNote(`the checkpoint is signed twice by ${name}`);
    const time = bytes.length === TIME_BYTES + SIGNATURE_BYTES ? Buffer.from(bytes).readBigUInt64BE(0) : -1n;
    const isTime = time >= 0n && time <= BigInt(Number.MAX_SAFE_INTEGER);
    const message = messageOf(parseCheckpoint(note.text), name, Number(time < 0n ? 0n : time));
    if (!isTime || !verify(null, message, publicKeyOf(key), bytes.subarray(TIME_BYTES))) {
      throw new BadNote(`the ML-DSA-44 signature of ${name} is false`);
    }
    found.push({ key, time: Number(time) });
  }
  return found;
}

function messageOf({ origin, size, root }: LogCheckpoint, name: string, time: number): Buffer {
  return Buffer.concat([LABEL, withLength(name), uint64(time), withLength(origin), uint64(0), uint64(size), root]);
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length === 0 || bytes.length > 255) throw new BadNote('names of keys and logs have up to 255 bytes');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function signerOf(name: string, seed: Uint8Array): SeededSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([SEED_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = der.subarray(PUBLIC_PREFIX.length);
  return { name, id: keyId(name, ML_DSA_44, publicKey), publicKey, privateKey, seed };
}

function publicKeyOf({ publicKey }: VerifierKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
}
