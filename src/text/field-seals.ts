import { hash } from 'node:crypto';

/**
 * Seals of the single fields of an event, so that one can be shown without the others: the digest of each is over a salt of its own. A
 * member of the open data commits to all of them; the salts follow from a seed among the sealed fields, which is erased together with them.
 * `docs/proofs.md` describes the same for those who check proofs.
 */

/** Member of the open data: the digest over names and digests of all sealed fields. */
export const SEALS = '$seals';
/** Sealed member: 32 hex digits. */
export const SEED = '$seed';

export interface FieldText {
  readonly name: string;
  /** JSON of its value. */
  readonly text: string;
}

export interface FieldSeal extends FieldText {
  /** 32 hex digits. */
  readonly salt: string;
  readonly digest: string;
}

/** `digestOf`: SHA-256 of a text, in hex. */
export function sealFields(seed: string, fields: readonly FieldText[]): FieldSeal[] {
  // All salts in one go: most of the time of a short seal is for the calls.
  const outputLength = SALT_BYTES * fields.length;
  const salts = fields.length === 0 ? '' : hash('shake256', seed, { outputLength, outputEncoding: 'hex' });
  return fields.map(({ name, text }, i) => {
    const salt = salts.slice(2 * SALT_BYTES * i, 2 * SALT_BYTES * (i + 1));
    return { name, text, salt, digest: textDigest(salt + (text === '""' ? EMPTY : textDigest(text))) };
  });
}

const SALT_BYTES = 16;

export function sealOfFields(seals: readonly FieldSeal[]): string {
  return textDigest(JSON.stringify(seals.map(({ name, digest }) => [name, digest])));
}

/** The seals of a stored sealed text; null if its fields have none. */
export function storedSeals(sealed: string): FieldSeal[] | null {
  const { [SEED]: seed, ...members } = JSON.parse(sealed) as Record<string, unknown>;
  if (typeof seed !== 'string') return null;
  const texts = Object.entries(members).map(([name, value]) => ({ name, text: JSON.stringify(value) }));
  return sealFields(seed, texts);
}

export function textDigest(text: string): string {
  return hash('sha256', text);
}

/** Most texts that are sealed apart are empty. */
const EMPTY = textDigest('""');
