import type { EntryEvent } from './events.ts';

export interface Revision {
  readonly id: number;
  readonly isAutosave: boolean;
  /** False when the event overwrites an existing autosave. */
  readonly isNew: boolean;
  /** Time of the save, in the site's time zone and in UTC. */
  readonly date: string;
  readonly dateGmt: string;
  /** Who saved it; absent: who made the commit. */
  readonly author?: number;
}

/** Types of events with texts that are kept beside the entry and are none of its own. */
export const besideTypes: ReadonlySet<string> = new Set(['EntryAutosaved', 'EntryRevisionImported']);

export type RevisionChange =
  | { readonly kept: Revision }
  | { readonly dropped: number; readonly latest: number; readonly latestGmt: string };

/** What an event does to the revisions of its entry; null if nothing. */
export function revisionChange(event: EntryEvent): RevisionChange | null {
  switch (event.type) {
    case 'EntryRevised':
    case 'EntryRevisionKept':
    case 'EntryReverted': {
      const { revision, modified, modifiedGmt } = event.data;
      if (revision === null) return null;
      return { kept: { id: revision, isAutosave: false, isNew: true, date: modified, dateGmt: modifiedGmt } };
    }
    case 'EntryAutosaved': {
      const { autosave, isNew, date, dateGmt } = event.data;
      return { kept: { id: autosave, isAutosave: true, isNew, date, dateGmt } };
    }
    case 'EntryRevisionImported': {
      const { revision: id, isAutosave, isNew, author, saved: date, savedGmt: dateGmt } = event.data;
      return { kept: { id, isAutosave, isNew, author, date, dateGmt } };
    }
    case 'EntryRevisionDeleted': {
      const { revision, latest, latestGmt } = event.data;
      return { dropped: revision, latest, latestGmt };
    }
    default:
      return null;
  }
}

/** Compares revisions, newest first: by time, then by id. */
export function newestFirst(
  a: { readonly id: number; readonly dateGmt: string },
  b: { readonly id: number; readonly dateGmt: string },
): number {
  if (a.dateGmt !== b.dateGmt) return a.dateGmt < b.dateGmt ? 1 : -1;
  return b.id - a.id;
}
