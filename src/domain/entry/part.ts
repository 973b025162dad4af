export interface EntryPart<P extends object = object> {
  readonly event: 'EntryProductChanged' | 'EntryPatternChanged' | 'EntryMenuItemChanged';
  readonly plain: P;
  /** Picks the members of the part, in a fixed order so that equal parts serialise equally. */
  of(from: P): P;
}
