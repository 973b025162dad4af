import { constants, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface Compressed {
  readonly bytes: Buffer;
  /** False if the bytes are the text itself. */
  readonly isCompressed: boolean;
}

/** Shorter texts, in bytes, are not compressed: they fit into an append anyway. */
const min = 4096;
/** Texts of this size in bytes fit into the usual append of 1 MB only with a slower compression level. */
const hard = { from: 2 * 2 ** 20, to: 4 * 2 ** 20 };
const levels = { usual: 3, hard: 9 } as const;
/** Maximum size of a text in a commit, in bytes. */
const max = 2 ** 28;

/** Maximum size of the cache of compressed texts, in bytes. */
const room = 16 * 2 ** 20;
/** Compressed texts, so that a long one is compressed when its commit is measured, but not again when appended. */
const kept = new Map<string, Compressed>();
let keptBytes = 0;

/** The text in UTF-8, compressed by Zstandard if that is smaller. */
export function compress(text: string): Compressed {
  if (text.length * 3 < min) return asItIs(Buffer.from(text));
  const known = kept.get(text);
  if (known !== undefined) return known;
  const bytes = Buffer.from(text);
  if (bytes.length < min) return asItIs(bytes);
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

/** Throws `RangeError` when the text would be larger than any stored one. */
export function decompress(bytes: Buffer): Buffer {
  return zstdDecompressSync(bytes, { maxOutputLength: max });
}

/** The same for texts that earlier versions compressed. */
export function inflate(bytes: Buffer): Buffer {
  return inflateRawSync(bytes, { maxOutputLength: max });
}

const asItIs = (bytes: Buffer): Compressed => ({ bytes, isCompressed: false });
