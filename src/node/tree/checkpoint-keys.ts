import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { syncFolderNow } from '#eventstore/head-file.ts';
import { checkpointText, type LogCheckpoint } from '#transparency/checkpoint.ts';
import {
  encodeMlDsaSigner,
  ML_DSA_44,
  newMlDsaSigner,
  parseMlDsaSigner,
  type SeededSigner,
  signWithMlDsa,
} from '#transparency/ml-dsa.ts';
import {
  encodeSigner,
  encodeVerifier,
  newSigner,
  parseSigner,
  type SignerKey,
  signNote,
  type VerifierKey,
} from '#transparency/note.ts';
import { keysUpTo, successionText } from '#transparency/succession.ts';
import { appendNote, readNotes } from './note-lines.ts';

/** Files of the data directory. */
export const CHECKPOINT_KEY = 'checkpoint.key';
export const CHECKPOINT_KEYS = 'checkpoint-keys.jsonl';

interface Keys {
  readonly ed25519: SignerKey;
  /** Null: the file has none. */
  readonly mlDsa: SeededSigner | null;
}

export interface CheckpointKeysOptions {
  readonly dataDir: string;
  /** File with a key that somebody else keeps; null: the site makes its own. */
  readonly given: string | null;
  /** Name of a key that is made. */
  readonly name: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The keys that sign checkpoints, one after the other: each names the next. */
export class CheckpointKeys {
  readonly #options: CheckpointKeysOptions;
  readonly #path: string;
  #keys: Keys | null = null;

  constructor(options: CheckpointKeysOptions) {
    this.#options = options;
    this.#path = options.given ?? join(options.dataDir, CHECKPOINT_KEY);
  }

  /** Whether it has been made, or was given. */
  get isThere(): boolean {
    return existsSync(this.#path);
  }

  /** The present key. The first call makes it. */
  get signer(): SignerKey {
    return this.#opened().ed25519;
  }

  /** The public keys as text: the present one, and that of its second signatures. */
  get verifiers(): readonly string[] {
    return verifiersOf(this.#opened());
  }

  sign(checkpoint: Omit<LogCheckpoint, 'origin'>): string {
    const { ed25519, mlDsa } = this.#opened();
    const log = { ...checkpoint, origin: ed25519.name };
    const second = mlDsa === null ? '' : signWithMlDsa(log, mlDsa, Math.floor(this.#options.clock() / 1000));
    return signNote(checkpointText(log), [ed25519]) + second;
  }

  /** Replaces the keys. Returns the note in which the old key names the new one; a key that was given is replaced by whoever keeps it. */
  replace(): string | Refusal {
    if (this.#options.given !== null)
      return refuse('key_given', 'CHECKPOINT_KEY names the file of the key: replace it there');
    const { ed25519: old } = this.#opened();
    const keys = { ed25519: newSigner(old.name), mlDsa: newMlDsaSigner(old.name) };
    const note = signNote(successionText(old, verifiersOf(keys)), [old]);
    appendNote(join(this.#options.dataDir, CHECKPOINT_KEYS), {
      at: new Date(this.#options.clock()).toISOString(),
      note,
    });
    this.#save(keys);
    return note;
  }

  #opened(): Keys {
    this.#keys ??= this.isThere || this.#options.given !== null ? keysIn(this.#path) : this.#make();
    return this.#keys;
  }

  #make(): Keys {
    const name = this.#options.name();
    return this.#save({ ed25519: newSigner(name), mlDsa: newMlDsaSigner(name) });
  }

  /** A power failure leaves the whole file or the one before. */
  #save(keys: Keys): Keys {
    const { ed25519, mlDsa } = keys;
    const lines = [encodeSigner(ed25519), ...(mlDsa === null ? [] : [encodeMlDsaSigner(mlDsa)])];
    writeFileSync(`${this.#path}.new`, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
    renameSync(`${this.#path}.new`, this.#path);
    syncFolderNow(dirname(this.#path));
    this.#keys = keys;
    return keys;
  }
}

/** The notes in which keys name their successors, the oldest first. */
export function successionsIn(dataDir: string): readonly string[] {
  return readNotes(join(dataDir, CHECKPOINT_KEYS)).map(({ note }) => note);
}

/** The public keys of a site, the present one last, of which each has named the next; null: it has none. */
export function publicKeysIn(dataDir: string, given: string | null): readonly VerifierKey[] | null {
  const path = given ?? join(dataDir, CHECKPOINT_KEY);
  return existsSync(path) ? keysUpTo(keysIn(path).ed25519, successionsIn(dataDir)) : null;
}

/** The present public keys of a site as text; null: it has none. */
export function verifiersIn(dataDir: string, given: string | null): readonly string[] | null {
  const path = given ?? join(dataDir, CHECKPOINT_KEY);
  return existsSync(path) ? verifiersOf(keysIn(path)) : null;
}

function keysIn(path: string): Keys {
  const [first = '', second] = readFileSync(path, 'utf8').trim().split('\n');
  return { ed25519: parseSigner(first), mlDsa: second === undefined ? null : parseMlDsaSigner(second) };
}

function verifiersOf({ ed25519, mlDsa }: Keys): readonly string[] {
  return [encodeVerifier(ed25519), ...(mlDsa === null ? [] : [encodeVerifier(mlDsa, ML_DSA_44)])];
}
