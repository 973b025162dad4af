import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LogUnavailable } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote } from '#tlog/note.ts';
import { sameDigest } from '#tlog/tree.ts';
import {
  appendLine,
  type CheckedContent,
  FileDamaged,
  lastLine,
  lineFault,
  parsedAs,
  placeFault,
  readLines,
} from '../checked-file.ts';
import { asideOf } from '../rebuildable-file.ts';
import { CHECKPOINT_KEYS, type CheckpointKeys } from './checkpoint-keys.ts';
import { holds, type KeptNote, keptNote } from './kept-note.ts';
import type { LogTree } from './log-tree.ts';

/** File of the data directory. */
export const CHECKPOINTS = 'checkpoints.jsonl';
/** Folder of the data directory with the answers of a time-stamping authority. */
export const TIMESTAMPS = 'timestamps';
/** The end of the name of a file with a single checkpoint. */
export const CHECKPOINT_FILE = '.checkpoint';

/** A checkpoint, and when it was made (UTC, ISO 8601). */
export type KeptCheckpoint = KeptNote;

const kept = keptNote.refine(
  ({ note }) => holds((text) => parseCheckpoint(parseNote(text).text))(note),
  'it is no checkpoint',
);

const remedy =
  'Nothing is signed. Put it back from a copy; without one, move the damaged lines at its end to another file: what is signed next then continues the line before.';

/** Events that a tree may lack when it is compared with what was signed: more are added in the background. */
const atOnce = 2000;

/** The log is not the one that a checkpoint was made of. */
export class HistoryDiffers extends Error {
  override readonly name = 'HistoryDiffers';
}

