import type { EntryFacts } from './commands.ts';
import type { EntryEvent } from './events.ts';
import { kindOf } from './kinds.ts';
import type { PlannedEntry } from './plan.ts';
import type { Entry } from './state.ts';
import { alikeTexts, changedTexts, sameTexts } from './texts.ts';

/**
 * The events for changed texts, and whether the save creates a revision (interface behaviour, section 19): always if there is none yet,
 * otherwise if a text differs from the last revision in more than white space. Some kinds have no revisions.
 */
export function revisionEvents(
  before: Entry,
  after: PlannedEntry,
  { nextId, lastRevision }: Pick<EntryFacts, 'nextId' | 'lastRevision'>,
): EntryEvent[] {
  if (!kindOf(before.kind).features.has('revisions')) return silentEvents(before, after);
  const last = lastRevision();
  const isEmptied = after.emptiedFootnotes && !before.emptiedFootnotes;
  const leavesRevision = last === null || isEmptied || !alikeTexts(last, after);
  if (!sameTexts(before, after)) return [revised(before, after, leavesRevision ? nextId : null)];
  return leavesRevision ? [{ type: 'EntryRevisionKept', data: { revision: nextId, ...saved(after) } }] : [];
}

export function silentEvents(before: Entry, after: PlannedEntry): EntryEvent[] {
  return sameTexts(before, after) ? [] : [revised(before, after, null)];
}

function revised(before: Entry, after: PlannedEntry, revision: number | null): EntryEvent {
  return { type: 'EntryRevised', data: { revision, ...saved(after), ...changedTexts(before, after) } };
}

function saved({ modified, modifiedGmt }: PlannedEntry) {
  return { modified, modifiedGmt };
}
