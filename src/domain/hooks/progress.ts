/** Delivery state of a hook. It is not part of the log, since nothing of it happens on the site. */
export interface Progress {
  readonly position: number;
  /** Last position of the message being sent; null: none is. */
  readonly upTo: number | null;
  /** Raised when the hook is moved back, so that messages sent again count as new. */
  readonly round: number;
  /** Start of the current series of failed attempts, in milliseconds since 1970; null: the last attempt succeeded. */
  readonly failingSince: number | null;
  readonly attempts: number;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly nextAt: number;
  /** Why the last attempt failed; '': it succeeded. */
  readonly error: string;
  /** When a message was last accepted, in milliseconds since 1970. */
  readonly deliveredAt: number | null;
}

/**
 * How far each hook is. A hook is a reader of the feed that does not have to connect; an unknown position stops it, so that a copy of a
 * site sends nothing to the receivers of the real one.
 *
 * Why, and what was rejected: `docs/adr/0045-webhooks.md`.
 */
export interface HookProgress {
  /** Null: unknown on this node. */
  readonly of: (hook: number) => Progress | null;
  readonly put: (hook: number, progress: Progress) => void;
  readonly forget: (hook: number) => void;
  readonly move: (hook: number, position: number) => void;
  /** Position at which recording of progress began; hooks added later start where they were added. Discards progress of another log. */
  readonly since: (head: number) => number;
  /** Registers a listener for moved hooks. Returns a function that removes it. */
  readonly onMoved: (listener: (hook: number) => void) => () => void;
}

export function startingAt(position: number, round = 0): Progress {
  const untried = { failingSince: null, attempts: 0, nextAt: 0, error: '', deliveredAt: null };
  return { position, upTo: null, round, ...untried };
}
