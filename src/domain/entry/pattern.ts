import type { EntryPart } from './part.ts';

export interface Pattern {
  /** What an insertion of the pattern becomes: a reference, a copy (`unsynced`), or a reference with its own texts (`partial`). */
  readonly syncStatus: SyncStatus;
}

export const syncStatuses = ['', 'unsynced', 'partial'] as const;
type SyncStatus = (typeof syncStatuses)[number];

export const patternPart: EntryPart<Pattern> = {
  event: 'EntryPatternChanged',
  plain: { syncStatus: '' },
  of: ({ syncStatus }) => ({ syncStatus }),
};
