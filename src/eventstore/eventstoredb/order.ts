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
  /** Nodes that have more to append, with the position of their last append. */
  const others = new Map<string, number>();
  const own = { position: 0, at: Number.NEGATIVE_INFINITY };
  let usual = waitBounds.min;
  let began = now();
  let heard = Number.NEGATIVE_INFINITY;
  let wanted: number | null = null;
  let waiting: (() => void) | null = null;

  const limit = () => Math.min(waitBounds.max, Math.max(waitBounds.min, spare * usual));

  /** Updates the usual duration by that of a turn, in milliseconds; a very long one was not a turn. */
  function learn(ms: number): void {
    if (ms < 2 * waitBounds.max) usual += (ms - usual) * weight;
  }

  function before(): readonly string[] {
    const ahead = [...others].filter(([, position]) => position < own.position);
    return ahead.sort(([, a], [, b]) => a - b).map(([name]) => name);
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      waiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function askAgain(): void {
    waiting?.();
    waiting = null;
  }

  return {
    next: () => ({ node, more: wanted !== null && wanted - own.at < limit() }),
    seen(appender, position) {
      if (appender.node === node && position <= own.position) return;
      const isOwn = appender.node === node;
      const due = isOwn ? wanted : others.has(appender.node) ? began : null;
      if (due !== null) learn(now() - Math.max(due, began));
      began = now();
      others.delete(appender.node);
      if (isOwn) Object.assign(own, { position, at: began });
      else if (appender.more) others.set(appender.node, position);
      const [oldest = ''] = others.keys();
      if (others.size > max) others.delete(oldest);
      askAgain();
    },
    wake() {
      heard = now();
      askAgain();
    },
    wait() {
      wanted ??= now();
      for (const first of before()) {
        const left = Math.max(began + limit(), heard + waitBounds.min) - now();
        if (left > 0) return sleep(left);
        // The node misses its turn: it is idle, hangs or is gone.
        others.delete(first);
        began += limit();
      }
      return undefined;
    },
    done() {
      wanted = null;
    },
  };
}
