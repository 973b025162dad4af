import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type InputType,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { compressedTag, type Encoding } from './etag.ts';
import { isCompressible } from './headers.ts';
import { type Reply, valueIn } from './reply.ts';

/** Encodings that a client takes, those it prefers first. */
interface Accepted {
  /** Of those that it likes equally well, the one with the smallest output first; and the fastest one first. */
  readonly smallest: readonly Encoding[];
  readonly fastest: readonly Encoding[];
}

/** In bytes. Longer bodies are compressed by the thread pool; the way there and back takes longer than to compress a short one. */
const SHORT = 32 * 1024;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = constants;
const inPool = { br: promisify(brotliCompress), zstd: promisify(zstdCompress), gzip: promisify(gzip) };
const atOnce = {
  br: (body: InputType) => brotliCompressSync(body, fast.br),
  zstd: (body: InputType) => zstdCompressSync(body, fast.zstd),
  gzip: (body: InputType) => gzipSync(body, fast.gzip),
};
const fast = {
  br: { params: { [BROTLI_PARAM_QUALITY]: 1 } },
  zstd: { params: { [ZSTD_c_compressionLevel]: 1 } },
  gzip: { level: 1 },
};
/** The lowest quality at which Brotli is smaller than the others; higher ones take ten times as long for 1 %. */
const QUALITY = 5;

/** Compresses a body that is sent many times. */
export async function compressWell(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding !== 'br') return inPool[encoding](body);
  return inPool.br(body, { params: { [BROTLI_PARAM_QUALITY]: QUALITY, [BROTLI_PARAM_SIZE_HINT]: body.length } });
}

/** The reply as a client takes it, compressed fast, since it may be sent only once. `accepted`: its `Accept-Encoding`. */
export function encodedFor(accepted: string | undefined, reply: Reply): Reply | Promise<Reply> {
  const [encoding] = acceptedEncodings(accepted).fastest;
  if (encoding === undefined || !isEncodable(reply)) return reply;
  const { body, release } = reply;
  const made = (bytes: Buffer) => {
    release?.();
    return compressedReply({ ...reply, release: undefined }, bytes, encoding, true);
  };
  if (body.length <= SHORT) return made(atOnce[encoding](body));
  return inPool[encoding](body, fast[encoding]).then(made);
}

function isEncodable({ status, head, body, pieces }: Reply): boolean {
  if (status === 304 || pieces !== undefined || valueIn(head, 'Content-Encoding') !== undefined) return false;
  return isCompressible(valueIn(head, 'Content-Type'), body.length);
}

export function compressedReply(reply: Reply, body: Buffer, encoding: Encoding, isFast = false): Reply {
  const { head, tag } = reply;
  const ownTag = tag === null ? null : compressedTag(tag, encoding, isFast);
  const own: Readonly<Record<string, string | null>> = { ETag: ownTag, 'Content-Length': String(body.length) };
  const changed = head.map((value, index) => (index % 2 === 1 ? (own[head[index - 1] ?? ''] ?? value) : value));
  return { ...reply, head: [...changed, 'Content-Encoding', encoding], body, tag: ownTag };
}

const none: Accepted = { smallest: [], fastest: [] };
const known = new LRUCache<string, Accepted>({ max: 100 });

/** The encodings that an `Accept-Encoding` header accepts and likes at least as well as an unencoded body. */
export function acceptedEncodings(header: string | undefined): Accepted {
  if (header === undefined || header === '' || header === 'identity') return none;
  const found = known.get(header) ?? parsed(header);
  if (header.length <= 200) known.set(header, found);
  return found;
}

function parsed(header: string): Accepted {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const least = weights.get('identity') ?? 0;
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = (all: readonly Encoding[]) =>
    all.filter((one) => weightOf(one) > 0 && weightOf(one) >= least).sort((a, b) => weightOf(b) - weightOf(a));
  return { smallest: best(['br', 'zstd', 'gzip']), fastest: best(['zstd', 'br', 'gzip']) };
}
