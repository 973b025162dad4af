export interface Origin {
  readonly position: number;
  readonly correlationId: string;
  readonly address: string;
  /** Means of authentication, unless it is a password: `token Desktop`. */
  readonly via?: string | undefined;
}

/** Returns the address that a commit was requested from, and the means of authentication; null if unknown. */
export type OriginOf = (commit: Pick<Origin, 'position' | 'correlationId'>) => string | null;

/** Looks origins up, as far as they are kept. */
export interface OriginLookUp {
  readonly originOf: OriginOf;
  /** The commits that came from an address, from one that begins with it if it ends with a dot or colon, or by a means that contains it. */
  readonly from: (text: string) => readonly Pick<Origin, 'position' | 'correlationId'>[];
}
