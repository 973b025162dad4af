import { createHash, type Hash, hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type Encoding = (typeof encodings)[number];

/** The end of the tag of a compressed representation, which needs a tag of its own. No digest ends like that. */
const COMPRESSED = /~(?:br|zstd|gzip)$/;
const TAG = /^\s*(?:W\/)?"([^"]*)"\s*$/;

/** Content encodings, the one with the smallest output first. */
const encodings = ['br', 'zstd', 'gzip'] as const;

const makers = { br: promisify(brotliCompress), zstd: promisify(zstdCompress), gzip: promisify(gzip) };
/** The lowest quality at which Brotli is smaller than the others; higher ones take ten times as long for 1 %. */
const QUALITY = 5;

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

export async function compressAnswer(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding !== 'br') return makers[encoding](body);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return makers.br(body, { params: { [BROTLI_PARAM_QUALITY]: QUALITY, [BROTLI_PARAM_SIZE_HINT]: body.length } });
}

const none: readonly Encoding[] = [];
const known = new LRUCache<string, readonly Encoding[]>({ max: 100 });

/** The encodings that an `Accept-Encoding` header accepts, the most preferred first. */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined || header === '' || header === 'identity') return none;
  const found = known.get(header) ?? parsed(header);
  if (header.length <= 200) known.set(header, found);
  return found;
}

function parsed(header: string): readonly Encoding[] {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  return encodings.filter((one) => weightOf(one) > 0).sort((a, b) => weightOf(b) - weightOf(a));
}
