import { createHash, hash } from 'node:crypto';
import type { Head, StoredEvent } from './port.ts';
import { draw } from './random.ts';

/** An event without its sealed text, which the chain covers by its digest only. */
export type ChainLink = Omit<StoredEvent, 'sealed' | 'seal'>;

export const EMPTY_HEAD: Head = { position: 0, hash: '0'.repeat(64), at: null };

/**
 * Chain hash (SHA-256, hex) of a commit on top of the previous one. It covers all that the log says of the commit, as the JSON text of a
 * fixed array: the stored texts are the canonical form, nothing is parsed. Sealed text is included by its digest, so that the chain
 * remains valid when the text has been erased.
 */
export function commitHash(previous: string, events: readonly ChainLink[]): string {
  const [first] = events;
  if (first === undefined) throw new TypeError('A commit without events has no hash');
  const rows = events.map((e) => [e.position, e.stream, e.revision, e.type, e.v, e.id, e.data, e.sealedDigest]);
  const canonical = [previous, first.commit.id, first.at, first.actor, first.correlationId, first.causationId, rows];
  return hash('sha256', JSON.stringify(canonical));
}

/** Digest of a sealed text: SHA-256 (hex) over the salt, as its 32 hex digits, followed by the text in UTF-8. */
export function sealedDigest(salt: string, sealed: string): string {
  const text = salt + sealed;
  // Hashing long texts as bytes takes half the time.
  return hash('sha256', text.length > LONG ? Buffer.from(text) : text);
}

/** In characters. */
const LONG = 65_536;

export function digestInParts(salt: string): { add(part: string): void; end(): string } {
  const digest = createHash('sha256').update(salt);
  return {
    add: (part) => void digest.update(part, 'utf8'),
    end: () => digest.digest('hex'),
  };
}

/** `sealedDigest` of salt and text already concatenated as bytes. */
export function digestOf(salted: Uint8Array): string {
  return hash('sha256', salted);
}

/**
 * 16 random bytes in hex. Without them the text of a digest could be guessed if it is short or known; so the salt is erased together with
 * the text.
 */
export function newSalt(): string {
  return draw(SALT_BYTES).toString('hex');
}

const SALT_BYTES = 16;

/** UUID (version 8) of the i-th event of a commit: the same commit always has the same event ids. */
export function eventId(commitId: string, i: number): string {
  const hex = hash('sha256', `${commitId}/${i}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
