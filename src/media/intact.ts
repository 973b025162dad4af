import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { type ObjectInfo, type ObjectStore, ObjectsUnavailable } from '#objects/port.ts';

/** Maximum number of cached results; all are dropped beyond that. */
const maxKnown = 100_000;

interface Known {
  /** Version of the file that was read: a replaced file is read again. */
  readonly version: string;
  readonly isIntact: Promise<boolean>;
  /** When it was read, as returned by `performance.now()`. */
  readonly at: number;
}

/** Verifies files against their hashes: each once until it is replaced, and on demand. */
export class FileCheck {
  readonly #store: Pick<ObjectStore, 'head' | 'read'>;
  readonly #keyOf: (hash: string) => string;
  readonly #onDamage: (hash: string, isDamaged: boolean) => void;
  readonly #known = new Map<string, Known>();
  readonly #damaged = new Set<string>();

  /** `onDamage` is called when a file turns out to be damaged or missing, and when it is intact again. */
  constructor(
    store: Pick<ObjectStore, 'head' | 'read'>,
    keyOf: (hash: string) => string,
    onDamage: (hash: string, isDamaged: boolean) => void,
  ) {
    this.#store = store;
    this.#keyOf = keyOf;
    this.#onDamage = onDamage;
  }

  get damaged(): ReadonlySet<string> {
    return this.#damaged;
  }

  /** Milliseconds since a file was last read; infinite if unknown. */
  ageOf(hash: string): number {
    return performance.now() - (this.#known.get(hash)?.at ?? Number.NEGATIVE_INFINITY);
  }

  /** Reads a file even if it was not replaced. Meanwhile requests use the previous result. */
  async readAgain(hash: string): Promise<void> {
    const found = await this.#store.head(this.#keyOf(hash)).catch(nullUnlessAway);
    const isIntact = found !== null && (await this.#read(hash));
    this.#keep(hash, found, Promise.resolve(isIntact));
    this.#note(hash, isIntact);
  }

  async isIntact(hash: string): Promise<boolean> {
    return (await this.bytesOf(hash)) !== null;
  }

  /** Length of an intact file; null if it is damaged or missing. */
  async bytesOf(hash: string): Promise<number | null> {
    const found = await this.#store.head(this.#keyOf(hash)).catch(nullUnlessAway);
    return (await this.#isIntact(hash, found)) && found !== null ? found.bytes : null;
  }

  async #isIntact(hash: string, found: ObjectInfo | null): Promise<boolean> {
    const known = this.#known.get(hash);
    if (known?.version === versionOf(found)) return known.isIntact;
    const isIntact = found === null ? Promise.resolve(false) : this.#read(hash);
    this.#keep(hash, found, isIntact);
    isIntact.catch(() => this.#known.delete(hash));
    this.#note(hash, await isIntact);
    return isIntact;
  }

  #keep(hash: string, found: ObjectInfo | null, isIntact: Promise<boolean>): void {
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(hash, { version: versionOf(found), isIntact, at: performance.now() });
  }

  async #read(hash: string): Promise<boolean> {
    const digest = createHash('sha256');
    await pipeline(await this.#store.read(this.#keyOf(hash)), digest);
    return digest.digest('hex') === hash;
  }

  #note(hash: string, isIntact: boolean): void {
    if (isIntact === !this.#damaged.has(hash)) return;
    if (isIntact) this.#damaged.delete(hash);
    else this.#damaged.add(hash);
    this.#onDamage(hash, !isIntact);
  }
}

function versionOf(found: ObjectInfo | null): string {
  return found?.version ?? 'missing';
}

function nullUnlessAway(error: unknown): null {
  if (error instanceof ObjectsUnavailable) throw error;
  return null;
}
