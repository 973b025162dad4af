/** How long after a request a client counts as an active reader, in milliseconds. */
const moment = 1000;

/** Whether this node has active readers; commits of other nodes are then applied at once. */
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

  /** Registers a waiting reader. Returns a function that ends the wait and calls `stop`. */
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
