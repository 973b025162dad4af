import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EntryFacts, EntryFields } from './commands.ts';
import type { EntryEvent } from './events.ts';
import { type EntryKind, kindOf } from './kinds.ts';
import { trashedSlug } from './naming.ts';
import { type PlannedEntry, planEntry, withDefault } from './plan.ts';
import { revisionEvents } from './revising.ts';
import type { Entry } from './state.ts';
import type { EntryStatus } from './vocabulary.ts';

/** Writes a new entry. */
export function createEntry(kind: EntryKind, fields: EntryFields, facts: EntryFacts): readonly EntryEvent[] | Refusal {
  const planned = planEntry(kind, null, fields, facts);
  return isRefusal(planned) ? planned : [{ type: 'EntryCreated', data: mutable(planned) }];
}

/** Saves an entry: what the fields change, or nothing but the time of the save. */
export function saveEntry(entry: Entry, fields: EntryFields, facts: EntryFacts): readonly EntryEvent[] | Refusal {
  const planned = planEntry(kindOf(entry.kind), entry, fields, facts);
  return isRefusal(planned) ? planned : difference(entry, planned, facts);
}

/** Moves an entry to the trash. */
export function trashEntry(entry: Entry, facts: EntryFacts): readonly EntryEvent[] | Refusal {
  if (entry.status === 'trash') return refuse('rest_already_trashed', 'The post has already been deleted.');
  const kind = kindOf(entry.kind);
  const floats = entry.dateGmt === null;
  return difference(
    entry,
    {
      ...entry,
      status: 'trash',
      slug: trashedSlug(kind, entry, facts),
      date: floats ? facts.now.local : entry.date,
      dateGmt: floats ? facts.now.gmt : entry.dateGmt,
      modified: facts.now.local,
      modifiedGmt: facts.now.gmt,
      sticky: false,
      categories: kind.classified ? withDefault(entry.categories, facts) : [],
    },
    facts,
  );
}

/** Deletes an entry for good. `children` are those that pass to its parent. */
export function deleteEntry(entry: Entry): readonly EntryEvent[] {
  return [{ type: 'EntryDeleted', data: { id: entry.id, kind: entry.kind } }];
}

/** Hands a child of a deleted entry to its grandparent. */
export function orphanEntry(child: Entry, parent: number): readonly EntryEvent[] {
  return child.parent === parent ? [] : [{ type: 'EntryOrphaned', data: { parent } }];
}

/** Publishes a scheduled entry whose time has come; nothing if it is no longer scheduled or not yet due. */
export function releaseEntry(entry: Entry, facts: Pick<EntryFacts, 'now' | 'defaultCategory'>): readonly EntryEvent[] {
  if (entry.status !== 'future' || entry.dateGmt === null || entry.dateGmt > facts.now.gmt) return [];
  const categories = kindOf(entry.kind).classified ? withDefault(entry.categories, facts) : [];
  return [{ type: 'EntryReleased', data: { categories: [...categories] } }];
}

function difference(before: Entry, after: PlannedEntry, facts: EntryFacts): readonly EntryEvent[] {
  const { modified, modifiedGmt } = after;
  const saved = { modified, modifiedGmt };
  const events: EntryEvent[] = revisionEvents(before, after, facts.nextId);
  const changed = (...names: readonly (keyof PlannedEntry)[]) => names.some((name) => before[name] !== after[name]);
  const leavesTrash = before.status === 'trash' && after.status !== 'trash';

  if (changed('author')) events.push({ type: 'EntryAuthorChanged', data: { author: after.author, ...saved } });
  if (changed('password')) events.push({ type: 'EntryPasswordChanged', data: { password: after.password, ...saved } });
  if (dateChanged(before, after)) {
    events.push({ type: 'EntryDateChanged', data: { date: after.date, dateGmt: after.dateGmt, ...saved } });
  }
  if (changed('parent')) events.push({ type: 'EntryMoved', data: { parent: after.parent, ...saved } });
  if (changed('sticky')) events.push({ type: after.sticky ? 'EntryStuck' : 'EntryUnstuck', data: saved });
  if (!sameIds(before.categories, after.categories) || !sameIds(before.tags, after.tags)) {
    const [categories, tags] = [[...after.categories], [...after.tags]];
    events.push({ type: 'EntryClassified', data: { categories, tags, ...saved } });
  }
  if (changed(...details))
    events.push({ type: 'EntryDetailsChanged', data: { ...saved, ...changedDetails(before, after) } });
  if (leavesTrash) events.push({ type: 'EntryRestored', data: saved });
  if (before.status !== after.status) events.push({ type: statusEvents[after.status], data: saved });
  // After the status: what goes to the trash remembers the slug it came with.
  if (changed('slug')) events.push({ type: 'EntrySlugChanged', data: { slug: after.slug, ...saved } });
  return events.length === 0 ? [{ type: 'EntrySaved', data: saved }] : events;
}

const statusEvents = {
  publish: 'EntryPublished',
  future: 'EntryScheduled',
  private: 'EntryMadePrivate',
  pending: 'EntrySubmitted',
  draft: 'EntrySentBackToDraft',
  trash: 'EntryTrashed',
} as const satisfies Record<EntryStatus, EntryEvent['type']>;

const details = ['commentStatus', 'pingStatus', 'format', 'template', 'menuOrder', 'featuredMedia'] as const;

function changedDetails(before: Entry, after: PlannedEntry): Partial<Pick<Entry, (typeof details)[number]>> {
  return Object.fromEntries(details.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]));
}

// A date that goes on floating moves by itself with every save.
function dateChanged(before: Entry, after: PlannedEntry): boolean {
  if (before.dateGmt === null && after.dateGmt === null) return false;
  return before.dateGmt !== after.dateGmt || before.date !== after.date;
}

function sameIds(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

function mutable(planned: PlannedEntry) {
  return { ...planned, categories: [...planned.categories], tags: [...planned.tags] };
}
