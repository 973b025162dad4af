import type { ErasureReason } from '#domain/kernel/erasure.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { noTerms } from './classification.ts';
import type { EntryFacts, EntryFields } from './commands.ts';
import { difference, partEvents, termDifference } from './difference.ts';
import type { EntryEvent } from './events.ts';
import { writtenAtFirst } from './fields.ts';
import { type EntryKind, kindOf } from './kinds.ts';
import { trashedSlug } from './naming.ts';
import { hasCategories, type PlannedEntry, planEntry, withDefault } from './plan.ts';
import { revisionEvents } from './revising.ts';
import type { Entry } from './state.ts';

export function createEntry(kind: EntryKind, fields: EntryFields, facts: EntryFacts): readonly EntryEvent[] | Refusal {
  const planned = planEntry(kind, null, fields, facts);
  if (isRefusal(planned)) return planned;
  const { part, otherTerms, ...entry } = planned;
  const created: EntryEvent = { type: 'EntryCreated', data: writtenAtFirst(mutable(entry), kind) };
  return [created, ...termDifference(noTerms, planned), ...partEvents(null, planned)];
}

/** Saves an entry: records the changed fields, or just the time of the save. */
export function saveEntry(entry: Entry, fields: EntryFields, facts: EntryFacts): readonly EntryEvent[] | Refusal {
  const planned = planEntry(kindOf(entry.kind), entry, fields, facts);
  return isRefusal(planned) ? planned : difference(entry, planned, revisionEvents(entry, planned, facts));
}

export function trashEntry(entry: Entry, facts: EntryFacts): readonly EntryEvent[] | Refusal {
  if (entry.status === 'trash') return refuse('rest_already_trashed', 'The post has already been deleted.');
  const kind = kindOf(entry.kind);
  const floats = entry.dateGmt === null;
  const planned: PlannedEntry = {
    ...entry,
    status: 'trash',
    slug: trashedSlug(kind, entry, facts),
    date: floats ? facts.now.local : entry.date,
    dateGmt: floats ? facts.now.gmt : entry.dateGmt,
    modified: facts.now.local,
    modifiedGmt: facts.now.gmt,
    sticky: false,
    categories: hasCategories(kind) ? withDefault(entry.categories, facts) : [],
  };
  return difference(entry, planned, revisionEvents(entry, planned, facts));
}

/** Deletes an entry permanently. Its children pass to its parent; its media items keep their privacy. */
export function deleteEntry(entry: Entry, hasBelow: boolean): readonly EntryEvent[] {
  const { id, kind, parent: heir, status, trashed } = entry;
  const isPrivate = (trashed?.status ?? status) === 'private';
  const passed = hasBelow ? { heir, ...(isPrivate ? { inherited: 'private' as const } : {}) } : {};
  return [{ type: 'EntryDeleted', data: { id, kind, ...passed } }];
}

/** Orders the erasure of the texts of an entry that is deleted, also by the same commit. `last`: type of its last event in the log. */
export function eraseEntry(id: number, last: string, order: ErasureReason): readonly EntryEvent[] {
  return last === 'EntryErased' ? [] : [{ type: 'EntryErased', data: { id, ...order } }];
}

/** Publishes a scheduled entry that is due; no events if it is not scheduled or not yet due. */
export function releaseEntry(entry: Entry, facts: Pick<EntryFacts, 'now' | 'defaultCategory'>): readonly EntryEvent[] {
  if (entry.status !== 'future' || entry.dateGmt === null || entry.dateGmt > facts.now.gmt) return [];
  const categories = hasCategories(kindOf(entry.kind)) ? withDefault(entry.categories, facts) : [];
  return [{ type: 'EntryReleased', data: { categories: [...categories] } }];
}

function mutable(planned: Omit<PlannedEntry, 'part' | 'otherTerms'>) {
  return { ...planned, categories: [...planned.categories], tags: [...planned.tags] };
}
