import { sign } from 'node:crypto';
import {
  BadNote,
  COSIGNATURE,
  isSignedBy,
  keyId,
  type Note,
  parseVkey,
  type SignerKey,
  signatureLine,
  type VerifierKey,
} from './note.ts';

/** Cosignatures of Ed25519 (C2SP tlog-cosignature): a witness says that it has seen a log only grow until a checkpoint, and when. */

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
/** End of the year 9999. */
const LAST_SECOND = 253_402_300_799;

export interface Cosignature<K> {
  readonly key: K;
  /** When the witness signed: seconds since 1970. */
  readonly time: number;
}

/** The key with which the owner of a key cosigns. The id differs, so that its signatures are not taken for those of a log. */
export function cosignerOf({ name, publicKey, privateKey }: SignerKey): SignerKey {
  return { name, id: keyId(name, COSIGNATURE, publicKey), publicKey, privateKey };
}

/** The line to add to a checkpoint. `text`: the signed text of the checkpoint; `time`: seconds since 1970. */
export function cosign(text: string, { name, id, privateKey }: SignerKey, time: number): string {
  const stated = Buffer.alloc(TIME_BYTES);
  stated.writeBigUInt64BE(BigInt(time));
  return signatureLine({ name, id, bytes: Buffer.concat([stated, sign(null, messageOf(text, time), privateKey)]) });
}

/**
 * The cosignatures of keys among `trusted`. Those of other keys are ignored. Throws `BadNote` when one that claims to be of a trusted key
 * is false, or two are of the same key.
 */
export function verifiedCosignatures<K extends VerifierKey>(
  { text, signatures }: Note,
  trusted: readonly K[],
): Cosignature<K>[] {
  const found: Cosignature<K>[] = [];
  for (const { name, id, bytes } of signatures) {
    const key = trusted.find((one) => one.name === name && one.id === id);
    if (key === undefined) continue;
    if (found.some((one) => one.key === key)) throw new BadNote(`the checkpoint is cosigned twice by ${name}`);
    const time = timeIn(bytes);
    if (time === null || !isSignedBy(key, messageOf(text, time), bytes.subarray(TIME_BYTES))) {
      throw new BadNote(`the cosignature of ${name} is false`);
    }
    found.push({ key, time });
  }
  return found;
}

function messageOf(text: string, time: number): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
}

/** Null if it is no time, or no signature follows. */
function timeIn(bytes: Uint8Array): number | null {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const time = Number(Buffer.from(bytes).readBigUInt64BE(0));
  return time <= LAST_SECOND ? time : null;
}

/** Whether a note has a signature that says to be of this key (`vkey`). It was verified when it was added. */
export function hasSigned(vkey: string | null, { signatures }: Note): boolean {
  if (vkey === null) return false;
  const key = parseVkey(vkey);
  return signatures.some(({ name, id }) => name === key.name && id === key.id);
}
