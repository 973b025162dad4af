/** Thrown by a read that takes long, where other requests wait: another thread answers it from the beginning. */
export class TakesLong extends Error {
  override readonly name = 'TakesLong';
}

/** The time that a read may take in a thread that has other work. */
export class ReadTime {
  readonly #until: number;

  /** `share`: milliseconds. */
  constructor(share: number) {
    this.#until = performance.now() + share;
  }

  /** Throws `TakesLong` once the time is used up. */
  check(): void {
    if (performance.now() >= this.#until) this.end();
  }

  /** Throws `TakesLong`: what follows takes long. */
  end(): never {
    throw new TakesLong('this read takes long');
  }
}

/** Does a read, or something else once it turns out to take longer than `share` milliseconds. */
export function unlessLong<T>(
  share: number,
  read: (time: ReadTime) => T | Promise<T>,
  elsewhere: () => Promise<T>,
): T | Promise<T> {
  const move = (error: unknown): Promise<T> => {
    if (!(error instanceof TakesLong)) throw error;
    return elsewhere();
  };
  try {
    const done = read(new ReadTime(share));
    return done instanceof Promise ? done.catch(move) : done;
  } catch (error) {
    return move(error);
  }
}
