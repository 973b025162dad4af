/** The clock is ahead of where it can be. Nothing was appended; an operator has to say that it is right. */
export class ClockLeapt extends Error {
  override readonly name = 'ClockLeapt';
}

/** A moment by two clocks, milliseconds. */
export interface Moment {
  /** Since 1970, as the system tells it. */
  readonly wall: number;
  /** Since some moment, and never set. */
  readonly steady: number;
}

export interface ClockGuardParts {
  readonly now: () => Moment;
  /** Milliseconds that the wall clock may gain on the steady one at once. */
  readonly tolerance: number;
  /** An earlier moment by the same steady clock, if one is known. */
  readonly since?: Moment | null;
  /** Told of each change: that the clock has leapt, with why, or that it has not any more (null). */
  readonly onChange: (leapt: ClockLeapt | null) => void;
}

/**
 * Holds the wall clock against a steady one. A clock that was set ahead would publish what is scheduled, and times of the log
 * never go back; so nothing is written by it until it is right again or an operator accepts it.
 */
export class ClockGuard {
  readonly #parts: ClockGuardParts;
  #trusted: Moment;
  #leapt = false;

  constructor(parts: ClockGuardParts) {
    this.#parts = parts;
    this.#trusted = parts.since ?? parts.now();
  }

  /** Milliseconds by which the wall clock is further than the steady one says. */
  get ahead(): number {
    return aheadOf(this.#trusted, this.#parts.now());
  }

  /** What the wall clock says, right or wrong. */
  get now(): number {
    return this.#parts.now().wall;
  }

  get leapt(): boolean {
    return this.#leapt;
  }

  /** The wall clock. Throws `ClockLeapt` when it cannot be trusted. */
  time(): number {
    const now = this.#parts.now();
    const ahead = aheadOf(this.#trusted, now);
    if (ahead > this.#parts.tolerance) throw this.#refuse(ahead, now);
    // A clock that goes wrong by little, or back, is followed: the log bears that.
    this.#trust(now);
    return now.wall;
  }

  /** An operator says that the wall clock is right. */
  accept(): void {
    this.#trust(this.#parts.now());
  }

  #trust(now: Moment): void {
    this.#trusted = now;
    if (!this.#leapt) return;
    this.#leapt = false;
    this.#parts.onChange(null);
  }

  #refuse(ahead: number, { wall }: Moment): ClockLeapt {
    const by = `${Math.round(ahead / 1000)} s`;
    const fault = new ClockLeapt(
      `The clock says ${new Date(wall).toISOString()}, which is ${by} ahead of where it can be`,
    );
    if (!this.#leapt) {
      this.#leapt = true;
      this.#parts.onChange(fault);
    }
    return fault;
  }
}

function aheadOf(trusted: Moment, now: Moment): number {
  return now.wall - trusted.wall - (now.steady - trusted.steady);
}
