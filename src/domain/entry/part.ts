export interface EntryPart<P extends object = object> {
  readonly event: 'EntryProductChanged' | 'EntryPatternChanged' | 'EntryMenuItemChanged';
  readonly plain: P;
  /** The part alone, of whatever has its members; always in one order, so that it is always written alike. */
  of(from: P): P;
}
