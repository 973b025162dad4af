/** How often an account was logged in to on a day, and how often in vain. */
export interface LoginCount {
  /** UTC: `2026-03-01`. */
  readonly day: string;
  /** Id of the account; 0: there was none of that name, or only a token or password was sent. */
  readonly user: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Counts log-ins beside the log: an attempt changes nothing, and guesses would fill the log. */
export interface LoginCounts {
  readonly note: (user: number, succeeded: boolean) => void;
  /** The newest days first. */
  readonly all: () => readonly LoginCount[];
}
