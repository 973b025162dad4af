import { LogUnavailable } from '#eventstore/port.ts';
import { TILE_HEIGHT, TILE_WIDTH, type TilePlace } from '#tlog/tiles.ts';
import { type CheckpointKeys, successionsIn } from './checkpoint-keys.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { LogTree } from './log-tree.ts';
import { countAt, ENTRIES, HASH_BYTES } from './tree-rows.ts';
import type { Witnesses } from './witnesses.ts';

interface PublicLogParts {
  readonly tree: Pick<LogTree, 'tile'>;
  readonly checkpoints: Pick<Checkpoints, 'latest' | 'size'>;
  readonly keys: CheckpointKeys;
  readonly witnesses: Witnesses;
  readonly dataDir: string;
}

/** What everybody may ask about the log, and what other logs may ask. */
export function publicLogOf({ tree, checkpoints, keys, witnesses, dataDir }: PublicLogParts) {
  const tile = ({ level, index, width }: TilePlace) => {
    const row = level === 'entries' ? ENTRIES : level * TILE_HEIGHT;
    // What nobody can check yet would tell how often the site is changed.
    if (index * TILE_WIDTH + width > countAt(row, checkpoints.size)) return null;
    const hashes = tree.tile(row, index).subarray(0, width * HASH_BYTES);
    if (hashes.length < width * HASH_BYTES) throw new Error('the tree over the log is being made again');
    return level === 'entries' ? bundleOf(hashes) : hashes;
  };
  const read = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new LogUnavailable('the transparency log cannot be read', { cause: error });
    }
  };
  const ofKey = (text: () => string) => (keys.isThere ? read(text) : null);
  return {
    checkpoint: () => checkpoints.latest?.note ?? null,
    verifier: () => ofKey(() => `${keys.verifiers[0]}\n`),
    witness: () => ofKey(() => `${witnesses.verifier}\n`),
    keys: () => ofKey(() => JSON.stringify({ keys: keys.verifiers, successions: successionsIn(dataDir) })),
    cosign: (body: string) => read(() => witnesses.cosign(body)),
    tile: (place: TilePlace) => read(() => tile(place)),
  };
}

/** A bundle of entries (C2SP tlog-tiles): each with its length before it. */
function bundleOf(entries: Uint8Array): Uint8Array {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(HASH_BYTES);
  const pieces = Array.from({ length: entries.length / HASH_BYTES }, (_, i) => [
    length,
    entries.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  ]);
  return Buffer.concat(pieces.flat());
}
