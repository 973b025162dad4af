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

/** By how many milliseconds the wall clock is ahead of the monotonic one. While nobody sets a clock, it stays the same. */
export type ClockOffset = number;

export interface ClockGuardParts {
  readonly now: () => Moment;
  /** Milliseconds that the wall clock may gain on the monotonic one at once. */
  readonly tolerance: number;
  /** The offset of an earlier process. */
  readonly since?: ClockOffset | null;
  /** Called on each change: with the fault when the clock has leapt, with null when it is right again. */
  readonly onChange: (leapt: ClockLeapt | null) => void;
}

/**
 * Compares the wall clock with a monotonic one. A clock set ahead would publish scheduled entries, and times in the log never go back; so
 * nothing is written until the clock is right again or an operator accepts it. Small steps are followed, and steps back, from which a clock
 * may return: the log can handle both.
 *
 * Why, and what was rejected: `docs/adr/0027-clocks.md`.
 */
export class ClockGuard {
  readonly #parts: ClockGuardParts;
  /** The highest that was trusted. */
  #offset: ClockOffset;
  /** That of the event store's clock; null: there is none, or it is not known yet. A clock that agrees with it is right, even if it was set. */
  #other: ClockOffset | null = null;
  /** Milliseconds that an operator lets the clock be ahead of the event store's. */
  #accepted = 0;
  #leapt = false;

  constructor(parts: ClockGuardParts) {
    this.#parts = parts;
    this.#offset = parts.since ?? offsetOf(parts.now());
  }

  /** Milliseconds that the clock may gain at once. */
  get tolerance(): number {
    return this.#parts.tolerance;
  }

  /** Milliseconds by which the wall clock is ahead of where it can be; negative if it is behind. */
  get ahead(): number {
    return this.#aheadAt(offsetOf(this.#parts.now()));
  }

  /** What a later process compares its clock with. */
  get offset(): ClockOffset {
    return this.#offset;
  }

  get now(): number {
    return this.#parts.now().wall;
  }

  get leapt(): boolean {
    return this.#leapt;
  }

  /** Returns the wall clock. Throws `ClockLeapt` when it cannot be trusted. */
  time(): number {
    const { wall, steady } = this.#parts.now();
    const offset = wall - steady;
    const ahead = this.#aheadAt(offset);
    const { tolerance } = this.#parts;
    if (ahead > tolerance || (this.#other !== null && ahead < -tolerance)) throw this.#refuse(ahead, wall);
    this.#trust(this.#other === null ? Math.max(offset, this.#offset) : offset);
    return wall;
  }

  accept(): void {
    const offset = offsetOf(this.#parts.now());
    this.#accepted = this.#other === null ? 0 : offset - this.#other;
    this.#trust(offset);
  }

  /** Records by how many milliseconds the wall clock is ahead of the event store's. */
  compared(ahead: number): void {
    this.#other = offsetOf(this.#parts.now()) - ahead;
  }

  #aheadAt(offset: ClockOffset): number {
    if (this.#other === null) return offset - this.#offset;
    const apart = offset - this.#other;
    const beyond = apart - this.#accepted;
    return Math.abs(apart) < Math.abs(beyond) ? apart : beyond;
  }

  #trust(offset: ClockOffset): void {
    this.#offset = offset;
    if (!this.#leapt) return;
    this.#leapt = false;
    this.#parts.onChange(null);
  }

  #refuse(ahead: number, wall: number): ClockLeapt {
    const than =
      this.#other === null
        ? 'ahead of where it can be'
        : `${ahead > 0 ? 'ahead of' : 'behind'} that of the event store`;
    const fault = new ClockLeapt(
      `The clock says ${new Date(wall).toISOString()}, which is ${Math.round(Math.abs(ahead) / 1000)} s ${than}`,
    );
    if (!this.#leapt) {
      this.#leapt = true;
      this.#parts.onChange(fault);
    }
    return fault;
  }
}

function offsetOf({ wall, steady }: Moment): ClockOffset {
  return wall - steady;
}

export function unlessLeapt(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ClockLeapt)) onError(error);
  };
}
