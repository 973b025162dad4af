import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { syncFolderNow } from '#eventstore/head-file.ts';
import { checkpointText, type LogCheckpoint } from '#tlog/checkpoint.ts';
import {
  encodeMlDsaSigner,
  ML_DSA_44,
  newMlDsaSigner,
  parseMlDsaSigner,
  type SeededSigner,
  signWithMlDsa,
  verifiedMlDsa,
} from '#tlog/ml-dsa.ts';
import {
  BadNote,
  encodeSigner,
  encodeVerifier,
  type Note,
  newSigner,
  parseNote,
  parseSigner,
  type SignerKey,
  signNote,
  type VerifierKey,
  verifiedKeys,
} from '#tlog/note.ts';
import { appendLine, FileDamaged, placeFault, readLines } from '../checked-file.ts';
import { holds, keptNote } from './kept-note.ts';
import { keysUpTo, successionIn, successionText } from './succession.ts';

/** Files of the data directory. */
export const CHECKPOINT_KEY = 'checkpoint.key';
export const CHECKPOINT_KEYS = 'checkpoint-keys.jsonl';

interface Keys {
  readonly ed25519: SignerKey;
  /** Null: the file has none. */
  readonly mlDsa: SeededSigner | null;
  /** Whether a checksum shows that the file is whole. */
  readonly isSummed: boolean;
}

/** Whose signature a checkpoint has. `false`: one of the site's keys is named, and has not signed it. `unknown`: the site has no key yet. */
export type KeyJudgement = 'own' | 'of another key' | 'false' | 'unknown';

const succession = keptNote.refine(({ note }) => holds(successionIn)(note), 'it names no next key');

const keyRemedy =
  'Nothing is signed. Put it back from a backup; without one, move it aside: the site then begins with a new key.';
