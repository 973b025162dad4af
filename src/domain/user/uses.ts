export interface PasswordUse {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly address: string | null;
}

/** Records when application passwords were used. This is not part of the log, since a read is no change. */
export interface PasswordUses {
  /** Records a use, at most once a day for each password. `address` is called only then. */
  readonly note: (password: string, address: () => string) => void;
  readonly of: (password: string) => PasswordUse | null;
}
