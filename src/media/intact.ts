import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Files that are remembered; beyond that they are read again when they are asked for. */
const mostKnown = 100_000;

interface Known {
  /** Length and time of the file when it was read: one that was replaced is read again. */
  readonly state: string;
  readonly isIntact: Promise<boolean>;
}

/** Holds files against the hashes under which they are kept, each once as long as it is not replaced. */
export class FileCheck {
  readonly #path: (hash: string) => string;
  readonly #onDamage: (hash: string, isDamaged: boolean) => void;
  readonly #known = new Map<string, Known>();
  readonly #damaged = new Set<string>();

  /** `onDamage` is told when a file turns out to be damaged or missing, and when it is whole again. */
  constructor(path: (hash: string) => string, onDamage: (hash: string, isDamaged: boolean) => void) {
    this.#path = path;
    this.#onDamage = onDamage;
  }

  /** Files that are known to be damaged. */
  get damaged(): ReadonlySet<string> {
    return this.#damaged;
  }

  /** Whether a file has been read since it was last replaced. */
  isKnown(hash: string): boolean {
    return this.#known.has(hash);
  }

  async isIntact(hash: string): Promise<boolean> {
    const path = this.#path(hash);
    const found = await stat(path).catch(() => null);
    const state = found === null ? 'missing' : `${found.size} ${found.mtimeMs}`;
    const known = this.#known.get(hash);
    if (known?.state === state) return known.isIntact;
    if (this.#known.size >= mostKnown) this.#known.clear();
    const isIntact = found === null ? Promise.resolve(false) : this.#read(path, hash);
    this.#known.set(hash, { state, isIntact });
    isIntact.catch(() => this.#known.delete(hash));
    this.#note(hash, await isIntact);
    return isIntact;
  }

  async #read(path: string, hash: string): Promise<boolean> {
    const digest = createHash('sha256');
    await pipeline(createReadStream(path), digest);
    return digest.digest('hex') === hash;
  }

  #note(hash: string, isIntact: boolean): void {
    if (isIntact === !this.#damaged.has(hash)) return;
    if (isIntact) this.#damaged.delete(hash);
    else this.#damaged.add(hash);
    this.#onDamage(hash, !isIntact);
  }
}
