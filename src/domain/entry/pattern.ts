import type { EntryPart } from './part.ts';

export interface Pattern {
  /** What becomes of it where it is used: a reference to it, or a copy; `partial`: a reference with texts of its own. */
  readonly syncStatus: SyncStatus;
}

export const syncStatuses = ['', 'unsynced', 'partial'] as const;
type SyncStatus = (typeof syncStatuses)[number];

export const patternPart: EntryPart<Pattern> = {
  event: 'EntryPatternChanged',
  plain: { syncStatus: '' },
  of: ({ syncStatus }) => ({ syncStatus }),
};
