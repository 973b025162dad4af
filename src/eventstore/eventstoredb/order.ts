export interface Appender {
  readonly node: string;
  readonly more: boolean;
}

/**
 * The order in which nodes with pending appends take turns: the node whose last append is oldest goes first. Each node derives it from
 * the appends it sees. This only avoids conflicts; correctness is ensured by the revisions that appends expect.
 */
export interface AppendOrder {
  next(): Appender;
  seen(appender: Appender, position: number): void;
  /** For a node that has something to append. Resolves when to ask again; returns undefined when it is its turn. */
  wait(): Promise<void> | undefined;
  /** The log has grown: the node whose turn it is appends, perhaps in several pieces. */
  wake(): void;
  done(): void;
}

const waitBounds = { min: 20, max: 400 };
/** How long to wait for a node, as a multiple of the usual duration of a turn. */
const spare = 3;
/** Maximum number of nodes remembered. */
const max = 8;
/** Weight of the last turn in the average duration. */
const weight = 1 / 8;

export function createAppendOrder(node: string, now: () => number = () => performance.now()): AppendOrder {
  return new OldestFirst(node, now);
}

class OldestFirst implements AppendOrder {
  readonly #node: string;
  readonly #now: () => number;
  /** Nodes that have more to append, with the position of their last append. */
  readonly #others = new Map<string, number>();
  readonly #own = { position: 0, at: Number.NEGATIVE_INFINITY };
  #usual = waitBounds.min;
  #began: number;
  #heard = Number.NEGATIVE_INFINITY;
  #wanted: number | null = null;
  #waiting: (() => void) | null = null;

  constructor(node: string, now: () => number) {
    this.#node = node;
    this.#now = now;
    this.#began = now();
  }

  next(): Appender {
    return { node: this.#node, more: this.#wanted !== null && this.#wanted - this.#own.at < this.#limit() };
  }

  seen(appender: Appender, position: number): void {
    const isOwn = appender.node === this.#node;
    if (isOwn && position <= this.#own.position) return;
    const due = isOwn ? this.#wanted : this.#others.has(appender.node) ? this.#began : null;
    if (due !== null) this.#learn(this.#now() - Math.max(due, this.#began));
    this.#began = this.#now();
    this.#others.delete(appender.node);
    if (isOwn) Object.assign(this.#own, { position, at: this.#began });
    else if (appender.more) this.#others.set(appender.node, position);
    const [oldest = ''] = this.#others.keys();
    if (this.#others.size > max) this.#others.delete(oldest);
    this.#askAgain();
  }

  wake(): void {
    this.#heard = this.#now();
    this.#askAgain();
  }

  wait(): Promise<void> | undefined {
    this.#wanted ??= this.#now();
    for (const first of this.#before()) {
      const left = Math.max(this.#began + this.#limit(), this.#heard + waitBounds.min) - this.#now();
      if (left > 0) return this.#sleep(left);
      // The node misses its turn: it is idle, hangs or is gone.
      this.#others.delete(first);
      this.#began += this.#limit();
    }
    return undefined;
  }

  done(): void {
    this.#wanted = null;
  }

  #limit(): number {
    return Math.min(waitBounds.max, Math.max(waitBounds.min, spare * this.#usual));
  }

  /** Updates the usual duration by that of a turn, in milliseconds; a very long one was not a turn. */
  #learn(ms: number): void {
    if (ms < 2 * waitBounds.max) this.#usual += (ms - this.#usual) * weight;
  }

  #before(): readonly string[] {
    const ahead = [...this.#others].filter(([, position]) => position < this.#own.position);
    return ahead.sort(([, a], [, b]) => a - b).map(([name]) => name);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #askAgain(): void {
    this.#waiting?.();
    this.#waiting = null;
  }
}
