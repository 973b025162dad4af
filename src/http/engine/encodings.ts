import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** Content encodings, the one with the smallest output first. */
export const encodings = ['br', 'zstd', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

const makers = { br: promisify(brotliCompress), zstd: promisify(zstdCompress), gzip: promisify(gzip) };
/** The lowest quality at which Brotli is smaller than the others; higher ones take ten times as long for 1 %. */
const QUALITY = 5;

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
