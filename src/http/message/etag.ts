import { createHash, type Hash, hash } from 'node:crypto';

/**
 * The end of the tag of a compressed representation, which needs a tag of its own: ours, and those of proxies that compress (Apache,
 * lighttpd and others add `-gzip`, `--gzip` or `;gzip`). Where a digest ends like that, it does on both sides.
 */
const COMPRESSED = /(?:(?:~|--?|;)(?:br|zstd|gzip|deflate)1?)+$/;
const TAG = /^\s*(?:W\/)?"([^"]*)"\s*$/;

/** A strong entity tag: the version of the shown item, if there is one, and a digest of the body, as that of a ready answer. */
export function entityTag(body: Buffer, version: string | undefined): string {
  if (version === undefined) return tagOf(hash('sha1', body, 'base64url'), version);
  return tagOf(hash('sha1', body, 'hex').slice(0, 12), version);
}

/** For answers without a version: what a list says in its headers can change while its body stays the same. */
export function headersTag(headers: Readonly<Record<string, string>>): string | undefined {
  const texts = Object.entries(headers).flat();
  return texts.length === 0 ? undefined : hash('sha1', texts.join('\n'), 'hex').slice(0, 12);
}

/** For digesting a body in parts. */
export function tagDigest(): Hash {
  return createHash('sha1');
}

export function tagOf(digest: string, version: string | undefined): string {
  return version === undefined ? `"${digest}"` : `"${version}.${digest}"`;
}

export type Encoding = 'br' | 'zstd' | 'gzip';

/** `isFast`: it was compressed fast, into other bytes than well. */
export function compressedTag(tag: string, encoding: Encoding, isFast: boolean): string {
  return `${tag.slice(0, -1)}~${encoding}${isFast ? '1' : ''}"`;
}

/**
 * The tag by which an `If-None-Match` header names a representation with this tag, in any of its encodings, as the client spells it; null if it
 * does not. A 304 has it: the client holds what has this tag.
 */
export function namedTag(header: string, tag: string): string | null {
  if (header === tag || header === '*') return tag;
  const wanted = plainTag(tag);
  const named = header.split(',').map((one) => one.trim());
  if (named.includes(tag) || named.includes('*')) return tag;
  return named.find((one) => plainTag(one) === wanted) ?? null;
}

/** An entity tag for `If-Match` that names a version, whatever the representation. */
export function versionTag(version: string): string {
  return `"${version}.0"`;
}

/** The version part of an entity tag; null if it is not a tag. Weak tags count: proxies that compress a body weaken its tag. */
export function versionIn(tag: string): string | null {
  const plain = plainTag(tag);
  if (plain === null) return null;
  const dot = plain.lastIndexOf('.');
  return dot === -1 ? plain : plain.slice(0, dot);
}

function plainTag(tag: string): string | null {
  const plain = TAG.exec(tag)?.[1];
  return plain === undefined ? null : plain.replace(COMPRESSED, '');
}
