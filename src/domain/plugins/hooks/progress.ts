/** How far the messages of a hook have come. No event tells: it is nothing that happened on the site. */
export interface Progress {
  readonly position: number;
  /** Where the message ends that is being sent; null: none is. */
  readonly upTo: number | null;
  /** Raised when it is sent back, so that what is sent again counts as new. */
  readonly round: number;
  /** Since when every attempt has failed, milliseconds since 1970; null: the last one did not. */
  readonly failingSince: number | null;
  readonly attempts: number;
  /** Before which nothing is tried again, milliseconds since 1970. */
  readonly nextAt: number;
  /** Why the last attempt failed; '': it did not. */
  readonly error: string;
  /** When a message was last taken, milliseconds since 1970. */
  readonly deliveredAt: number | null;
}

export interface HookProgress {
  /** Null: not known here. */
  readonly of: (hook: number) => Progress | null;
  readonly put: (hook: number, progress: Progress) => void;
  readonly forget: (hook: number) => void;
  readonly move: (hook: number, position: number) => void;
  /** Position from which on all hooks that were added begin where they were added. Asked for by those who deliver. */
  readonly since: (head: number) => number;
  /** Calls back with each hook that was moved; answers how to stop that. */
  readonly onMoved: (listener: (hook: number) => void) => () => void;
}

export function startingAt(position: number, round = 0): Progress {
  const untried = { failingSince: null, attempts: 0, nextAt: 0, error: '', deliveredAt: null };
  return { position, upTo: null, round, ...untried };
}
