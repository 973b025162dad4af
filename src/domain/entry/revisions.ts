import type { EntryEvent } from './events.ts';

export interface Revision {
  readonly id: number;
  readonly isAutosave: boolean;
  /** Whether there was none of that id; an autosave is written again and again. */
  readonly isNew: boolean;
  /** When it was saved, in the zone of the site and in UTC. */
  readonly date: string;
  readonly dateGmt: string;
}

export type RevisionChange =
  | { readonly kept: Revision }
  | { readonly dropped: number; readonly latest: number; readonly latestGmt: string };

/** Tells what an event does to the revisions of its entry; null for those that do nothing to them. */
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
    case 'EntryRevisionDeleted': {
      const { revision, latest, latestGmt } = event.data;
      return { dropped: revision, latest, latestGmt };
    }
    default:
      return null;
  }
}

/** Puts revisions in order, the newest first: by time and then by id. */
export function newestFirst(
  a: { readonly id: number; readonly dateGmt: string },
  b: { readonly id: number; readonly dateGmt: string },
): number {
  if (a.dateGmt !== b.dateGmt) return a.dateGmt < b.dateGmt ? 1 : -1;
  return b.id - a.id;
}
