import { BadNote, fromBase64, toBase64 } from './note.ts';
import type { Digest } from './tree.ts';

/** Size and root of a log's tree, which a signed note states (C2SP tlog-checkpoint). */
export interface LogCheckpoint {
  /** Name of the log: an address without its scheme. */
  readonly origin: string;
  readonly size: number;
  readonly root: Digest;
}

/** The text of a checkpoint, without extension lines. */
export function checkpointText({ origin, size, root }: LogCheckpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** Parses the text of a note. Extension lines are refused, because nobody can check what they say. Throws `BadNote`. */
export function parseCheckpoint(text: string): LogCheckpoint {
  const [origin = '', size = '', encoded = '', ...rest] = text.split('\n');
  const root = fromBase64(encoded);
  const isSize = /^(?:0|[1-9]\d{0,15})$/.test(size) && Number.isSafeInteger(Number(size));
  if (origin === '' || !isSize || root?.length !== 32 || rest.length !== 1 || rest[0] !== '') {
    throw new BadNote('a checkpoint has three lines: origin, size and root hash');
  }
  return { origin, size: Number(size), root };
}

/** Proof that an entry is in the tree of a checkpoint (C2SP tlog-proof). */
export interface ProofFile {
  /** Data of the application, which nothing vouches for by itself. */
  readonly extra?: Uint8Array;
  /** From 0. */
  readonly index: number;
  readonly hashes: readonly Digest[];
  /** The signed checkpoint, as it was published. */
  readonly checkpoint: string;
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** A tree of 2^63 leaves has no longer proofs. */
const MAX_HASHES = 63;

export function encodeProof({ extra, index, hashes, checkpoint }: ProofFile): string {
  const lines = [FIRST_LINE, ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]), `index ${index}`];
  return `${[...lines, ...hashes.map(toBase64)].join('\n')}\n\n${checkpoint}`;
}

/** Throws `BadNote`. Whether the proof holds is for `rootByInclusion` and the keys of the checkpoint. */
export function parseProof(text: string): ProofFile {
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  if (first !== FIRST_LINE) throw new BadNote('this is no proof of a transparency log');
  const extra = lines[0]?.startsWith('extra ') ? fromBase64((lines.shift() ?? '').slice('extra '.length)) : undefined;
  const [, index] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '') ?? [];
  const hashes = lines.map(fromBase64);
  const areHashes = hashes.length <= MAX_HASHES && hashes.every((hash) => hash?.length === 32);
  if (extra === null || index === undefined || !Number.isSafeInteger(Number(index)) || !areHashes) {
    throw new BadNote('the proof is malformed');
  }
  return {
    ...(extra === undefined ? {} : { extra }),
    index: Number(index),
    hashes: hashes as Digest[],
    checkpoint: text.slice(end + 2),
  };
}
