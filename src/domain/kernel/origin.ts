export interface Origin {
  readonly position: number;
  readonly correlationId: string;
  readonly address: string;
  /** Means of authentication, unless it is a password: `token Desktop`. */
  readonly via?: string | undefined;
}

/** Returns the address that a commit was requested from, and the means of authentication; null if unknown. */
export type OriginOf = (commit: Pick<Origin, 'position' | 'correlationId'>) => string | null;
