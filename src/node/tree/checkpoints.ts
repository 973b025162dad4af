import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint } from '#transparency/checkpoint.ts';
import { parseNote } from '#transparency/note.ts';
import { sameDigest } from '#transparency/tree.ts';
import type { CheckpointKeys } from './checkpoint-keys.ts';
import type { LogTree } from './log-tree.ts';
import { appendNote, type KeptNote, lastNote, readNotes } from './note-lines.ts';

/** File of the data directory. */
export const CHECKPOINTS = 'checkpoints.jsonl';
/** The end of the name of a file with a single checkpoint. */
export const CHECKPOINT_FILE = '.checkpoint';

/** A checkpoint, and when it was made (UTC, ISO 8601). */
export type KeptCheckpoint = KeptNote;

/** The log is not the one that a checkpoint was made of. */
export class HistoryDiffers extends Error {
  override readonly name = 'HistoryDiffers';
}

export interface CheckpointsOptions {
  readonly dataDir: string;
  readonly tree: LogTree;
  readonly log: { head(): { readonly position: number } };
  readonly keys: Pick<CheckpointKeys, 'sign'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The signed checkpoints of a log, which say what it was at some time. They do not follow from it, and are never changed. */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #path: string;
  #latest: KeptCheckpoint | null;

  /** Throws when the latest checkpoint cannot be read. */
  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, CHECKPOINTS);
    this.#latest = lastNote(this.#path);
  }

  get latest(): KeptCheckpoint | null {
    return this.#latest;
  }

  /** Signs the log as it is, unless the latest checkpoint did. Throws `HistoryDiffers` when the log does not continue that one. */
  make(): void {
    const { log, tree, clock, keys } = this.#options;
    const { position: size } = log.head();
    this.check();
    if (size === this.#size()) return;
    const note = keys.sign({ size, root: tree.rootOf(size) });
    this.#keep({ at: new Date(clock()).toISOString(), note });
  }

  /** Adds the signatures of witnesses to a checkpoint, if it is still the latest. */
  addSignatures(checkpoint: KeptCheckpoint, lines: string): void {
    if (this.#latest === checkpoint) this.#keep({ ...checkpoint, note: checkpoint.note + lines });
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

  #keep(checkpoint: KeptCheckpoint): void {
    appendNote(this.#path, checkpoint);
    this.#latest = checkpoint;
  }
}

/**
 * Reads checkpoints: those of a data directory, in the order in which they were made, a file with a single one, or a folder of such files, as
 * `CHECKPOINT_TO` makes them. One that witnesses have signed follows itself. The time of a single file is that of its last change.
 */
export function readCheckpoints(path: string): KeptCheckpoint[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    const names = readdirSync(path).filter((name) => name.endsWith(CHECKPOINT_FILE));
    return names.sort().flatMap((name) => readCheckpoints(join(path, name)));
  }
  if (found === undefined || path.endsWith('.jsonl')) return readNotes(path);
  const text = readFileSync(path, 'utf8');
  return text.startsWith('{') ? readNotes(path) : [{ at: found.mtime.toISOString(), note: text }];
}
