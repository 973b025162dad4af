/** Thrown by a read that takes long, where other requests wait: another thread answers it from the beginning. */
export class TakesLong extends Error {
  override readonly name: string = 'TakesLong';
}

/** Ends a read between its pieces, by an error. */
export interface ReadLimit {
  check(): void;
  /** Before a text that takes long. */
  beforeLong(): void;
}

/** Thrown by a read for which nobody waits any more. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** Ends a read of another thread once that has set the first number to 1. */
export function abandonedBy(flag: Int32Array): ReadLimit {
  const check = () => {
    if (Atomics.load(flag, 0) === 1) throw new Abandoned('nobody waits for this read');
  };
  return { check, beforeLong: check };
}

/** The processor time that a read may take in a thread that has other work. */
export class ReadTime implements ReadLimit {
  readonly #share: number;
  readonly #onLong: () => void;
  readonly #before = process.threadCpuUsage();
  #lookAt: number;

  /** `share`: milliseconds. `onLong`: called once the read has taken them, or comes to a long text. Default: throws `TakesLong`. */
  constructor(share: number, onLong: () => void = endLong) {
    this.#share = share;
    this.#onLong = onLong;
    this.#lookAt = performance.now() + share;
  }

  check(): void {
    const now = performance.now();
    if (now < this.#lookAt) return;
    // On a machine with much to do a thread waits for its processor: only its own work counts.
    const { user, system } = process.threadCpuUsage(this.#before);
    const left = this.#share - (user + system) / 1000;
    if (left <= 0) this.beforeLong();
    else this.#lookAt = now + left;
  }

  beforeLong(): void {
    if (this.#lookAt === Number.POSITIVE_INFINITY) return;
    this.#lookAt = Number.POSITIVE_INFINITY;
    this.#onLong();
  }
}

function endLong(): never {
  throw new TakesLong('this read takes long');
}

/** Does something else when a read ends with an error of a class. */
export function unlessThrown<T, E extends Error>(
  kind: new (...args: never[]) => E,
  read: () => T | Promise<T>,
  otherwise: (error: E) => Promise<T>,
): T | Promise<T> {
  const go = (error: unknown): Promise<T> => {
    if (!(error instanceof kind)) throw error;
    return otherwise(error);
  };
  try {
    const done = read();
    return done instanceof Promise ? done.catch(go) : done;
  } catch (error) {
    return go(error);
  }
}
