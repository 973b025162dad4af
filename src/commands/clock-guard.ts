/** The clock is ahead of where it can be. Nothing was appended; an operator has to confirm that it is right. */
export class ClockLeapt extends Error {
  override readonly name = 'ClockLeapt';
}

/** One moment on two clocks, in milliseconds. */
export interface Moment {
  /** Since 1970, by the system clock. */
  readonly wall: number;
  /** Monotonic, from an arbitrary start. */
  readonly steady: number;
}

export interface ClockGuardParts {
  readonly now: () => Moment;
  /** Milliseconds that the wall clock may gain on the monotonic one at once. */
  readonly tolerance: number;
  readonly since?: Moment | null;
  /** Called on each change: with the fault when the clock has leapt, with null when it is right again. */
  readonly onChange: (leapt: ClockLeapt | null) => void;
}

/**
 * Compares the wall clock with a monotonic one. A clock set ahead would publish scheduled entries, and times in the log never go back; so
 * nothing is written until the clock is right again or an operator accepts it.
 */
export class ClockGuard {
  readonly #parts: ClockGuardParts;
  #trusted: Moment;
  /** Before the clock was set back: it may return there. */
  #former: Moment | null = null;
  #leapt = false;
  #other: Moment | null = null;
  #accepted = 0;

  constructor(parts: ClockGuardParts) {
    this.#parts = parts;
    this.#trusted = parts.since ?? parts.now();
  }

  /** Milliseconds that the clock may gain at once. */
  get tolerance(): number {
    return this.#parts.tolerance;
  }

  /** Milliseconds by which the wall clock is ahead of where it can be; negative if it is behind. */
  get ahead(): number {
    const now = this.#parts.now();
    return this.#other === null ? aheadOf(this.#trusted, now) : this.#apart(now);
  }

  /** The moment with which a later process compares its clock. */
  get reference(): Moment {
    const now = this.#parts.now();
    return this.#former ?? (aheadOf(this.#trusted, now) < -this.#parts.tolerance ? this.#trusted : now);
  }

  get now(): number {
    return this.#parts.now().wall;
  }

  get leapt(): boolean {
    return this.#leapt;
  }

  /** Returns the wall clock. Throws `ClockLeapt` when it cannot be trusted. */
  time(): number {
    const now = this.#parts.now();
    // A clock that agrees with the event store's is right, even if it was set.
    const [leap, apart] = [aheadOf(this.#trusted, now), this.#apart(now)];
    const beyond = Math.min(leap, aheadOf(this.#former ?? this.#trusted, now));
    if (this.#other === null && beyond > this.#parts.tolerance) {
      throw this.#refuse(`${seconds(leap)} ahead of where it can be`, now);
    }
    if (Math.abs(apart) > this.#parts.tolerance) {
      throw this.#refuse(`${seconds(apart)} ${apart > 0 ? 'ahead of' : 'behind'} that of the event store`, now);
    }
    // Small deviations and steps backwards are accepted: the log can handle both.
    if (leap < -this.#parts.tolerance) this.#former ??= this.#trusted;
    else if (this.#former !== null && aheadOf(this.#former, now) >= -this.#parts.tolerance) this.#former = null;
    this.#trust(now);
    return now.wall;
  }

  accept(): void {
    const now = this.#parts.now();
    this.#former = null;
    this.#accepted = this.#other === null ? 0 : aheadOf(this.#other, now);
    this.#trust(now);
  }

  /** Records by how many milliseconds the wall clock is ahead of the event store's. */
  compared(ahead: number): void {
    const { wall, steady } = this.#parts.now();
    this.#other = { wall: wall - ahead, steady };
  }

  #apart(now: Moment): number {
    if (this.#other === null) return 0;
    const apart = aheadOf(this.#other, now);
    const beyond = apart - this.#accepted;
    return Math.abs(apart) < Math.abs(beyond) ? apart : beyond;
  }

  #trust(now: Moment): void {
    this.#trusted = now;
    if (!this.#leapt) return;
    this.#leapt = false;
    this.#parts.onChange(null);
  }

  #refuse(why: string, { wall }: Moment): ClockLeapt {
    const fault = new ClockLeapt(`The clock says ${new Date(wall).toISOString()}, which is ${why}`);
    if (!this.#leapt) {
      this.#leapt = true;
      this.#parts.onChange(fault);
    }
    return fault;
  }
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s`;
}

function aheadOf(trusted: Moment, now: Moment): number {
  return now.wall - trusted.wall - (now.steady - trusted.steady);
}

export function unlessLeapt(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ClockLeapt)) onError(error);
  };
}
