export interface Origin {
  readonly position: number;
  readonly correlationId: string;
  readonly address: string;
  /** By what it came, where that is not a password: `token Desktop`. */
  readonly via?: string | undefined;
}

/** Looks up the address from which a commit was requested, and by what; null when it is not known. */
export type OriginOf = (commit: Pick<Origin, 'position' | 'correlationId'>) => string | null;
