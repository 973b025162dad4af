/** Milliseconds for which somebody who asked once is expected to ask again. */
const moment = 1000;

/** Whether anybody reads here: what others write is shown at once then. */
export class Audience {
  readonly #onArrival: () => void;
  #askedAt = Number.NEGATIVE_INFINITY;
  #waiting = 0;

  constructor(onArrival: () => void) {
    this.#onArrival = onArrival;
  }

  get isThere(): boolean {
    return this.#waiting > 0 || performance.now() - this.#askedAt < moment;
  }

  asked(): void {
    const { isThere } = this;
    this.#askedAt = performance.now();
    if (!isThere) this.#onArrival();
  }

  /** Somebody waits for what comes next. Answers how to end that; `stop` is called then. */
  wait(stop: () => void): () => void {
    const { isThere } = this;
    let waits = true;
    this.#waiting += 1;
    if (!isThere) this.#onArrival();
    return () => {
      if (waits) this.#waiting -= 1;
      waits = false;
      stop();
    };
  }
}
