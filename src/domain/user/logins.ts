/** How often an account was logged in to on a day, and how often in vain. */
export interface LoginCount {
  /** UTC: `2026-03-01`. */
  readonly day: string;
  /** Id of the account; 0: there was none of that name, or only a token or password was sent. */
  readonly user: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** That an auditor read something on a day. */
export interface AuditorRead {
  /** UTC: `2026-03-01`. */
  readonly day: string;
  readonly user: number;
  /** As the index names it, or `audit`, `file`. */
  readonly route: string;
  /** Path of the address, which names the item. */
  readonly item: string;
  /** The last time on that day, in milliseconds since 1970. */
  readonly at: number;
  readonly times: number;
}

/** Notes beside the log what auditors read: a read changes nothing. */
export interface Readings {
  readonly note: (reading: Pick<AuditorRead, 'user' | 'route' | 'item'>) => void;
  /** The newest first. */
  readonly all: () => readonly AuditorRead[];
}

/** Counts log-ins beside the log: an attempt changes nothing, and guesses would fill the log. */
export interface LoginCounts {
  readonly note: (user: number, succeeded: boolean) => void;
  /** The newest days first. */
  readonly all: () => readonly LoginCount[];
}
