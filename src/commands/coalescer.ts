/** How long commits of other nodes are collected while this node has no reader, in milliseconds. */
const longest = 250;

/** Collects commits of other nodes, because applying several together is cheaper. */
export class Coalescer {
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | null = null;
  #interrupt: (() => void) | null = null;

  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  get isActive(): boolean {
    return this.#timer !== null;
  }

  begin(): void {
    this.#timer ??= setTimeout(() => this.#due(), longest).unref();
  }

  /** Called when the collected commits are being applied. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Called when a reader needs the collected commits. */
  hurry(): void {
    if (this.#timer !== null) this.#due();
  }

  /** Resolves with `wait`, or earlier when collected commits are due. */
  during(wait: Promise<void>): Promise<void> {
    const due = new Promise<void>((resolve) => {
      this.#interrupt = resolve;
    });
    return Promise.race([wait, due]);
  }

  #due(): void {
    this.end();
    this.#onDue();
    this.#interrupt?.();
  }
}
