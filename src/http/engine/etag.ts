import { createHash, type Hash, hash } from 'node:crypto';
import type { Encoding } from './encodings.ts';

/** The end of the tag of a compressed representation, which needs a tag of its own. No digest ends like that. */
const COMPRESSED = /~(?:br|zstd|gzip)$/;
const TAG = /^\s*(?:W\/)?"([^"]*)"\s*$/;

/** A strong entity tag: the version of the shown item, if there is one, and a digest of the body. */
export function entityTag(body: Buffer, version: string | undefined): string {
  return tagOf(hash('sha1', body, 'base64url'), version);
}

/** For digesting a body in parts. */
export function tagDigest(): Hash {
  return createHash('sha1');
}

export function tagOf(digest: string, version: string | undefined): string {
  return version === undefined ? `"${digest}"` : `"${version}.${digest}"`;
}

export function compressedTag(tag: string, encoding: Encoding): string {
  return `${tag.slice(0, -1)}~${encoding}"`;
}

export function isCompressedTag(tag: string): boolean {
  return COMPRESSED.test(tag.slice(0, -1));
}

/** Whether an `If-None-Match` header matches the tag, compressed or not. */
export function namesTag(header: string, tag: string): boolean {
  if (header === tag || header === '*') return true;
  const wanted = plainTag(tag);
  return header.split(',').some((one) => {
    const named = plainTag(one);
    return named === wanted || one.trim() === '*';
  });
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
