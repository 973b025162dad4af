/** Thrown by a read that has used up its turn. What it has kept lets the next attempt continue from there. */
export class NeedsTurn extends Error {
  override readonly name = 'NeedsTurn';
}

let present: Attempts | null = null;

export class Attempts {
  readonly kept = new Map<object, unknown>();
  count = 0;
  readonly #share: number;
  #until = 0;

  /** `share`: milliseconds of one attempt. */
  constructor(share: number) {
    this.#share = share;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Makes an attempt, without a pause. */
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

/** The read under way; null where it must not be given up. */
export function presentAttempts(): Attempts | null {
  return present;
}

export interface Turns {
  /** Milliseconds of one turn. */
  readonly share: number;
  /** Resolves when it is the read's turn again. */
  readonly pause: () => Promise<void>;
}

/** Does a read that may be long. Whenever it has used up its turn it is done again, so it must leave nothing behind but what it keeps. */
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
