export interface PasswordUse {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly address: string | null;
}

/** Knows when application passwords were used. No event tells: a read is no change. */
export interface PasswordUses {
  /** Notes a use, at most once a day for each password. `address` is asked for only then. */
  readonly note: (password: string, address: () => string) => void;
  readonly of: (password: string) => PasswordUse | null;
}
