/** Thrown by a read that has used up its turn. State that it has kept lets the next attempt continue. */
export class NeedsTurn extends Error {
  override readonly name = 'NeedsTurn';
}

let present: Attempts | null = null;

export class Attempts {
  readonly kept = new Map<object, unknown>();
  count = 0;
  readonly #share: number;
  #until = 0;

  /** `share`: maximum milliseconds per attempt. */
  constructor(share: number) {
    this.#share = share;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Runs one synchronous attempt. */
  within<T>(work: () => T): T {
    const before = present;
    present = this;
    this.count += 1;
    this.#until = performance.now() + this.#share;
    try {
      return work();
    } finally {
      present = before;
    }
  }
}

/** The current read; null if it must not be interrupted. */
export function presentAttempts(): Attempts | null {
  return present;
}

export interface Turns {
  /** Maximum milliseconds per turn. */
  readonly share: number;
  /** Resolves when the read gets its next turn. */
  readonly pause: () => Promise<void>;
}

/** Runs a read that may take long. Whenever it uses up its turn it is run again, so it must have no side effects besides its kept state. */
export function readInTurns<T>(
  { share, pause }: Turns,
  read: (within: <R>(work: () => R) => R) => T | Promise<T>,
): T | Promise<T> {
  const attempts = new Attempts(share);
  const attempt = () => read((work) => attempts.within(work));
  const again = async (error: unknown): Promise<T> => {
    if (!(error instanceof NeedsTurn)) throw error;
    await pause();
    return inTurn();
  };
  const inTurn = (): T | Promise<T> => {
    try {
      const done = attempt();
      return done instanceof Promise ? done.catch(again) : done;
    } catch (error) {
      if (!(error instanceof NeedsTurn)) throw error;
      return again(error);
    }
  };
  return inTurn();
}

/** Runs work to its end, without pauses. */
export function finished<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}
