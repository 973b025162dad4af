import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface Compressed {
  readonly bytes: Buffer;
  /** False: the bytes are the text itself. */
  readonly isCompressed: boolean;
}

/** Shorter texts, in bytes, are stored as they are: an append has room for them. */
const least = 4096;
/** Texts that fit into the usual append of 1 MB only if more time is taken for them, in bytes. */
const hard = { from: 2 * 2 ** 20, to: 4 * 2 ** 20 };
const levels = { usual: 3, hard: 9 } as const;
/** No text of a commit is larger, in bytes. */
const most = 2 ** 28;

/** Most bytes of compressed texts that are kept. */
const room = 16 * 2 ** 20;
/** Long texts are compressed once: when a commit is measured, and not again when it is appended. */
const kept = new Map<string, Compressed>();
let keptBytes = 0;

/** The UTF-8 of a text, by Zstandard where that makes it smaller. */
export function compress(text: string): Compressed {
  if (text.length * 3 < least) return asItIs(Buffer.from(text));
  const known = kept.get(text);
  if (known !== undefined) return known;
  const bytes = Buffer.from(text);
  if (bytes.length < least) return asItIs(bytes);
  const level = bytes.length >= hard.from && bytes.length < hard.to ? levels.hard : levels.usual;
  const shorter = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  const compressed = shorter.length < bytes.length ? { bytes: shorter, isCompressed: true } : asItIs(bytes);
  keep(text, compressed);
  return compressed;
}

function keep(text: string, compressed: Compressed): void {
  kept.set(text, compressed);
  keptBytes += compressed.bytes.length;
  for (const [oldest, { bytes }] of kept) {
    if (keptBytes <= room) return;
    kept.delete(oldest);
    keptBytes -= bytes.length;
  }
}

/** Throws `RangeError` where the text would be larger than any that is stored. */
export function decompress(bytes: Buffer): Buffer {
  return zstdDecompressSync(bytes, { maxOutputLength: most });
}

const asItIs = (bytes: Buffer): Compressed => ({ bytes, isCompressed: false });
