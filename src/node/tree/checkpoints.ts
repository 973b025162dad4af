import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { leafOf } from '#eventstore/leaf.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { checkpointText, parseCheckpoint } from '#transparency/checkpoint.ts';
import {
  encodeSigner,
  encodeVerifier,
  newSigner,
  parseNote,
  parseSigner,
  type SignerKey,
  signNote,
} from '#transparency/note.ts';
import { type PublicLog, TILE_HEIGHT, TILE_WIDTH } from '#transparency/tiles.ts';
import { sameDigest } from '#transparency/tree.ts';
import type { LogTree } from './log-tree.ts';

/** Files of the data directory. */
export const CHECKPOINTS = 'checkpoints.jsonl';
export const CHECKPOINT_KEY = 'checkpoint.key';

const line = z.object({ at: z.iso.datetime(), note: z.string() });

/** A checkpoint, and when it was made (UTC, ISO 8601). */
export type KeptCheckpoint = z.infer<typeof line>;

/** The log is not the one that a checkpoint was made of. */
export class HistoryDiffers extends Error {
  override readonly name = 'HistoryDiffers';
}

export interface CheckpointsOptions {
  readonly dataDir: string;
  readonly tree: LogTree;
  readonly log: { head(): { readonly position: number } };
  /** Address of the site: without its scheme, the name of the key and the origin of the checkpoints from the first on. */
  readonly siteUrl: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The signed checkpoints of a log, which say what it was at some time. They do not follow from it, and are never changed. */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #path: string;
  #key: SignerKey | null = null;
  #latest: KeptCheckpoint | null;

  /** Throws when the latest checkpoint cannot be read. */
  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, CHECKPOINTS);
    this.#latest = lastOf(linesIn(this.#path));
  }

  get latest(): KeptCheckpoint | null {
    return this.#latest;
  }

  /** The public key of the checkpoints, as text. */
  get verifier(): string {
    return encodeVerifier(this.#signer());
  }

  /** Signs the log as it is, unless the latest checkpoint did. Throws `HistoryDiffers` when the log does not continue that one. */
  make(): void {
    const { log, tree, clock } = this.#options;
    const { position: size } = log.head();
    this.check();
    if (size === this.#size()) return;
    const key = this.#signer();
    const text = checkpointText({ origin: key.name, size, root: tree.rootOf(size) });
    const kept = { at: new Date(clock()).toISOString(), note: signNote(text, [key]) };
    appendDurably(this.#path, `${JSON.stringify(kept)}\n`);
    this.#latest = kept;
  }

  /** Throws `HistoryDiffers` when the log does not continue the latest checkpoint. */
  check(): void {
    const { log, tree } = this.#options;
    if (this.#latest === null) return;
    const { size, root } = parseCheckpoint(parseNote(this.#latest.note).text);
    if (size <= log.head().position && sameDigest(tree.rootOf(size), root)) return;
    throw new HistoryDiffers(`the log is not the one whose first ${size} events were signed at ${this.#latest.at}`);
  }

  #size(): number {
    return this.#latest === null ? 0 : parseCheckpoint(parseNote(this.#latest.note).text).size;
  }

  #signer(): SignerKey {
    this.#key ??= openKey(join(this.#options.dataDir, CHECKPOINT_KEY), nameOf(this.#options.siteUrl()));
    return this.#key;
  }
}

interface PublicLogParts {
  readonly log: Pick<EventStore, 'read'>;
  readonly tree: LogTree;
  readonly checkpoints: Checkpoints;
}

const HASH_SIZE = 32;

export function publicLogOf({ log, tree, checkpoints }: PublicLogParts): PublicLog {
  const entries = (index: number, width: number) => {
    const from = index * TILE_WIDTH + 1;
    const bundled = Array.from(log.read({ from, limit: width, brief: true }), (event) => {
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
  return {
    checkpoint: () => checkpoints.latest?.note ?? null,
    verifier: () => (checkpoints.latest === null ? null : read(() => `${checkpoints.verifier}\n`)),
    tile: ({ level, index, width }) =>
      read(() => (level === 'entries' ? entries(index, width) : hashes(level, index, width))),
  };
}

/** Reads checkpoints in the order in which they were made. A last line that a power failure cut is ignored. */
export function readCheckpoints(path: string): KeptCheckpoint[] {
  return linesIn(path).map((text) => line.parse(JSON.parse(text)));
}

function linesIn(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

function lastOf(lines: readonly string[]): KeptCheckpoint | null {
  const last = lines.at(-1);
  return last === undefined ? null : line.parse(JSON.parse(last));
}

function openKey(path: string, name: string): SignerKey {
  if (existsSync(path)) return parseSigner(readFileSync(path, 'utf8'));
  const made = newSigner(name);
  // A power failure leaves the whole key or none.
  writeFileSync(`${path}.new`, `${encodeSigner(made)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return made;
}

function nameOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/+$/, '');
}

/** Appends a line, in place of one that a power failure cut. */
function appendDurably(path: string, text: string): void {
  const whole = linesIn(path).reduce((bytes, one) => bytes + Buffer.byteLength(one) + 1, 0);
  const file = openSync(path, 'a', 0o600);
  try {
    ftruncateSync(file, whole);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
