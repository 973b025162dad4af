/** What one kind of entries has beside what every entry has. */
export interface EntryPart<P extends object = object> {
  /** The event that says what changed of it. */
  readonly event: 'EntryProductChanged' | 'EntryPatternChanged' | 'EntryMenuItemChanged';
  /** One of which nothing was said yet. */
  readonly plain: P;
  /** The part alone, of whatever has its members; always in one order, so that it is always written alike. */
  of(from: P): P;
}
