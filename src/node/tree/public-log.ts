import { leafOf } from '#eventstore/leaf.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { type PublicLog, TILE_HEIGHT, TILE_WIDTH } from '#transparency/tiles.ts';
import { type CheckpointKeys, successionsIn } from './checkpoint-keys.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { LogTree } from './log-tree.ts';
import type { Witnesses } from './witnesses.ts';

interface PublicLogParts {
  readonly log: Pick<EventStore, 'read'>;
  readonly tree: LogTree;
  readonly checkpoints: Pick<Checkpoints, 'latest'>;
  readonly keys: CheckpointKeys;
  readonly witnesses: Witnesses;
  readonly dataDir: string;
}

const HASH_SIZE = 32;

/** What everybody may ask about the log, and what other logs may ask. */
export function publicLogOf({ log, tree, checkpoints, keys, witnesses, dataDir }: PublicLogParts): PublicLog {
  const entries = (index: number, width: number) => {
    const from = index * TILE_WIDTH + 1;
    const bundled = Array.from(log.read({ from, limit: width, sealed: 'none' }), (event) => {
      const entry = leafOf(event);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return Buffer.concat([length, entry]);
    });
    return bundled.length === width ? Buffer.concat(bundled) : null;
  };
  const hashes = (level: number, index: number, width: number) => {
    const tile = tree.tree.tile(level * TILE_HEIGHT, index);
    return tile.length < width * HASH_SIZE ? null : tile.subarray(0, width * HASH_SIZE);
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
    cosign: (body) => read(() => witnesses.cosign(body)),
    tile: ({ level, index, width }) =>
      read(() => (level === 'entries' ? entries(index, width) : hashes(level, index, width))),
  };
}
