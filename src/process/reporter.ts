/** Where parts of a program report what no request waits for. */
export interface Reporter {
  /** A failure. */
  fault(error: unknown): void;
  /** What an operator should know but need not act on at once. */
  warning(message: string): void;
  /** An event worth a log line that needs no action. */
  info(message: string): void;
  /** How far long work at the start has come, in events. */
  progress(position: number, head: number): void;
}

const nothing = () => undefined;

/** A reporter that hears only what is named. */
export function reporterOf(heard: Partial<Reporter> = {}): Reporter {
  return { fault: nothing, warning: nothing, info: nothing, progress: nothing, ...heard };
}
