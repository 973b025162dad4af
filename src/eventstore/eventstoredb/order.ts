export interface Appender {
  readonly node: string;
  readonly more: boolean;
}

/**
 * In which order nodes append that all have something: whoever has not appended for the longest time is the next. Every node
 * finds that out for itself, from the appends that it sees. It only spares nodes races that all but one of them lose; what
 * guards the log are the revisions that appends expect.
 */
export interface AppendOrder {
  next(): Appender;
  seen(appender: Appender, position: number): void;
  /** For a node that has something to append. Resolves when it should ask again; undefined: it is its turn. */
  wait(): Promise<void> | undefined;
  /** The log has grown: who waits may have something to read. */
  wake(): void;
  done(): void;
}

const patience = { least: 20, most: 400 };
/** So many times the usual duration of a turn is waited. */
const spare = 3;
/** Nodes that are known at a time; a log tells of all that there ever were. */
const most = 8;
/** Share of the last turn in the usual duration. */
const weight = 1 / 8;

export function createAppendOrder(node: string, now: () => number = () => performance.now()): AppendOrder {
  /** Nodes that have more to append, and where their last append ends. */
  const others = new Map<string, number>();
  const own = { position: 0, at: Number.NEGATIVE_INFINITY };
  let usual = patience.least;
  let began = now();
  let wanted: number | null = null;
  let waiting: (() => void) | null = null;

  const limit = () => Math.min(patience.most, Math.max(patience.least, spare * usual));

  /** A turn took so many milliseconds; one that was left for long was none. */
  function learn(ms: number): void {
    if (ms < 2 * patience.most) usual += (ms - usual) * weight;
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

  function wake(): void {
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
      if (others.size > most) others.delete(oldest);
      wake();
    },
    wake,
    wait() {
      wanted ??= now();
      for (const first of before()) {
        const left = began + limit() - now();
        if (left > 0) return sleep(left);
        // It does not take its turn: it has nothing, or hangs, or is gone.
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