export interface CheckpointsOptions {
  readonly dataDir: string;
  readonly tree: LogTree;
  readonly log: { head(): { readonly position: number } };
  readonly keys: Pick<CheckpointKeys, 'sign' | 'judge' | 'signer'>;
  readonly reporter: Pick<Reporter, 'warning'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The signed checkpoints of a log, which say what it was at some time. They do not follow from it, and are never changed. */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #path: string;
  #kept: CheckedContent<KeptCheckpoint | null>;
  /** Whether the signature of the latest one is known to hold. */
  #isVerified = false;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#path = join(options.dataDir, CHECKPOINTS);
    this.#kept = lastLine(this.#path, kept);
  }

  /** The last one that is as it was written. */
  get latest(): KeptCheckpoint | null {
    return this.#kept.content;
  }

  /** Number of events that the latest one covers. */
  get size(): number {
    return this.latest === null ? 0 : signedIn(this.latest).size;
  }

  /**
   * Signs the log as it is, unless the latest checkpoint did. Throws `HistoryDiffers` when the log does not continue that one, and
   * `FileDamaged` when it is not known which one it is.
   */
  make(): void {
    const { log, tree, clock, keys } = this.#options;
    const { position: size } = log.head();
    // A new key continues nothing.
    void keys.signer;
    this.check();
    if (size === this.size) return;
    const note = keys.sign({ size, root: tree.rootOf(size) });
    this.#keep({ at: new Date(clock()).toISOString(), note });
  }

  /** Adds the signatures of witnesses to a checkpoint, if it is still the latest. */
  addSignatures(checkpoint: KeptCheckpoint, lines: string): void {
    // A line behind a damaged one would hide it.
    if (this.latest === checkpoint && this.#kept.fault === null)
      this.#keep({ ...checkpoint, note: checkpoint.note + lines });
  }

  /** Throws like `make`. */
  check(): void {
    const { log, tree } = this.#options;
    this.#judge();
    const { latest } = this;
    if (latest === null || !this.#isVerified) return;
    const { size, root } = signedIn(latest);
    const isSame = () => sameDigest(tree.rootOf(size), root);
    if (size <= log.head().position) {
      if (isSame()) return;
      // The file of the tree is no evidence.
      if (tree.beginAnew('its root is not the one that was signed')) {
        if (tree.missing > atOnce) throw new LogUnavailable('the tree over the log is being made again');
        if (isSame()) return;
      }
    }
    throw new HistoryDiffers(`the log is not the one whose first ${size} events were signed at ${latest.at}`);
  }

  /** Finds out whether the latest checkpoint is one that this site has signed. With another key, its checkpoints begin anew. */
  #judge(): void {
    if (this.#kept.fault !== null) this.#kept = lastLine(this.#path, kept);
    const { content, fault } = this.#kept;
    if (fault !== null) throw this.#damaged(fault);
    if (content === null || this.#isVerified) return;
    const judged = this.#options.keys.judge(content.note);
    if (judged === 'false') {
      this.#kept = { content: null, fault: 'the signature of its last line is false' };
      throw this.#damaged('the signature of its last line is false');
    }
    if (judged === 'of another key') this.#beginAnew();
    this.#isVerified = judged !== 'unknown';
  }

  /** What somebody else's key has signed, or one that is lost, cannot be continued. */
  #beginAnew(): void {
    const { dataDir, reporter } = this.#options;
    const names = [CHECKPOINTS, CHECKPOINT_KEYS, TIMESTAMPS].filter((name) => existsSync(join(dataDir, name)));
    for (const name of names) renameSync(join(dataDir, name), asideOf(join(dataDir, name), 'earlier'));
    this.#kept = { content: null, fault: null };
    reporter.warning(
      `the checkpoints up to now were signed with another key than the present one: what is signed from now on begins anew. Keep ${names.join(', ')} in ${dataDir}, whose names end in .earlier and the time now`,
    );
  }

  #damaged(fault: string): FileDamaged {
    return new FileDamaged(this.#path, { fault, remedy });
  }

  #keep(checkpoint: KeptCheckpoint): void {
    appendLine(this.#path, checkpoint);
    this.#kept = { content: checkpoint, fault: null };
    this.#isVerified = true;
  }
}

/** What is wrong with the latest checkpoint of a data directory; null: nothing. */
export function checkpointsFault({ dataDir }: { readonly dataDir: string }): FileDamaged | null {
  const path = join(dataDir, CHECKPOINTS);
  const { fault } = lastLine(path, kept);
  return fault === null ? null : new FileDamaged(path, { fault, remedy });
}

/** What is wrong with the folder of timestamps; null: nothing. */
export function stampsFault({ dataDir }: { readonly dataDir: string }): FileDamaged | null {
  const path = join(dataDir, TIMESTAMPS);
  const fault = placeFault(path, true);
  return fault === null ? null : new FileDamaged(path, { fault, remedy: 'No timestamps are kept. Move it away.' });
}

/** The latest intact checkpoint of a data directory; null: there is none. */
export function latestCheckpoint(dataDir: string): KeptCheckpoint | null {
  return lastLine(join(dataDir, CHECKPOINTS), kept).content;
}

function signedIn({ note }: KeptCheckpoint): ReturnType<typeof parseCheckpoint> {
  return parseCheckpoint(parseNote(note).text);
}

/**
 * Reads the intact checkpoints: those of a data directory, in the order in which they were made, a file with a single one, or a folder of
 * such files, as `CHECKPOINT_TO` makes them. One that witnesses have signed follows itself. The time of a single file is that of its last
 * change.
 */
export function readCheckpoints(path: string, onFault: (fault: string) => void = () => undefined): KeptCheckpoint[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    const names = readdirSync(path).filter((name) => name.endsWith(CHECKPOINT_FILE));
    return names.sort().flatMap((name) => readCheckpoints(join(path, name), onFault));
  }
  if (found === undefined || path.endsWith('.jsonl')) return readLines(path, kept, onFault);
  const text = readFileSync(path, 'utf8');
  if (text.startsWith('{')) return readLines(path, kept, onFault);
  try {
    return [parsedAs(JSON.stringify({ at: found.mtime.toISOString(), note: text }), kept)];
  } catch (error) {
    onFault(lineFault(1, error));
    return [];
  }
}