const givenRemedy = 'Nothing is signed until CHECKPOINT_KEY names a file with the key.';
const successionsRemedy = 'Put it back from a backup: without it, what earlier keys signed cannot be checked.';

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
    return isNamed(this.#path);
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

  /** Whose signature a note has. Throws `FileDamaged` when that cannot be told, or the key that is here has lost its second half. */
  judge(text: string): KeyJudgement {
    if (this.#options.given === null && this.#keys === null && !this.isThere) return 'unknown';
    const { ed25519, mlDsa, isSummed } = this.#opened();
    const note = parseNote(text);
    try {
      const signing = verifiedKeys(note, keysUpTo(ed25519, successionsIn(this.#options.dataDir)));
      if (mlDsa !== null) verifiedMlDsa(note, [mlDsa]);
      if (signing.length === 0) {
        const damaged = successionsFault(this.#options);
        if (damaged !== null) throw damaged;
        return 'of another key';
      }
      requireBoth({ ed25519, mlDsa, isSummed }, this.#options, note);
      return 'own';
    } catch (error) {
      if (error instanceof BadNote) return 'false';
      throw error;
    }
  }

  /**
   * Replaces the keys. Returns the note in which the old key names the new one; a key that was given is replaced by whoever keeps it. Throws
   * `FileDamaged`.
   */
  replace(): string | Refusal {
    if (this.#options.given !== null)
      return refuse('key_given', 'CHECKPOINT_KEY names the file of the key: replace it there');
    const damaged = successionsFault(this.#options);
    if (damaged !== null) throw damaged;
    const { ed25519: old } = this.#opened();
    const keys = { ed25519: newSigner(old.name), mlDsa: newMlDsaSigner(old.name) };
    const note = signNote(successionText(old, verifiersOf(keys)), [old]);
    appendLine(join(this.#options.dataDir, CHECKPOINT_KEYS), {
      at: new Date(this.#options.clock()).toISOString(),
      note,
    });
    this.#save(keys);
    return note;
  }

  #opened(): Keys {
    this.#keys ??= this.isThere || this.#options.given !== null ? keysIn(this.#options) : this.#make();
    return this.#keys;
  }

  #make(): Keys {
    const name = this.#options.name();
    return this.#save({ ed25519: newSigner(name), mlDsa: newMlDsaSigner(name) });
  }

  /** A power failure leaves the whole file or the one before. */
  #save(keys: Pick<Keys, 'ed25519'> & { readonly mlDsa: SeededSigner }): Keys {
    const text = `${encodeSigner(keys.ed25519)}\n${encodeMlDsaSigner(keys.mlDsa)}\n`;
    writeFileSync(`${this.#path}.new`, `${text}${sumLine(text)}\n`, { mode: 0o600, flush: true });
    renameSync(`${this.#path}.new`, this.#path);
    syncFolderNow(dirname(this.#path));
    this.#keys = { ...keys, isSummed: true };
    return this.#keys;
  }
}

/** The intact notes in which keys name their successors, the oldest first. */
export function successionsIn(dataDir: string, onFault: (fault: string) => void = () => undefined): readonly string[] {
  return readLines(join(dataDir, CHECKPOINT_KEYS), succession, onFault).map(({ note }) => note);
}

/** What is wrong with them; null: nothing. */
export function successionsFault({ dataDir }: Pick<KeyPlace, 'dataDir'>): FileDamaged | null {
  const faults: string[] = [];
  successionsIn(dataDir, (fault) => faults.push(fault));
  const [fault] = faults;
  return fault === undefined
    ? null
    : new FileDamaged(join(dataDir, CHECKPOINT_KEYS), { fault, remedy: successionsRemedy });
}

/** Where the key of a site is. */
export interface KeyPlace {
  readonly dataDir: string;
  /** See `CheckpointKeysOptions`. */
  readonly given: string | null;
}

/** What is wrong with the key of a site; null: nothing, or it has none yet. `latest`: the latest checkpoint, if there is one. */
export function keyFault({ dataDir, given }: KeyPlace, latest: string | null): FileDamaged | null {
  try {
    if (given === null && !isNamed(join(dataDir, CHECKPOINT_KEY))) return null;
    const keys = keysIn({ dataDir, given });
    if (latest !== null) requireBoth(keys, { dataDir, given }, parseNote(latest));
    return null;
  } catch (error) {
    if (error instanceof FileDamaged) return error;
    throw error;
  }
}

/** The public keys of a site, the present one last, of which each has named the next; null: it has none. Throws `FileDamaged`. */
export function publicKeysIn(dataDir: string, given: string | null): readonly VerifierKey[] | null {
  const path = given ?? join(dataDir, CHECKPOINT_KEY);
  return isNamed(path) ? keysUpTo(keysIn({ dataDir, given }).ed25519, successionsIn(dataDir)) : null;
}

/** The present public keys of a site as text; null: it has none. Throws `FileDamaged`. */
export function verifiersIn(dataDir: string, given: string | null): readonly string[] | null {
  const path = given ?? join(dataDir, CHECKPOINT_KEY);
  return isNamed(path) ? verifiersOf(keysIn({ dataDir, given })) : null;
}

/** A link that leads nowhere is no missing key: a new one beside it would break the row of keys. */
function isNamed(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function keysIn({ dataDir, given }: KeyPlace): Keys {
  const path = given ?? join(dataDir, CHECKPOINT_KEY);
  const place = { path, isGiven: given !== null };
  const absence = isNamed(path) ? 'it is a link to a file that is not there' : 'there is no such file';
  const misplaced = existsSync(path) ? placeFault(path) : absence;
  if (misplaced !== null) throw keyDamaged(place, misplaced);
  try {
    const [first = '', ...others] = readFileSync(path, 'utf8').trim().split('\n');
    const isSummed = others.length > 0 && others.at(-1) === sumLine(`${[first, ...others.slice(0, -1)].join('\n')}\n`);
    const [second, ...more] = isSummed ? others.slice(0, -1) : others;
    if (more.length > 0) throw new BadNote('its checksum is another one');
    return { ed25519: parseSigner(first), mlDsa: second === undefined ? null : parseMlDsaSigner(second), isSummed };
  } catch (error) {
    throw keyDamaged(place, (error as Error).message);
  }
}

/** A file of this program that was cut behind its first key looks like one from before there was a second. Throws `FileDamaged`. */
function requireBoth({ ed25519, mlDsa, isSummed }: Keys, { dataDir, given }: KeyPlace, { signatures }: Note): void {
  if (mlDsa !== null || isSummed || given !== null) return;
  if (signatures.filter(({ name }) => name === ed25519.name).length < 2) return;
  throw keyDamaged({ path: join(dataDir, CHECKPOINT_KEY), isGiven: false }, 'its second key is missing');
}

/** The last line of a file with keys. */
function sumLine(text: string): string {
  return `sum ${crc32(text).toString(16).padStart(8, '0')}`;
}

function keyDamaged(place: { readonly path: string; readonly isGiven: boolean }, fault: string): FileDamaged {
  const about = place.isGiven ? { remedy: givenRemedy, name: place.path } : { remedy: keyRemedy };
  return new FileDamaged(place.path, { fault, ...about });
}

function verifiersOf({ ed25519, mlDsa }: Pick<Keys, 'ed25519' | 'mlDsa'>): readonly string[] {
  return [encodeVerifier(ed25519), ...(mlDsa === null ? [] : [encodeVerifier(mlDsa, ML_DSA_44)])];
}
