/** How long a stop may take. */
export class StopTime {
  readonly #most: number;
  #until = Number.POSITIVE_INFINITY;

  /** `most`: milliseconds from `begin` on. */
  constructor(most: number) {
    this.#most = most;
  }

  begin(): void {
    this.#until = performance.now() + this.#most;
  }

  /** Milliseconds that are left; all of them before the stop begins. */
  get left(): number {
    return Math.min(this.#most, this.#until - performance.now());
  }
}
