/** The address from which a commit was requested. */
export interface Origin {
  /** Log position of its last event. */
  readonly position: number;
  readonly correlationId: string;
  /** IP address of the client. */
  readonly address: string;
}

/** Looks up the address from which a commit was requested; null when it is not known. */
export type OriginOf = (commit: Omit<Origin, 'address'>) => string | null;
